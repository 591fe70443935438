// Reads of the log of moderation: what was decided, by whom and why, and what of it still stands.

import sql, { join, raw } from 'sql-template-tag';
import type { Database, Reads } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import { inTrash } from '../projects/visible.ts';
import { Rows } from '../rows.ts';
import { type Decision, inverses } from './decision.ts';

/** With what people and things are called now. A thing that was erased has no title, one in the trash no slug. */
export type Entry = Decision & {
  readonly moderator_name: string | null;
  readonly contributor_name: string;
  readonly title: string | null;
  readonly uuid: string | null;
  readonly slug: string | null;
  /** The decision by which it was taken back. */
  readonly undone_by: number | null;
};

const named = (column: 'moderator' | 'contributor') =>
  `(select username from contributor where contributor.id = decision.${column}) as ${column}_name`;
const ofProject = (column: 'title' | 'uuid' | 'slug', condition = '') =>
  `(select ${column} from project where project.id = decision.project ${condition}) as ${column}`;

const columns = raw(`id, created, moderator, action, project, contributor, reason, status, undoes,
  ${[named('moderator'), named('contributor'), ofProject('title'), ofProject('uuid')].join()}, ${ofProject('slug', `and status <> ${inTrash}`)},
  (select min(later.id) from decision as later where later.undoes = decision.id) as undone_by`);

export interface Wanted {
  readonly moderator?: number;
  readonly project?: number;
  readonly contributor?: number;
}

/** The newest first. */
export function decisions(database: Database, wanted: Wanted): Rows<Entry> {
  const { moderator, project, contributor } = wanted;
  const conditions = [sql`1 = 1`];
  if (moderator !== undefined) conditions.push(sql`moderator = ${moderator}`);
  if (project !== undefined) conditions.push(sql`project = ${project}`);
  if (contributor !== undefined) conditions.push(sql`contributor = ${contributor}`);
  const order = [{ column: 'id', descending: true }];
  const condition = join(conditions, ' and ');
  return new Rows<Entry>(database, { table: 'decision', columns, condition, order });
}

export async function findDecision(reads: Reads, id: number): Promise<Entry> {
  const found = await reads.first<Entry>(sql`select ${columns} from decision where id = ${id}`);
  if (!found) throw new NotFound();
  return found;
}

export function canBeUndone({ action, undone_by }: Pick<Entry, 'action' | 'undone_by'>): boolean {
  return undone_by === null && Object.hasOwn(inverses, action);
}

const stands = sql`not exists (select 1 from decision as later where later.undoes = decision.id)`;

/** Why things are removed; empty where nobody said it. */
export async function removalReasons(
  reads: Reads,
  projects: readonly number[],
): Promise<Map<number, string>> {
  if (projects.length === 0) return new Map();
  const rows = await reads.all<{ project: number; reason: string }>(
    sql`select project, reason from decision
        where project in (${join([...projects])}) and action = 'removed' and ${stands} order by id`,
  );
  return new Map(rows.map(({ project, reason }) => [project, reason]));
}

/** How many of somebody's things moderators removed or took away, and nobody brought back. */
export async function timesDecidedAgainst(
  reads: Reads,
  contributors: readonly number[],
): Promise<Map<number, number>> {
  if (contributors.length === 0) return new Map();
  const rows = await reads.all<{ contributor: number; count: number }>(
    sql`select contributor, count(*) as count from decision
        where contributor in (${join([...contributors])}) and action in ('removed', 'trashed') and ${stands}
        group by contributor`,
  );
  return new Map(rows.map(({ contributor, count }) => [contributor, count]));
}
