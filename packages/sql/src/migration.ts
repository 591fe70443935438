// The schema of a program and its migrations, and how those become statements.

import type { JsonMember, Table } from './columns.ts';

/** The schema of a program, and how the two databases differ in the statements that create it. */
export interface Dialect {
  readonly schema: Schema;
  readonly integer: string;
  /** Text that is compared by code point. */
  readonly text: string;
  /** A primary key for rows that users create: ids rise and are never reused. */
  readonly identity: string;
  /** Creates `project_search`, which `Database.searchCondition` queries. */
  readonly searchTable: readonly string[];
  /** Creates `earlier_project`, and the triggers that fill it from a table. */
  earlierProjectTable(table: Table): readonly string[];
  /** A query for the names of all tables. */
  readonly tableNames: string;
  /** Creates the queue of changes, on PostgreSQL. */
  readonly changeQueue: readonly string[];
  /** Whether migrations in steps run so, while servers go on. */
  readonly migratesInSteps: boolean;
  /** For people: the time in a column of microseconds. */
  readableTime(column: string): string;
  readonly jsonMember: JsonMember;
}

export interface FillStep {
  readonly kind: 'fill';
  readonly table: string;
  /** The first column of the primary key, a number: rows are taken in its order. */
  readonly key: string;
  readonly set: string;
  /** The rows that are not filled. */
  readonly rest: string;
}

export interface IndexStep {
  readonly kind: 'index';
  readonly table: string;
  /** As in the declaration of the table. */
  readonly index: string;
}

/** Statements that are done in a moment, and the earlier tables that they lock for it. */
interface LockingStep {
  /** `contract` drops what only programs before the schema `from` use. */
  readonly kind: 'expand' | 'contract';
  readonly locks: readonly string[];
  readonly statements: readonly string[];
}

export type Step = FillStep | IndexStep | LockingStep;

export interface Migration {
  /** The number of the schema that it changes, and of the one that it makes. */
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** Programs of the schema `from` go on meanwhile and afterwards: CONTRIBUTING.md says how to write them. */
  steps?(dialect: Dialect): readonly Step[];
  /** Up to schema 52: all in one transaction. */
  statements?(dialect: Dialect): readonly string[];
  /** The names of what is rebuilt once all migrations are done. */
  readonly rebuilds?: readonly string[];
}

/** The tables of a program, and how they came about. */
export interface Schema {
  /** The name of the program, for messages. Its first four letters mark the files of SQLite. */
  readonly program: string;
  /** A word for messages about a database of it, such as `gallery`. */
  readonly content: string;
  /** All tables, each after those to which its columns refer. */
  tables(): readonly Table[];
  /** Those of them that need no migration: they are made when the database is opened. */
  addedTables?(): readonly Table[];
  /**
   * The number of the schema that the tables describe. A new database gets it at once, so that it needs no migration. The SQL of
   * those stays as it is when a table changes again.
   */
  readonly newest: number;
  /** All that were released, in order. None of them makes a new database. */
  readonly migrations: readonly Migration[];
  readonly views?: Views;
  readonly notifications?: Notifications;
}

/** Made again after each migration, as no column of a view can be changed. */
interface Views {
  drop(): readonly string[];
  /** `readableTime` is the expression for a column of microseconds. */
  create(readableTime: (column: string) => string): readonly string[];
}

/** The notifications that are written together with the changes of which they tell. */
interface Notifications {
  /** Its columns are contributor, number, kind, subject, actor, created and is_read. */
  readonly table: Table;
  /** The condition that somebody gets notifications of a kind; both are expressions. */
  isWanted(contributor: string, kind: string): string;
}

/** Everything in one transaction: on SQLite, and after an earlier migration. */
export const statementsOf = ({ steps, statements }: Migration, dialect: Dialect): readonly string[] =>
  steps?.(dialect).flatMap(statementsOfStep) ?? statements?.(dialect) ?? [];

function statementsOfStep(step: Step): readonly string[] {
  if (step.kind === 'fill') return [`update ${step.table} set ${step.set} where ${step.rest}`];
  return step.kind === 'index' ? [createIndex(step.table, step.index)] : step.statements;
}

const indexPattern = /^(unique )?(\w+) (.*)$/s;

export const nameOfIndex = (index: string) => indexPattern.exec(index)?.[2] ?? '';

export function createIndex(table: string, index: string, mode: '' | 'concurrently ' = ''): string {
  const [, unique = '', name, columns] = indexPattern.exec(index) ?? [];
  return `create ${unique}index ${mode}${name} on ${table} ${columns}`;
}

/** Whether an index, of which the database has this definition, has few of the rows of its table. */
export const hasFewRows = (definition: string, { mostRows }: Pick<Table, 'mostRows'>): boolean =>
  / where /i.test(definition) && !(mostRows && definition.includes(mostRows));
