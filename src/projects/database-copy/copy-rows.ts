// Copies the rows of all tables, and then those that were written meanwhile. Each transaction on the new database makes
// it equal to one snapshot of the old one.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { OperatorError, Unavailable } from '#common/errors.ts';
import {
  all,
  type Database,
  execute,
  executeAlone,
  exists,
  first,
  pick,
  type Reader,
  searchTableName,
  type Table,
  type Transaction,
  type Value,
} from '#sql';
import { copyLogTable, copyMarks, migrationTable } from '#sql/open';
import { allTables } from '../../core/all-tables.ts';
import { changeTable } from '../../core/changes/tables.ts';
import { chunks } from '../../core/chunks.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import { loadSearchEntries, rebuildAllSearchEntries } from '../searching/search-words.ts';
import { projectTable, suggestionWordTable, tagTable } from '../tables.ts';

export interface Copying {
  readonly from: Database;
  readonly to: Database;
  /** The id of this run. */
  readonly run: string;
}

/** Their indexes are built after they are filled. */
const largeTables: readonly Table[] = [projectTable, tagTable, suggestionWordTable, changeTable];
const rowsPerQuery = 200;

/** `report` receives the number of rows so far. */
export function copyRows({ from, to, run }: Copying, report: (rows: number) => void): Promise<void> {
  return from.snapshot((reader) =>
    to.bulkLoad(async (transaction) => {
      await requireOwn(transaction, run);
      await runStatements(transaction, to.copyStatements.relaxForeignKeys);
      let copied = 0;
      for (const table of allTables()) {
        if (table.key.length === 0) await transaction.run(raw(`delete from ${table.name}`));
        const restore = largeTables.includes(table) ? await transaction.dropIndexes(table) : undefined;
        for await (const rows of readTable(reader, table, table.columns, sql`1 = 1`)) {
          await transaction.insert(table, rows);
          copied += rows.length;
          report(copied);
        }
        await restore?.();
      }
      const restore = await transaction.dropIndexes({ name: searchTableName });
      await rebuildAllSearchEntries(transaction);
      await restore();
      for (const table of allTables()) await transaction.updateStatistics(table);
    }),
  );
}

/** Another run may have begun with the same new database. */
async function requireOwn(transaction: Transaction, run: string): Promise<void> {
  if ((await loadMark(transaction, 'unfinished')) !== run)
    throw new OperatorError('Another vitrine copy uses the new database.');
}

/** Makes the new database equal to what `reader` sees. Returns the ids of the entries of the log that are done with. */
export function copyWrittenRows({ from, to, run }: Copying, reader: Reader): Promise<number[]> {
  return to.transaction(async (transaction) => {
    await requireOwn(transaction, run);
    await runStatements(transaction, to.copyStatements.deferForeignKeys);
    const ids: number[] = [];
    const keysByTable = new Map<string, Set<string>>();
    for await (const entries of readLog(from, reader, run))
      for (const { id, name, key } of entries) {
        ids.push(id);
        const keys = keysByTable.get(name);
        if (keys) keys.add(key);
        else keysByTable.set(name, new Set([key]));
      }
    const written = allTables().map((table) => ({ table, keys: keysByTable.get(table.name) ?? [] }));
    // All old rows go first: a new row may have what was unique to one of them.
    for (const { table, keys } of written)
      for (const chunk of chunks(keys, rowsPerQuery))
        await execute(transaction)`delete from ${raw(table.name)} where ${hasKey(table, chunk)}`;
    for (const { table, keys } of written)
      for (const chunk of chunks(keys, rowsPerQuery))
        await transaction.insert(
          table,
          await all(reader, table.columns)`from ${raw(table.name)} where ${hasKey(table, chunk)}`,
        );
    await copySearchEntries(transaction, keysByTable.get(projectTable.name) ?? []);
    return ids;
  });
}

/** Whatever changes the words of a project also writes to its row. */
async function copySearchEntries(transaction: Transaction, keys: Iterable<string>): Promise<void> {
  for (const chunk of chunks(keys, rowsPerQuery)) {
    const ids = chunk.map((key) => Number(parseKey(key)[0]));
    await transaction.deleteSearchWords(ids);
    await transaction.upsertSearchWords(
      await loadSearchEntries(transaction, sql`project.id in (${join(ids)})`),
    );
  }
}

const parseKey = (key: string): Value[] => JSON.parse(key);

function hasKey({ key: columns }: Table, keys: readonly string[]): Sql {
  if (columns.length === 0) return sql`1 = 1`;
  const conditions = keys.map((key) => {
    const values = parseKey(key);
    return sql`(${join(
      columns.map((column, index) => sql`${raw(column)} = ${values[index]}`),
      ' and ',
    )})`;
  });
  return join(conditions, ' or ');
}

// The log of what is written in the old database while it is copied. Triggers fill it, so that writes
// of every process are in it.

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
export async function* readLog(database: Database, reader: Reader, run: string) {
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

export async function loadMark(reader: Reader, mark: Mark): Promise<string | undefined> {
  const row = await first(reader, nameColumn)`from migration where number = ${copyMarks[mark]}`;
  return row?.name;
}

export const setMark = (transaction: Transaction, mark: Mark, name: string): Promise<void> =>
  transaction.upsert(migrationTable, [{ number: copyMarks[mark], name }]);

export const removeMark = (transaction: Transaction, mark: Mark): Promise<void> =>
  execute(transaction)`delete from migration where number = ${copyMarks[mark]}`;
