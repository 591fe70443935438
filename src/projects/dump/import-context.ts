// The state of an import, and the checks that several kinds of lines need.

import sql, { join, raw } from 'sql-template-tag';
import {
  all,
  exists,
  first,
  integer,
  pick,
  type RestoreIndexes,
  type Row,
  searchTableName,
  type Table,
  type Transaction,
  type Value,
} from '#sql';
import { accountTable } from '../../core/accounts/tables.ts';
import { type changeHeadTable, changeTable } from '../../core/changes/tables.ts';
import { displayName, namesWithSortKey } from '../../core/contributors/contributor.ts';
import { IncomingFiles } from '../../core/dump/file-content.ts';
import { DumpFrame } from '../../core/dump/frame.ts';
import { type DumpProblems, RefusedLine } from '../../core/dump/problems.ts';
import type { FileStore } from '../../core/files/store.ts';
import { now } from '../../core/instant.ts';
import { projectTable, ratingTable, suggestionWordTable, tagTable } from '../tables.ts';
import { type Batch, ImportLog } from './import-log.ts';

const maxRememberedContributors = 20_000;

/** From here on, freeing memory is worth its time. */
const manyLines = 10_000;

const filledTables = [projectTable, tagTable, ratingTable, suggestionWordTable, changeTable];

export interface KnownContributor {
  readonly name: string;
  readonly last_name_key: string;
}

type AnyRow = Readonly<Record<string, unknown>>;

export class ImportContext {
  readonly at = now();
  readonly counts = { contributors: 0, projects: 0 };
  readonly files: IncomingFiles;
  readonly log: ImportLog;
  readonly frame: DumpFrame;
  /** Its projects say for whom they were made: older dumps do not. */
  hasAudiences = false;
  /** The last line that was read. */
  lineNumber = 0;
  /** Projects that were imported into a gallery that was not empty. */
  readonly importedProjects = new Set<number>();
  /** Those of them that were there before. */
  readonly replacedProjects = new Set<number>();
  /** Projects that a line refers to, or that a replaced project referred to. */
  readonly referencedProjects = new Set<number>();
  /** Projects that could be indirect copies of themselves: all others are newer than their source. */
  readonly possibleCycles = new Set<number>();
  highestProjectId = 0;
  /** What the files of a project were, if it gets no others. */
  readonly protectedFiles = new Map<number, ReadonlySet<string>>();
  /** Projects whose files the dump replaces. */
  readonly replacedMedia = new Set<number>();
  /** Words that were added to the suggestions: most projects share them. */
  readonly suggestionWords = new Set<string>();
  /** A cache: most lines refer to the same few contributors. */
  readonly #contributors = new Map<number, KnownContributor>();
  readonly #droppedIndexes: RestoreIndexes[] = [];

  private constructor(
    readonly transaction: Transaction,
    store: Pick<FileStore, 'put' | 'size'>,
    private readonly name: string,
    head: Row<typeof changeHeadTable>,
    /** The gallery had no projects: their indexes are created at the end. */
    readonly wasEmpty: boolean,
    /** Lines may not change accounts, keys and other rights: see table-kind.ts. */
    readonly protectsAccounts: boolean,
    /** Only for a check. */
    readonly problems: DumpProblems | undefined,
  ) {
    const refuse = (line: number, reason: string) => this.refuse(line, reason);
    this.files = new IncomingFiles(store, refuse);
    this.frame = new DumpFrame(refuse, (reason) => this.refuseFile(reason));
    this.log = new ImportLog(transaction, head, this.at, refuse);
  }

  /** `name` is the file's name in messages. */
  static async begin(
    transaction: Transaction,
    files: Pick<FileStore, 'put' | 'size'>,
    name: string,
    replacesAccounts: boolean,
    problems?: DumpProblems,
  ): Promise<ImportContext> {
    const head = await transaction.lockChangeLog();
    const wasEmpty = !(await exists(transaction, sql`from project`));
    const protectsAccounts = !replacesAccounts && (await exists(transaction, sql`from account`));
    const context = new ImportContext(transaction, files, name, head, wasEmpty, protectsAccounts, problems);
    if (wasEmpty)
      for (const table of [...filledTables, { name: searchTableName }])
        context.#droppedIndexes.push(await transaction.dropIndexes(table));
    return context;
  }

  /** Whether the dump has brought the project. */
  isNewProject(id: number): boolean {
    return this.wasEmpty || (this.importedProjects.has(id) && !this.replacedProjects.has(id));
  }

  /** Of these contributors, those with an account for whom lines may not speak, and whether others look after it. */
  async findAccounts(contributors: readonly number[]): Promise<ReadonlyMap<number, 'own' | 'looked after'>> {
    if (!this.protectsAccounts || contributors.length === 0) return new Map();
    const rows = await all(
      this.transaction,
      pick(accountTable.columns, 'contributor', 'looked_after_by'),
    )`from account
      where contributor in (${join([...new Set(contributors)])})`;
    return new Map(
      rows.map(({ contributor, looked_after_by }) => [
        contributor,
        looked_after_by === null ? 'own' : 'looked after',
      ]),
    );
  }

  /** Call it when the rows are imported, before queries that read them. */
  async prepareQueries(): Promise<void> {
    for (const table of filledTables) await this.transaction.updateStatistics(table);
  }

  /** Call it when no more rows are changed. */
  async restoreIndexes(): Promise<void> {
    // Building indexes takes as much memory as the lines have left behind.
    if (this.lineNumber > manyLines) Bun.gc(true);
    for (const restore of this.#droppedIndexes) await restore();
  }

  refuse(lineNumber: number, reason: string): never {
    throw new RefusedLine(this.name, lineNumber, reason);
  }

  /** For an error that concerns the file as a whole. */
  refuseFile(reason: string): never {
    throw new RefusedLine(this.name, undefined, reason);
  }

  /** In a check, notes why a line is refused, so that the check continues. Returns the refusal. */
  async attempt(work: () => unknown): Promise<RefusedLine | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (!this.problems || !(error instanceof RefusedLine)) throw error;
      this.problems.addBroken(error);
      return error;
    }
  }

  async findContributor(id: number): Promise<KnownContributor | undefined> {
    const remembered = this.#contributors.get(id);
    if (remembered) return remembered;
    const row = await first(this.transaction, namesWithSortKey)`from contributor where id = ${id}`;
    if (!row) return undefined;
    const contributor = { name: displayName(row), last_name_key: row.last_name_key };
    this.rememberContributor(id, contributor);
    return contributor;
  }

  rememberContributor(id: number, contributor: KnownContributor): void {
    if (this.#contributors.size >= maxRememberedContributors) this.#contributors.clear();
    this.#contributors.set(id, contributor);
  }

  async requireContributor(
    lineNumber: number,
    id: number,
    member = 'contributor',
  ): Promise<KnownContributor> {
    const contributor = await this.findContributor(id);
    return contributor ?? this.refuse(lineNumber, `${member}: there is no contributor ${id}.`);
  }

  /** The member of each line is null or the key of a row in the table. */
  async requireRows<Name extends string>(
    batch: Batch<Readonly<Record<Name, Value>>>,
    member: Name,
    { name, key }: Table,
  ): Promise<void> {
    const ids = new Set(batch.flatMap(({ entry }) => entry[member] ?? []));
    if (ids.size === 0) return;
    const column = raw(key[0] ?? 'id');
    const rows = await all(this.transaction, { id: integer(column) })`from ${raw(name)}
      where ${column} in (${join([...ids])})`;
    const presentIds = new Set<Value>(rows.map(({ id }) => id));
    for (const { lineNumber, entry } of batch) {
      const id = entry[member];
      if (id !== null && !presentIds.has(id))
        this.refuse(lineNumber, `${member}: there is no ${name} ${id}.`);
    }
  }

  /** A unique member belongs to one id, both in the gallery and within the batch. */
  requireUnique(
    batch: Batch<object>,
    member: string,
    existing: readonly object[],
    key: readonly string[] = ['id'],
  ): void {
    const keyOf = (row: AnyRow) => key.map((name) => `${name} ${row[name]}`).join(', ');
    const keysByValue = new Map((existing as AnyRow[]).map((row) => [row[member], keyOf(row)]));
    for (const { lineNumber, entry } of batch as Batch<AnyRow>) {
      const owner = keysByValue.get(entry[member]);
      if (owner !== undefined && owner !== keyOf(entry))
        this.refuse(lineNumber, `${member}: ${entry[member]} already belongs to ${owner}.`);
      keysByValue.set(entry[member], keyOf(entry));
    }
  }
}
