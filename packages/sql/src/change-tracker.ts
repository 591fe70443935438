// Tracks recent changes from the change log, so that a cached read can be checked for validity. The log's owner says
// which reads a change concerns.

import sql from 'sql-template-tag';
import { pick, type Query, type RowOf } from './columns.ts';
import type { InvalidationRule } from './database.ts';
import { changeHeadTable, changeTable } from './own-tables.ts';
import { select } from './query.ts';

const entryColumns = pick(changeTable.columns, 'sequence', 'kind', 'action', 'subject');
type ChangeLogEntry = RowOf<typeof entryColumns>;

/** The number and the hash of the last change. */
export const changeHead = select(changeHeadTable.columns, sql`from change_head`);

/** With more changes than this at once, all projects count as changed. */
export const maxEntries = 1000;

/** At most one entry more than `maxEntries`. */
export const entriesAfter = (generation: number): Query<ChangeLogEntry> =>
  select(
    entryColumns,
    sql`from change where sequence > ${generation} order by sequence limit ${maxEntries + 1}`,
  );

const maxProjects = 50_000;

export class ChangeTracker {
  /** The sequence number of the last change that was read; undefined until it is known. */
  lastSequence: number | undefined;
  /** The sequence number of the last change that made anything stale, and the offset. */
  generation: number | undefined;
  /** Before this generation, single projects are not tracked. */
  #trackedSince = 0;
  #lastChanges = new Map<number, number>();

  constructor(
    private readonly invalidationOf: InvalidationRule,
    /** Added to sequence numbers: those of another log are no generations of this one. */
    private readonly offset = 0,
  ) {}

  /**
   * Takes in all changes after `lastSequence` up to `last`. If there are more than `maxEntries`, their content does not
   * matter.
   */
  advance(last: number, changes: readonly ChangeLogEntry[]): void {
    if (this.lastSequence === undefined || changes.length > maxEntries) this.#reset(last);
    else for (const change of changes) this.#track(change);
    if (this.#lastChanges.size > maxProjects) this.#reset(last);
    this.lastSequence = last;
  }

  /** Whether the project may have changed after the generation. */
  hasChanged(project: number, generation: number): boolean {
    return generation < this.#trackedSince || (this.#lastChanges.get(project) ?? 0) > generation;
  }

  /** Undefined if not all of them are known, or if they are more than the limit. */
  changedSince(generation: number, limit: number): number[] | undefined {
    if (generation < this.#trackedSince) return undefined;
    const changed: number[] = [];
    for (const [project, lastChange] of this.#lastChanges) {
      if (lastChange <= generation) continue;
      if (changed.push(project) > limit) return undefined;
    }
    return changed;
  }

  #track({ sequence, kind, action, subject }: ChangeLogEntry): void {
    const invalidation = this.invalidationOf(kind, action);
    if (invalidation === 'nothing') return;
    this.generation = sequence + this.offset;
    if (invalidation === 'project') this.#lastChanges.set(subject, this.generation);
    if (invalidation === 'everything') this.#reset(sequence);
  }

  #reset(sequence: number): void {
    this.generation = sequence + this.offset;
    this.#trackedSince = this.generation;
    this.#lastChanges.clear();
  }
}
