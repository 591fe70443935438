// A mark says how far a copy has come. It is a row of the table `migration`, so that no server starts on a database that
// has one.

import sql from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import type { Reader, Transaction } from '../../database/database.ts';
import { copyMarks } from '../../database/migrate.ts';
import { first } from '../../database/query.ts';
import { migrationTable } from '../../database/schema.ts';

type Mark = keyof typeof copyMarks;

const nameColumn = pick(migrationTable.columns, 'name');

export async function readMark(reader: Reader, mark: Mark): Promise<string | undefined> {
  const row = await first(reader, nameColumn)`from migration where number = ${copyMarks[mark]}`;
  return row?.name;
}

export const setMark = (transaction: Transaction, mark: Mark, name: string): Promise<void> =>
  transaction.upsert(migrationTable, [{ number: copyMarks[mark], name }]);

export const removeMark = (transaction: Transaction, mark: Mark): Promise<void> =>
  transaction.run(sql`delete from migration where number = ${copyMarks[mark]}`);
