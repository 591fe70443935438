// Accounts that a class looks after: see classes/.

import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../database/database.ts';
import { exists } from '../database/query.ts';

/** Whether a class looks after the account. Search engines are not shown such people. */
export const isLookedAfter = (reader: Reader, contributor: number): Promise<boolean> =>
  exists(reader, isLookedAfterSql(sql`${contributor}`));

/** Of a contributor's id in a query. */
export const isLookedAfterSql = (id: Sql): Sql =>
  sql`from account where account.contributor = ${id} and looked_after_by is not null`;
