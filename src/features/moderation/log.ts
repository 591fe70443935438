// Queries for the moderation log: decisions, who made them and why, and which of them were undone.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { all, type Database, integer, nullable, one, pick, type Reader, type RowOf, text } from '#sql';
import { columnOfContributor } from '../../core/contributors/contributor.ts';
import { inverses } from '../../core/decisions/actions.ts';
import { decisionColumns, isKnownDecision, isNotUndone } from '../../core/decisions/decision.ts';
import { decisionTable } from '../../core/decisions/tables.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { isNotInTrash } from '../../core/project-status.ts';

const columnOfProject = (column: Sql, condition = empty) =>
  nullable(text(sql`(select ${column} from project where project.id = decision.project ${condition})`));

/** With the current names and titles. An erased project has no title; one in the trash has no slug. */
const columns = {
  ...decisionColumns,
  moderator_name: nullable(columnOfContributor('username', 'decision.moderator')),
  contributor_name: columnOfContributor('username', 'decision.contributor'),
  title: columnOfProject(sql`title`),
  uuid: columnOfProject(sql`uuid`),
  slug: columnOfProject(sql`slug`, sql`and ${isNotInTrash}`),
  /** The decision that undid it. */
  undone_by: nullable(
    integer(sql`(select min(later.id) from decision as later where later.undoes = decision.id)`),
  ),
};

export type DecisionLogEntry = RowOf<typeof columns>;

export interface DecisionFilter {
  readonly moderator?: number;
  readonly project?: number;
  readonly contributor?: number;
}

/** Newest first. */
export function listDecisions(database: Database, filter: DecisionFilter): TableListing<DecisionLogEntry> {
  const { moderator, project, contributor } = filter;
  const conditions = [isKnownDecision()];
  if (moderator !== undefined) conditions.push(sql`moderator = ${moderator}`);
  if (project !== undefined) conditions.push(sql`project = ${project}`);
  if (contributor !== undefined) conditions.push(sql`contributor = ${contributor}`);
  const order = [{ column: 'id', descending: true }];
  const condition = join(conditions, ' and ');
  return new TableListing(database, { table: 'decision', columns, condition, order });
}

export const findDecision = (reader: Reader, id: number): Promise<DecisionLogEntry> =>
  one(reader, columns)`from decision where id = ${id} and ${isKnownDecision()}`;

export function canBeUndone({
  action,
  project,
  undone_by,
}: Pick<DecisionLogEntry, 'action' | 'project' | 'undone_by'>): boolean {
  // Leaving a name as it is cannot be undone: the name can be changed.
  if (action === 'left' && project === null) return false;
  return undone_by === null && Object.hasOwn(inverses, action);
}

const countColumns = { ...pick(decisionTable.columns, 'contributor'), count: integer(sql`count(*)`) };

/**
 * How many of a contributor's projects moderators removed or moved to the trash, without the decisions that were
 * undone.
 */
export async function countDecisionsAgainst(
  reader: Reader,
  contributors: readonly number[],
): Promise<Map<number, number>> {
  if (contributors.length === 0) return new Map();
  const rows = await all(reader, countColumns)`from decision
    where contributor in (${join([...contributors])}) and action in ('removed', 'trashed') and ${isNotUndone}
    group by contributor`;
  return new Map(rows.map(({ contributor, count }) => [contributor, count]));
}
