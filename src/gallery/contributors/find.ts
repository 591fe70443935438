import sql from 'sql-template-tag';
import type { Database, Reads } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import type { Order } from '../projects/order.ts';
import { Rows } from '../rows.ts';
import type { Contributor } from './contributor.ts';

const columns = sql`id, username, first_name, last_name, last_name_key, created`;

export async function findContributor(reads: Reads, id: number): Promise<Contributor> {
  const found = await reads.first<Contributor>(sql`select ${columns} from contributor where id = ${id}`);
  if (!found) throw new NotFound();
  return found;
}

/** The orders that can be asked for, by the names of the wire. */
export const contributorOrders = {
  id: 'id',
  created: 'created',
  username: 'username',
  last_name: 'last_name_key',
};

/** All, or the one of a name. */
export function contributors(
  database: Database,
  username: string | undefined,
  order: Order,
): Rows<Contributor> {
  const condition = username === undefined ? sql`1 = 1` : sql`username = ${username}`;
  return new Rows<Contributor>(database, { table: 'contributor', columns, condition, order });
}
