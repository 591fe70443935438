// A listing of the rows of a table that is small enough to be counted: of contributors, say, or of tags.

import sql, { raw, type Sql } from 'sql-template-tag';
import type { Reads } from '../database/open.ts';
import { beyond, type Order, orderBy, type Position, reversed } from './projects/order.ts';

interface Wanted {
  readonly table: string;
  readonly columns: Sql;
  readonly condition: Sql;
  /** Total: its last column tells every row from every other. */
  readonly order: Order;
}

export class Rows<Row extends object> {
  readonly identity: string;

  constructor(
    private readonly reads: Reads,
    private readonly wanted: Wanted,
  ) {
    const { table, condition, order } = wanted;
    this.identity = JSON.stringify([table, condition.sql, condition.values, order]);
  }

  async count(): Promise<number> {
    const { table, condition } = this.wanted;
    const row = await this.reads.first<{ count: number }>(
      sql`select count(*) as count from ${raw(table)} where ${condition}`,
    );
    return row?.count ?? 0;
  }

  page(offset: number, size: number): Promise<Row[]> {
    return this.#rows(this.wanted.order, undefined, size, offset);
  }

  async beyond(position: Position | undefined, size: number, backwards: boolean): Promise<Row[]> {
    const order = backwards ? reversed(this.wanted.order) : this.wanted.order;
    const rows = await this.#rows(order, position && beyond(order, position), size, 0);
    return backwards ? rows.reverse() : rows;
  }

  position(row: Row): Position {
    return this.wanted.order.map(({ column }) => (row as Record<string, string | number>)[column] ?? '');
  }

  #rows(order: Order, seek: Sql | undefined, size: number, offset: number): Promise<Row[]> {
    const { table, columns, condition } = this.wanted;
    const within = seek ? sql`${condition} and ${seek}` : condition;
    return this.reads.all<Row>(
      sql`select ${columns} from ${raw(table)} where ${within}
          order by ${orderBy(order, table)} limit ${size} offset ${offset}`,
    );
  }
}
