// Columns of tables and of query results. A column knows the SQL that computes it and the type of its values, so that
// the type of a row follows from its columns.

import { raw, type Sql } from 'sql-template-tag';

export type Value = string | number | null;

/** The rules of a table for the values in a column. */
interface Constraints {
  /** The table to which it refers: its value is the first column of the key there. */
  readonly target?: Table;
  /** Whether the database checks the reference: true by default. */
  readonly isForeignKey?: boolean;
  readonly isNullable?: boolean;
  readonly isUnique?: boolean;
  /** The database counts the ids up, and never uses one again. */
  readonly isIdentity?: boolean;
  readonly default?: number;
  /** The smallest and the largest value. */
  readonly range?: readonly [number, number];
}

export class Column<Type = Value> {
  /** For the compiler only. */
  declare readonly type: Type;

  constructor(
    /** PostgreSQL's client returns 64-bit integers as text; all of ours fit a JavaScript number. */
    readonly storage: 'integer' | 'text',
    /** Undefined until the column is part of a table. */
    readonly sql?: Sql,
    readonly constraints: Constraints = {},
  ) {}

  /** The same column, for code that knows more about its values than the database. */
  narrow<Narrow extends Type>(): Column<Narrow> {
    return new Column<Narrow>(this.storage, this.sql, this.constraints);
  }
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type ColumnsOf<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: C[Name]['type'] };

/** Without an expression: a column of a table, for `table()`. */
export const integer = (expression?: Sql): Column<number> => new Column('integer', expression);
export const text = (expression?: Sql): Column<string> => new Column('text', expression);
/** The id of rows that users create. */
export const identity = (): Column<number> => new Column('integer', undefined, { isIdentity: true });
/** The first column of the key of a table that is declared before. */
export const reference = (target: Table): Column<number> => new Column('integer', undefined, { target });
export const nullable = <Type>(column: Column<Type>): Column<Type | null> =>
  constrain<Type | null>(column, { isNullable: true });

/** The same column with more constraints. */
export const constrain = <Type>(
  { storage, sql, constraints }: Column<Type>,
  more: Constraints,
): Column<Type> => new Column(storage, sql, { ...constraints, ...more });

/** Rows as they were before their last changes are kept: see earlier-rows.ts. */
export interface EarlierRows {
  /** The columns that listings filter and sort by. */
  readonly columns: readonly string[];
  /** The condition that a row is in listings; `row` is its alias. */
  isListed(row: string): string;
}

/** A program may declare more of them. */
export interface TableOptions {
  /**
   * The kind of its changes, for a table whose rows are deleted: only the change log keeps the ids of those rows, which
   * are not used again.
   */
  readonly loggedAs?: string;
  /** A name and columns, as in `tag_by_key (tag_key)`; with `unique` before them, no two rows are alike. */
  readonly indexes?: readonly string[];
  /**
   * Writes add to its column `count`, many at a time. A count that is limited may have a limit; its key is an id and a text.
   * Functions of PostgreSQL name these tables: a migration that adds one makes them again.
   */
  readonly counts?: 'unlimited' | 'limited';
  /** Its rows are found by words. Only a table `project` can be searched, and keep earlier rows. */
  readonly isSearched?: true;
  readonly earlier?: EarlierRows;
  /** The condition that most rows meet: an index with it is dropped for a bulk load, although it is partial. */
  readonly mostRows?: string;
  /** The row of a new database: the columns and values of the insert. */
  readonly firstRow?: string;
}

export interface Table<C extends Columns = Columns, Key extends string = string> extends TableOptions {
  readonly name: string;
  readonly key: readonly Key[];
  readonly columns: C;
}

export type Row<T extends Table> = RowOf<T['columns']>;

export const table = <const C extends Columns, const Key extends keyof C & string>(
  name: string,
  key: readonly Key[],
  columns: C,
  options?: TableOptions,
): Table<C, Key> => ({ ...options, name, key, columns: mapColumns(columns, (column) => raw(column)) });

/** The same columns, with the name or alias of their table: for joins. */
export const qualify = <C extends Columns>(alias: string, columns: C): C =>
  mapColumns(columns, (column) => raw(`${alias}.${column}`));

/** The columns of these names. */
export const pick = <C extends Columns, Name extends keyof C>(columns: C, ...names: Name[]): Pick<C, Name> =>
  Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<C, Name>;

/** All other columns. */
export const omit = <C extends Columns, Name extends keyof C>(columns: C, ...names: Name[]): Omit<C, Name> =>
  Object.fromEntries(
    Object.entries(columns).filter(([name]) => !names.some((omitted) => omitted === name)),
  ) as Omit<C, Name>;

const mapColumns = <C extends Columns>(columns: C, toSql: (name: string) => Sql): C =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { storage, constraints }]) => [
      name,
      new Column(storage, toSql(name), constraints),
    ]),
  ) as C;

/** A statement and the columns of the rows that it returns. */
export interface Query<Row> {
  readonly statement: Sql;
  readonly columns: ColumnsOf<Row>;
}

/** The expression for a member of the object that a column has as JSON, as text. Null without it, and without an object. */
export type JsonMember = (column: string, name: string) => string;

/** Imported ids may be higher, but new ids do not continue from those: soon there would be no higher ones. */
export const maxSequentialId = 2 ** 52;
