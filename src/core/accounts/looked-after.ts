// Accounts that others look after, such as those of children in a class. Search engines are not shown such people.

import sql, { type Sql } from 'sql-template-tag';
import { exists, type Reader } from '#sql';

export const isLookedAfter = (reader: Reader, contributor: number): Promise<boolean> =>
  exists(reader, isLookedAfterSql(sql`${contributor}`));

/** Of a contributor's id in a query. */
export const isLookedAfterSql = (id: Sql): Sql =>
  sql`from account where account.contributor = ${id} and looked_after_by is not null`;

/** Of responses that are no pages: these have an element for it. */
export const noIndexHeaders = { 'X-Robots-Tag': 'noindex' };
