import type { Columns, Table, Value } from '../../database/columns.ts';
import type { CountChange, CountLimit } from '../../database/database.ts';

/** A table of stored counts: its key, and the column `count`. */
type CountTable<Column extends string> = Table<Columns, Column>;

/** Collects what a transaction adds to stored counts or subtracts from them. */
export class StoredCountChanges {
  readonly #changes = new Map<string, CountChange>();
  readonly #limits = new Map<string, CountLimit>();

  add<Column extends string>(
    table: CountTable<Column>,
    row: Readonly<Record<Column, Value>>,
    difference: number,
  ): void {
    const key = identify(table, row);
    const before = this.#changes.get(key)?.difference ?? 0;
    const keyRow = Object.fromEntries(table.key.map((column) => [column, row[column]]));
    this.#changes.set(key, { table, row: keyRow, difference: before + difference });
  }

  /** Makes the transaction fail if it raises the count above the maximum. */
  limit<Column extends string>(
    table: CountTable<Column>,
    row: Readonly<Record<Column, Value>>,
    max: number,
    createError: () => Error,
  ): void {
    this.#limits.set(identify(table, row), { max, createError });
  }

  /** In a fixed order, which prevents deadlocks. */
  list(): CountChange[] {
    return [...this.#changes]
      .filter(([, { difference }]) => difference !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, change]) => ({ ...change, limit: this.#limits.get(key) }));
  }
}

function identify<Column extends string>(
  table: CountTable<Column>,
  row: Readonly<Record<Column, Value>>,
): string {
  return JSON.stringify([table.name, table.key.map((column) => row[column])]);
}
