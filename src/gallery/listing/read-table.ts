import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ColumnsOf, Table } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { all } from '../../database/query.ts';

const maxBatchSize = 1000;
/** Characters of the values of a batch: after longer ones, fewer rows are read at a time. */
const maxBatchLength = 1_000_000;

/** The rows of a table in the order of its key, a batch at a time. A table without a key has few rows. */
export async function* readTable<Row extends object>(
  reader: Reader,
  table: Table,
  columns: ColumnsOf<Row>,
  condition: Sql,
): AsyncGenerator<Row[]> {
  const key = raw(table.key.join(', ') || '1');
  let isNext = sql`1 = 1`;
  for (let batchSize = 50; ; ) {
    const rows = await all(reader, columns)`from ${raw(table.name)}
      where ${isNext} and ${condition} order by ${key} limit ${batchSize}`;
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (table.key.length === 0) return;
    batchSize =
      lengthOf(rows) > maxBatchLength ? Math.ceil(batchSize / 4) : Math.min(maxBatchSize, 2 * batchSize);
    isNext = sql`(${key}) > (${join(table.key.map((column) => last[column as keyof Row]))})`;
  }
}

function lengthOf(rows: readonly object[]): number {
  let length = 0;
  for (const row of rows)
    for (const value of Object.values(row)) length += typeof value === 'string' ? value.length : 10;
  return length;
}
