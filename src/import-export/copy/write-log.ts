// The log of what is written in the old database while it is copied. Triggers fill it, so that writes
// of every process are in it.

import sql, { join, raw } from 'sql-template-tag';
import { OperatorError, Unavailable } from '../../common/errors.ts';
import { pick } from '../../database/columns.ts';
import { type CopyLogEntry, copyLogTable } from '../../database/copy-statements.ts';
import type { Database, Reader, Transaction } from '../../database/database.ts';
import { copyMarks } from '../../database/migrate.ts';
import { execute, executeAlone, exists, first } from '../../database/query.ts';
import { migrationTable } from '../../database/schema.ts';
import { chunks } from '../../gallery/chunks.ts';
import { readTable } from '../../gallery/listing/table-listing.ts';

const maxAttempts = 20;
const maxPauseMs = 500;

/** A busy server may hold a lock for longer than a transaction waits for it. */
export async function transactWhenFree<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
  hasLocks = () => false,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(work);
    } catch (error) {
      if (hasLocks() || !(error instanceof Unavailable) || attempt === maxAttempts) throw error;
      await Bun.sleep(Math.random() * maxPauseMs);
    }
  }
}

export async function runStatements(transaction: Transaction, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await transaction.run(raw(statement));
}

const hasLog = (database: Database, reader: Reader) => exists(reader, raw(database.copyStatements.findLog));

/** Replaces the log of an earlier run. The first entry names this run. */
export async function startLog(database: Database, run: string): Promise<void> {
  await transactWhenFree(database, async (transaction) => {
    await runStatements(transaction, database.copyStatements.startLog);
    await execute(transaction)`insert into copy_log (name, key) values ('', ${run})`;
  });
}

/** Removes a log that a killed run has left, or that of this run. */
export async function stopLog(database: Database): Promise<void> {
  if (!(await hasLog(database, database))) return;
  await transactWhenFree(database, (transaction) =>
    runStatements(transaction, database.copyStatements.stopLog),
  );
}

/** The entries so far, the oldest first. Throws if the log does not belong to this run any more. */
export async function* readLog(
  database: Database,
  reader: Reader,
  run: string,
): AsyncGenerator<CopyLogEntry[]> {
  const isOwn =
    (await hasLog(database, reader)) &&
    (await exists(reader, sql`from copy_log where name = '' and key = ${run}`));
  if (!isOwn)
    throw new OperatorError(
      'A server or another copy was started on the old database meanwhile, which has ended this copy: run it again.',
    );
  yield* readTable(reader, copyLogTable, copyLogTable.columns, sql`name <> ''`);
}

/** A little at a time, as the server writes too. Entries with smaller ids may have been committed meanwhile. */
export async function deleteEntries(database: Database, ids: readonly number[]): Promise<void> {
  for (const chunk of chunks(ids, 1000))
    await executeAlone(database)`delete from copy_log where id in (${join(chunk)})`;
}

// A mark says how far a copy has come. It is a row of the table `migration`, so that no server starts on a database that
// has one.

type Mark = keyof typeof copyMarks;

const nameColumn = pick(migrationTable.columns, 'name');

export async function readMark(reader: Reader, mark: Mark): Promise<string | undefined> {
  const row = await first(reader, nameColumn)`from migration where number = ${copyMarks[mark]}`;
  return row?.name;
}

export const setMark = (transaction: Transaction, mark: Mark, name: string): Promise<void> =>
  transaction.upsert(migrationTable, [{ number: copyMarks[mark], name }]);

export const removeMark = (transaction: Transaction, mark: Mark): Promise<void> =>
  execute(transaction)`delete from migration where number = ${copyMarks[mark]}`;
