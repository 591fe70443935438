// Queries with the columns of their result: no caller names the type of a row.

import sql, { empty, join, type RawValue, raw, Sql } from 'sql-template-tag';
import { NotFound } from '../../common/src/errors.ts';
import { type Column, type ColumnsOf, integer, type Query, type Value } from './columns.ts';
import type { Database, Reader, Transaction } from './database.ts';

interface Selection {
  readonly list: Sql;
  /** "select" and the list. */
  readonly start: Sql;
  readonly integers: readonly string[];
}

const selections = new WeakMap<object, Selection>();

/** Computed once for each object of columns: those of frequent queries are constants. */
function selectionOf(columns: object): Selection {
  let selection = selections.get(columns);
  if (!selection) {
    const entries: [string, Column][] = Object.entries(columns);
    const expressions = entries.map(([name, { sql: expression }]) => {
      return !expression || expression.sql === name ? raw(name) : sql`${expression} as ${raw(name)}`;
    });
    const integers = entries.filter(([, { storage }]) => storage === 'integer').map(([name]) => name);
    const list = join(expressions, ', ');
    selection = { list, start: sql`select ${list}`, integers };
    selections.set(columns, selection);
  }
  return selection;
}

/** ` or (…)` for each condition. */
export const orAny = (conditions: readonly Sql[]): Sql =>
  conditions.length > 0 ? join(conditions, ') or (', ' or (', ')') : empty;

/** `from` begins with "from", `withClause` with "with". */
export function select<Row extends object>(columns: ColumnsOf<Row>, from: Sql, withClause?: Sql): Query<Row> {
  const { start } = selectionOf(columns);
  return { statement: withClause ? sql`${withClause} ${start} ${from}` : sql`${start} ${from}`, columns };
}

export function returning<Row extends object>(columns: ColumnsOf<Row>, statement: Sql): Query<Row> {
  return { statement: sql`${statement} returning ${selectionOf(columns).list}`, columns };
}

/** The names of the result's integers. */
export const integersOf = ({ columns }: Query<object>): readonly string[] => selectionOf(columns).integers;

type Template = [texts: TemplateStringsArray, ...values: RawValue[]];

// These select where they stand: first(reader, columns)`from project where id = ${id}`. A query that is made once, or
// that others build upon, comes from `select`.

export function all<Row extends object>(reader: Reader, columns: ColumnsOf<Row>) {
  return (...from: Template): Promise<Row[]> => reader.all(select(columns, sql(...from)));
}

export function first<Row extends object>(reader: Reader, columns: ColumnsOf<Row>) {
  return (...from: Template): Promise<Row | undefined> => reader.first(select(columns, sql(...from)));
}

/** A statement with other values, whose texts are joined only once. */
class RepeatedSql extends Sql {
  constructor(
    private readonly joined: Pick<Sql, 'sql' | 'text' | 'strings'>,
    values: Value[],
  ) {
    super(joined.strings, values);
  }

  override get sql(): string {
    return this.joined.sql;
  }

  override get text(): string {
    return this.joined.text;
  }
}

/** A frequent query that differs only in one value, which stands in it once. */
export function repeated<Row extends object, Type extends Value>(
  columns: ColumnsOf<Row>,
  example: NoInfer<Type>,
  fromFor: (value: Type) => Sql,
): (value: Type) => Query<Row> {
  const { sql, text, strings } = select(columns, fromFor(example)).statement;
  const joined = { sql, text, strings };
  return (value) => ({ statement: new RepeatedSql(joined, [value]), columns });
}

/** The row that a request is about. */
export function one<Row extends object>(reader: Reader, columns: ColumnsOf<Row>) {
  return async (...from: Template): Promise<Row> => {
    const row = await reader.first(select(columns, sql(...from)));
    if (!row) throw new NotFound();
    return row;
  };
}

/** Runs a statement where it stands: execute(transaction)`delete from project where id = ${id}`. */
export function execute(transaction: Transaction) {
  return (...statement: Template): Promise<void> => transaction.run(sql(...statement));
}

/** The same in a transaction of its own. */
export function executeAlone(database: Database) {
  return (...statement: Template): Promise<void> =>
    database.transaction((transaction) => transaction.run(sql(...statement)));
}

/** Returns columns of the row that the statement wrote, if it wrote one. */
export function executeReturning<Row extends object>(transaction: Transaction, columns: ColumnsOf<Row>) {
  return (...statement: Template): Promise<Row | undefined> =>
    transaction.runReturning(columns, sql(...statement));
}

const present = { present: integer(sql`1`) };

/** Whether there is a row; `from` begins with "from". */
export const exists = async (reader: Reader, from: Sql): Promise<boolean> =>
  (await first(reader, present)`${from} limit 1`) !== undefined;

const placeColumn = { place: integer() };

/** Which of the queries have a row; each begins with "from". */
export async function existEach(reader: Reader, queries: readonly Sql[]): Promise<boolean[]> {
  if (queries.length === 0) return [];
  const places = queries.map(
    (from, place) => sql`select ${raw(String(place))} as place where exists (select 1 ${from})`,
  );
  const found = await all(reader, placeColumn)`from (${join(places, ' union all ')}) as present`;
  return queries.map((_, index) => found.some(({ place }) => place === index));
}

const counted = { count: integer(sql`count(*)`) };

/** The number of rows; `from` begins with "from". */
export const count = async (reader: Reader, from: Sql): Promise<number> =>
  (await reader.first(select(counted, from)))?.count ?? 0;

/** The same, if there are not more than `limit`. */
export const countUpTo = (limit: number, reader: Reader, from: Sql): Promise<number> =>
  count(reader, sql`from (select 1 ${from} limit ${limit}) as counted`);

/** The rows of both queries, without duplicates. */
export function unionOf<Row extends object>(one: Query<Row>, other: Query<Row>): Query<Row> {
  return { ...one, statement: sql`${one.statement} union ${other.statement}` };
}
