import { raw, Sql } from 'sql-template-tag';
import { type Columns, integer, type Table, type Value } from '../../database/columns.ts';
import type { Transaction } from '../../database/open.ts';

/** A table of stored counts: its key, and the column `count`. */
type CountTable<Column extends string = string> = Pick<Table<Columns, Column>, 'name' | 'key'>;

interface CountLimit {
  readonly max: number;
  createError(): Error;
}

const countColumn = { count: integer(raw('count')) };

interface CountChange {
  readonly table: CountTable;
  readonly key: readonly Value[];
  difference: number;
}

/** Collects what a transaction adds to stored counts or subtracts from them. */
export class StoredCountChanges {
  readonly #changes = new Map<string, CountChange>();
  readonly #limits = new Map<string, CountLimit>();

  add<Column extends string>(
    table: CountTable<Column>,
    row: Readonly<Record<Column, Value>>,
    difference: number,
  ): void {
    const { id, key } = identify(table, row);
    const existing = this.#changes.get(id);
    if (existing) existing.difference += difference;
    else this.#changes.set(id, { table, key, difference });
  }

  /** Makes `store` fail if it raises the count above the maximum. */
  limit<Column extends string>(
    table: CountTable<Column>,
    row: Readonly<Record<Column, Value>>,
    max: number,
    createError: () => Error,
  ): void {
    this.#limits.set(identify(table, row).id, { max, createError });
  }

  /**
   * Call it at the end of the transaction: every writer updates these rows, so their locks must be short. The fixed
   * order prevents deadlocks. Returns a limit that the counts exceed.
   */
  async store(transaction: Transaction): Promise<CountLimit | undefined> {
    const changes = [...this.#changes]
      .filter(([, { difference }]) => difference !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const exceeded = await Promise.all(
      changes.map(async ([id, { table, key, difference }]) => {
        const statement = new Sql(addingTo(table), [...key, difference]);
        const limit = difference > 0 ? this.#limits.get(id) : undefined;
        if (!limit) return transaction.run(statement).then(() => undefined);
        const stored = await transaction.runReturning(countColumn, statement);
        return stored && stored.count > limit.max ? limit : undefined;
      }),
    );
    return exceeded.find((limit) => limit !== undefined);
  }
}

function identify<Column extends string>(table: CountTable<Column>, row: Readonly<Record<Column, Value>>) {
  const key = table.key.map((column) => row[column]);
  return { key, id: JSON.stringify([table.name, key]) };
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
