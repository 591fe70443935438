// A listing of a table that is small enough to be counted, such as contributors or tags. Large ones take long to count,
// so it is read beside other requests.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { all, type ColumnsOf, count, type Database, type Reader, select, type Table } from '#sql';
import { afterPosition, type Order, orderBy, type Position, reverseOrder } from './order.ts';

/** Of a whole listing, this many rows are read at a time. */
const batchSize = 200;

interface TableListingOptions<Row extends object> {
  readonly table: string;
  readonly columns: ColumnsOf<Row>;
  readonly condition: Sql;
  /** A total order: its last column is unique. */
  readonly order: Order;
}

export class TableListing<Row extends object> {
  readonly cursorScope: string;
  readonly #reader: Reader;

  constructor(
    database: Database,
    private readonly options: TableListingOptions<Row>,
  ) {
    this.#reader = database.slowReader;
    const { table, condition, order } = options;
    this.cursorScope = JSON.stringify([table, condition.sql, condition.values, order]);
  }

  count(): Promise<number> {
    const { table, condition } = this.options;
    return count(this.#reader, sql`from ${raw(table)} where ${condition}`);
  }

  page(offset: number, size: number): Promise<Row[]> {
    return this.#queryRows(this.options.order, undefined, size, offset);
  }

  async seek(positionOf: Position | undefined, size: number, backwards: boolean): Promise<Row[]> {
    const order = backwards ? reverseOrder(this.options.order) : this.options.order;
    const rows = await this.#queryRows(order, positionOf && afterPosition(order, positionOf), size, 0);
    return backwards ? rows.reverse() : rows;
  }

  async *batches(): AsyncGenerator<Row[], void> {
    for (let last: Row | undefined; ; ) {
      const rows = await this.seek(last && this.positionOf(last), batchSize, false);
      if (rows.length) yield rows;
      last = rows.at(-1);
      if (rows.length < batchSize) return;
    }
  }

  positionOf(row: Row): Position {
    return this.options.order.map(({ column }) => (row as Record<string, string | number>)[column] ?? '');
  }

  #queryRows(order: Order, seek: Sql | undefined, size: number, offset: number): Promise<Row[]> {
    const { table, columns, condition } = this.options;
    const where = seek ? sql`${condition} and ${seek}` : condition;
    return this.#reader.all(
      select(
        columns,
        // The columns may be subqueries: PostgreSQL would compute them for the rows before the offset too.
        sql`from (
              select * from ${raw(table)} where ${where}
              order by ${orderBy(order, table)} limit ${size} offset ${offset}
            ) as ${raw(table)} order by ${orderBy(order, table)}`,
      ),
    );
  }
}

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
