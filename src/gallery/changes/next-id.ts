// Ids for new rows. Imports bring their own ids, and a deleted row leaves its id in the change log: a new id is
// higher than all of them, so that no id is used twice.

import sql, { raw } from 'sql-template-tag';
import { integer, nullable, type Table } from '../../database/columns.ts';
import type { Transaction } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { changeHeadTable } from '../../database/schema.ts';
import type { ChangeKindName } from './kinds.ts';

const lastId = { last: nullable(integer(sql`max(id)`)) };
const lastSubject = { last: nullable(integer(sql`max(subject)`)) };

export async function nextId(transaction: Transaction, table: Table, kind: ChangeKindName): Promise<number> {
  await lockChangeLog(transaction);
  const stored = await transaction.first(select(lastId, raw(`from ${table.name}`)));
  const logged = await transaction.first(select(lastSubject, sql`from change where kind = ${kind}`));
  return 1 + Math.max(stored?.last ?? 0, logged?.last ?? 0);
}

/** Until the commit, no other transaction can write to the change log. */
export async function lockChangeLog(transaction: Transaction): Promise<void> {
  await transaction.run(sql`update change_head set last = last`);
}

/** Returns the last sequence number, which stays the last one until the commit. */
export async function lockLastSequence(transaction: Transaction): Promise<number> {
  await lockChangeLog(transaction);
  const head = await transaction.first(select(changeHeadTable.columns, sql`from change_head`));
  if (!head) throw new Error('change_head is empty');
  return head.last;
}
