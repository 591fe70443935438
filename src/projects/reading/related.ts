// Whether a project has any copies or comments at all, hidden or not. Most have none, and then no list needs to be asked for.

import sql, { type Sql } from 'sql-template-tag';
import { integer, type Reader, type RowOf, repeated } from '#sql';

const isThere = (condition: Sql) =>
  integer(sql`case when exists (select 1 from project where ${condition}) then 1 else 0 end`);

const relatedColumns = {
  copies: isThere(sql`copied_from = asked.id`),
  comments: isThere(sql`root = asked.id`),
  replies: isThere(sql`parent = asked.id`),
};

const relatedOf = repeated(relatedColumns, 0, (id) => sql`from project as asked where asked.id = ${id}`);

export type Related = RowOf<typeof relatedColumns>;

export const findRelated = (reader: Reader, id: number): Promise<Related | undefined> =>
  reader.first(relatedOf(id));
