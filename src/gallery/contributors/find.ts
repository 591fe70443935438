import sql from 'sql-template-tag';
import type { Database, Reader } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { contributorTable } from '../../database/schema.ts';
import { NotFound } from '../../errors.ts';
import type { Order } from '../projects/order.ts';
import { TableListing } from '../table-listing.ts';
import { contributorColumns } from './columns.ts';
import type { Contributor } from './contributor.ts';

/** With the sort key of the last name, which makes up a position in an order. */
const columns = { ...contributorColumns, last_name_key: contributorTable.columns.last_name_key };

export async function findContributor(reader: Reader, id: number): Promise<Contributor> {
  const contributor = await reader.first(select(contributorColumns, sql`from contributor where id = ${id}`));
  if (!contributor) throw new NotFound();
  return contributor;
}

/** The orders that a request may ask for, by their names in the API. */
export const contributorOrders = {
  id: 'id',
  created: 'created',
  username: 'username',
  last_name: 'last_name_key',
};

/** All contributors, or the one with this username. */
export function listContributors(
  database: Database,
  username: string | undefined,
  order: Order,
): TableListing<Contributor> {
  const condition = username === undefined ? sql`1 = 1` : sql`username = ${username}`;
  return new TableListing(database, { table: 'contributor', columns, condition, order });
}
