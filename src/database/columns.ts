// Columns of tables and of query results. A column knows the SQL that computes it and the type of its values, so that
// the type of a row follows from its columns.

import { raw, type Sql } from 'sql-template-tag';

export type Value = string | number | null;

export class Column<Type = Value> {
  /** For the compiler only. */
  declare readonly type: Type;

  constructor(
    /** PostgreSQL's client returns 64-bit integers as text; all of ours fit a JavaScript number. */
    readonly storage: 'integer' | 'text',
    /** Undefined until the column is part of a table. */
    readonly sql?: Sql,
  ) {}

  /** The same column, for code that knows more about its values than the database. */
  narrow<Narrow extends Type>(): Column<Narrow> {
    return new Column<Narrow>(this.storage, this.sql);
  }
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type ColumnsOf<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: C[Name]['type'] };

/** Without an expression: a column of a table, for `table()`. */
export const integer = (expression?: Sql): Column<number> => new Column('integer', expression);
export const text = (expression?: Sql): Column<string> => new Column('text', expression);
export const nullable = <Type>({ storage, sql }: Column<Type>): Column<Type | null> =>
  new Column(storage, sql);

export interface Table<C extends Columns = Columns, Key extends string = string> {
  readonly name: string;
  readonly key: readonly Key[];
  readonly columns: C;
}

export type Row<T extends Table> = RowOf<T['columns']>;

export function table<const C extends Columns, const Key extends keyof C & string>(
  name: string,
  key: readonly Key[],
  columns: C,
): Table<C, Key> {
  return { name, key, columns: mapColumns(columns, (column) => raw(column)) };
}

/** The same columns, with the name or alias of their table: for joins. */
export function qualify<C extends Columns>(alias: string, columns: C): C {
  return mapColumns(columns, (column) => raw(`${alias}.${column}`));
}

/** The columns of these names. */
export function pick<C extends Columns, Name extends keyof C>(columns: C, ...names: Name[]): Pick<C, Name> {
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<C, Name>;
}

function mapColumns<C extends Columns>(columns: C, toSql: (name: string) => Sql): C {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { storage }]) => [name, new Column(storage, toSql(name))]),
  ) as C;
}

/** A statement and the columns of the rows that it returns. */
export interface Query<Row> {
  readonly statement: Sql;
  readonly columns: ColumnsOf<Row>;
}
