// Queries for the moderation log: decisions, who made them and why, and which of them were undone.

import sql, { join, raw } from 'sql-template-tag';
import type { Database, Reader } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import { isNotInTrash } from '../projects/status.ts';
import { TableListing } from '../table-listing.ts';
import { type Decision, inverses } from './decision.ts';

/** With the current names and titles. An erased project has no title; one in the trash has no slug. */
export type DecisionLogEntry = Decision & {
  readonly moderator_name: string | null;
  readonly contributor_name: string;
  readonly title: string | null;
  readonly uuid: string | null;
  readonly slug: string | null;
  /** The decision that undid it. */
  readonly undone_by: number | null;
};

const usernameColumn = (column: 'moderator' | 'contributor') =>
  `(select username from contributor where contributor.id = decision.${column}) as ${column}_name`;
const projectColumn = (column: 'title' | 'uuid' | 'slug', condition = '') =>
  `(select ${column} from project where project.id = decision.project ${condition}) as ${column}`;

const columns = raw(`id, created, moderator, action, project, contributor, reason, status, undoes,
  ${[usernameColumn('moderator'), usernameColumn('contributor'), projectColumn('title'), projectColumn('uuid')].join()}, ${projectColumn('slug', `and ${isNotInTrash.sql}`)},
  (select min(later.id) from decision as later where later.undoes = decision.id) as undone_by`);

export interface DecisionFilter {
  readonly moderator?: number;
  readonly project?: number;
  readonly contributor?: number;
}

/** Newest first. */
export function listDecisions(database: Database, filter: DecisionFilter): TableListing<DecisionLogEntry> {
  const { moderator, project, contributor } = filter;
  const conditions = [sql`1 = 1`];
  if (moderator !== undefined) conditions.push(sql`moderator = ${moderator}`);
  if (project !== undefined) conditions.push(sql`project = ${project}`);
  if (contributor !== undefined) conditions.push(sql`contributor = ${contributor}`);
  const order = [{ column: 'id', descending: true }];
  const condition = join(conditions, ' and ');
  return new TableListing<DecisionLogEntry>(database, { table: 'decision', columns, condition, order });
}

export async function findDecision(reader: Reader, id: number): Promise<DecisionLogEntry> {
  const decision = await reader.first<DecisionLogEntry>(
    sql`select ${columns} from decision where id = ${id}`,
  );
  if (!decision) throw new NotFound();
  return decision;
}

export function canBeUndone({ action, undone_by }: Pick<DecisionLogEntry, 'action' | 'undone_by'>): boolean {
  return undone_by === null && Object.hasOwn(inverses, action);
}

const isNotUndone = sql`not exists (select 1 from decision as later where later.undoes = decision.id)`;

/** Why projects are removed; a reason may be empty. */
export async function loadRemovalReasons(
  reader: Reader,
  projects: readonly number[],
): Promise<Map<number, string>> {
  if (projects.length === 0) return new Map();
  const rows = await reader.all<{ project: number; reason: string }>(
    sql`select project, reason from decision
        where project in (${join([...projects])}) and action = 'removed' and ${isNotUndone} order by id`,
  );
  return new Map(rows.map(({ project, reason }) => [project, reason]));
}

/**
 * How many of a contributor's projects moderators removed or moved to the trash, without the decisions that were
 * undone.
 */
export async function countDecisionsAgainst(
  reader: Reader,
  contributors: readonly number[],
): Promise<Map<number, number>> {
  if (contributors.length === 0) return new Map();
  const rows = await reader.all<{ contributor: number; count: number }>(
    sql`select contributor, count(*) as count from decision
        where contributor in (${join([...contributors])}) and action in ('removed', 'trashed') and ${isNotUndone}
        group by contributor`,
  );
  return new Map(rows.map(({ contributor, count }) => [contributor, count]));
}
