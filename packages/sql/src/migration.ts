// What a migration is, and how it becomes statements.

import type { JsonMember, Rebuilds } from './database.ts';

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

/**
 * The schema that the declarations of the tables describe. A new gallery and one of 0.1.0 get it at once, so that
 * neither needs the migrations between. The SQL of those stays as it is when a table changes again.
 */
export const newest = 57;

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
  /** Derived data to rebuild once all migrations are done. */
  readonly rebuilds?: readonly (keyof Rebuilds)[];
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
