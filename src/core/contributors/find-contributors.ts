import sql, { join, raw, type Sql } from 'sql-template-tag';
import { all, type Database, first, one, orAny, pick, type Reader, type Transaction } from '#sql';
import { once } from '../feature.ts';
import type { Order, Sorting } from '../listing/order.ts';
import { TableListing } from '../listing/table-listing.ts';
import type { Viewer } from '../viewer/viewer.ts';
import {
  avatarOfContributor,
  type Contributor,
  contributorColumns,
  type FullContributor,
  fullContributorColumns,
  type VisibleContributor,
} from './contributor.ts';
import { contributorTable } from './tables.ts';

/** With the sort key of the last name, which makes up a position in an order. */
const columns = { ...contributorColumns, last_name_key: contributorTable.columns.last_name_key };
const columnsForModerators = { ...columns, ...fullContributorColumns };
const columnsFor = (viewer: Viewer) => (viewer.isModerator ? columnsForModerators : columns);

declare module '../feature.ts' {
  interface Feature {
    /** Of a contributor's id in a query: whether the viewer finds them. */
    findablePeople?(viewer: Viewer, contributor: Sql): Sql | undefined;
    /** The same for everybody. */
    shownPeople?(contributor: Sql): Sql;
  }
}

const findable = once((features) => features.flatMap(({ findablePeople = [] }) => findablePeople));

const shown = once((features) => features.flatMap(({ shownPeople = [] }) => shownPeople));

/** Whether the viewer finds some people whom visitors do not. */
export const findsMorePeople = (viewer: Viewer): boolean =>
  findable().some((ask) => ask(viewer, sql`0`) !== undefined);

/**
 * Contributors with something listed or whom features show; moderators find everybody, contributors themselves and those whom
 * features let them find.
 * `id` names the column.
 */
export function isFindableBy(viewer: Viewer, id = 'contributor.id'): Sql {
  if (viewer.isModerator) return sql`1 = 1`;
  const hasListed = sql`(exists (select 1 from contributor_count where contributor = ${raw(id)} and count > 0)${orAny(
    shown().map((ask) => ask(raw(id))),
  )})`;
  if (viewer.contributor === null) return hasListed;
  const others = findable().flatMap((ask) => ask(viewer, raw(id)) ?? []);
  return sql`(${hasListed} or ${raw(id)} = ${viewer.contributor}${orAny(others)})`;
}

/** Of these contributors, those whom the viewer finds. */
export async function findFindable(
  reader: Reader,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await all(reader, idColumn)`from contributor
    where id in (${join([...ids])}) and ${isFindableBy(viewer)}`;
  return new Set(rows.map(({ id }) => id));
}

const idColumn = pick(contributorTable.columns, 'id');

/** Other changes of what the contributor shows wait until the commit. */
export async function lockContributor(transaction: Transaction, id: number): Promise<void> {
  await first(transaction, idColumn)`from contributor where id = ${id} ${transaction.forUpdate}`;
}

/** With the full name. */
export async function loadContributor(reader: Reader, id: number): Promise<FullContributor> {
  const contributor = await first(reader, fullContributorColumns)`from contributor where id = ${id}`;
  if (!contributor) throw new Error(`there is no contributor ${id}`);
  return contributor;
}

/** A contributor by their id, which can be counted: only people whom the viewer may find. */
export function findContributor(reader: Reader, viewer: Viewer, id: number): Promise<VisibleContributor> {
  return one(reader, columnsFor(viewer))`from contributor
    where id = ${id} and ${isFindableBy(viewer)}`;
}

/** The same, with the avatar, by the id in the address of their page. Whoever has published nothing is not found by counting. */
export function findContributorAt(reader: Reader, viewer: Viewer, { id }: Pick<Contributor, 'id'>) {
  return one(reader, {
    ...columnsFor(viewer),
    avatar: avatarOfContributor('contributor.id', 'largest'),
  })`from contributor where id = ${id} and ${isFindableBy(viewer)}`;
}

export const contributorSorting: Sorting = {
  columns: { id: 'id', created: 'created', username: 'username', last_name: 'last_name_key' },
  key: 'id',
};

const byId: Order = [{ column: 'id', descending: false }];

/** The contributors whom the viewer may find, or the one with this username. `isWanted` selects some of them. */
export function listContributors(
  database: Database,
  viewer: Viewer,
  username: string | undefined,
  order = byId,
  isWanted?: Sql,
): TableListing<VisibleContributor> {
  const isFindable = isWanted ? sql`${isWanted} and ${isFindableBy(viewer)}` : isFindableBy(viewer);
  const condition = username === undefined ? isFindable : sql`username = ${username} and ${isFindable}`;
  return new TableListing(database, {
    table: 'contributor',
    columns: columnsFor(viewer),
    condition,
    order,
  });
}
