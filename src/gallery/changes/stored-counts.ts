import { Sql } from 'sql-template-tag';
import type { Columns, Table, Value } from '../../database/columns.ts';

/** A table of stored counts: its key, and the column `count`. */
type CountTable<Column extends string = string> = Pick<Table<Columns, Column>, 'name' | 'key'>;

interface CountChange {
  readonly table: CountTable;
  readonly key: readonly Value[];
  difference: number;
}

/** Collects what a transaction adds to stored counts or subtracts from them. */
export class StoredCountChanges {
  readonly #changes = new Map<string, CountChange>();

  add<Column extends string>(
    table: CountTable<Column>,
    row: Readonly<Record<Column, Value>>,
    difference: number,
  ): void {
    const key = table.key.map((column) => row[column]);
    const id = JSON.stringify([table.name, key]);
    const existing = this.#changes.get(id);
    if (existing) existing.difference += difference;
    else this.#changes.set(id, { table, key, difference });
  }

  /**
   * Run these at the end of the transaction: every writer updates these rows, so their locks must be short. The fixed
   * order prevents deadlocks.
   */
  statements(): Sql[] {
    return [...this.#changes]
      .filter(([, { difference }]) => difference !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { table, key, difference }]) => new Sql(addingTo(table), [...key, difference]));
  }
}

const additions = new WeakMap<CountTable, readonly string[]>();

/** The SQL around the values of the key and the difference. Computed once for each table: every write has some. */
function addingTo(table: CountTable): readonly string[] {
  let addition = additions.get(table);
  if (!addition) {
    const { name, key } = table;
    const columns = key.join(', ');
    const start = `insert into ${name} (${columns}, count) values (`;
    const end = `) on conflict (${columns}) do update set count = ${name}.count + excluded.count`;
    addition = [start, ...key.map(() => ', '), end];
    additions.set(table, addition);
  }
  return addition;
}
