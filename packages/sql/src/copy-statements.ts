// The SQL of `vitrine copy` that differs between databases: a log of the rows that are written meanwhile, and an end of
// all writes.

import { integer, table, text } from './columns.ts';

/** Each row names a row of another table that was written: its key is an array in JSON. */
export const copyLogTable = table('copy_log', ['id'], { id: integer(), name: text(), key: text() });

/** Statements in which the databases differ. Those of a list run in one transaction. */
export interface CopyStatements {
  /** Creates `copy_log`, and triggers that fill it. */
  readonly startLog: readonly string[];
  readonly stopLog: readonly string[];
  /** Begins with "from", and has a row if there is a `copy_log`. */
  readonly findLog: string;
  /** Until the end of the transaction, nobody else writes. Reads go on. First everything except the change log and counts. */
  readonly holdWrites: readonly string[];
  readonly holdChanges: readonly string[];
  /** From now on, every write fails as unavailable. */
  readonly refuseWrites: readonly string[];
  readonly allowWrites: readonly string[];
  /** Lets `deferForeignKeys` work, until `enforceForeignKeys`. */
  readonly relaxForeignKeys: readonly string[];
  readonly enforceForeignKeys: readonly string[];
  /** Foreign keys are checked at the end of this transaction only. */
  readonly deferForeignKeys: readonly string[];
}
