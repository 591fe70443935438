import type { Rebuilds } from '../database.ts';

/** How the two databases differ in the statements that create tables. */
export interface Dialect {
  readonly integer: string;
  /** Text that is compared by code point. */
  readonly text: string;
  /** A primary key for rows that users create: ids rise and are never reused. */
  readonly identity: string;
  /** Creates `project_search`, which `Database.searchCondition` queries. */
  readonly searchTable: readonly string[];
  /** Creates `earlier_project`, and the triggers that fill it. */
  readonly earlierProjectTable: readonly string[];
  /** Creates the queue of changes, on PostgreSQL. */
  readonly changeQueue: readonly string[];
  /** For people: the time in a column of microseconds. */
  readableTime(column: string): string;
}

/**
 * The schema that the declarations of the tables describe. A new gallery and one of 0.1.0 get it at once, so that
 * neither needs the migrations between. The SQL of those stays as it is when a table changes again.
 */
export const newest = 52;

export interface Migration {
  /** The number of the schema that it changes, and of the one that it makes. */
  readonly from: number;
  readonly to: number;
  readonly name: string;
  statements(dialect: Dialect): readonly string[];
  /** Derived data to rebuild once all migrations are done. */
  readonly rebuilds?: readonly (keyof Rebuilds)[];
}
