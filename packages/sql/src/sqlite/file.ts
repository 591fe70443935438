// Opens a file for writing: checks that it is ours and writable, and migrates it.

import { SQLiteError } from 'bun:sqlite';
import fs, { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import sql from 'sql-template-tag';
import { errorCode, OperatorError, StorageFull, Unavailable } from '../../../common/src/errors.ts';
import { createPrivateFile } from '../../../common/src/private-files.ts';
import { timeLimits } from '../../../common/src/time-limits.ts';
import { integer } from '../columns.ts';
import type { DatabaseDependencies } from '../database.ts';
import { describeMigration, isCurrent, migrate } from '../migrate.ts';
import type { Dialect, Schema } from '../migration.ts';
import { exists } from '../query.ts';
import { isBusy, jsonMember, openConnection, SqliteReader } from './connection.ts';
import { copyBeforeMigration } from './earlier-copies.ts';
import { earlierProjectTable } from './earlier-rows.ts';
import { searchTable } from './search.ts';
import { SqliteTransaction } from './transaction.ts';
import { cutWriteAheadLog } from './write-ahead-log.ts';

/** The first four letters of the program in the file's header, such as "Vitr", mark the file as ours. */
const applicationIdOf = ({ program }: Schema) => Buffer.from(program.padEnd(4)).readInt32BE();

/** A larger write-ahead log may be what a killed import has left. */
const maxLogBytes = 64 * 1024 * 1024;

/** How often the lock of the file is waited for before a migration. */
const migrationAttempts = 12;

/** Many times what SQLite needs to open the file. */
const minFreeBytes = 256 * 1024;

export const dialectOf = (schema: Schema): Dialect => ({
  schema,
  integer: 'integer',
  text: 'text',
  // Before 1970, the remainder of a division is negative.
  readableTime(column) {
    const microseconds = `(${column} % 1000000 + 1000000) % 1000000`;
    const seconds = `strftime('%Y-%m-%dT%H:%M:%S', (${column} - ${microseconds}) / 1000000, 'unixepoch')`;
    return `${seconds} || printf('.%06dZ', ${microseconds})`;
  },
  jsonMember,
  migratesInSteps: false,
  identity: 'integer primary key autoincrement',
  tableNames: "select name from sqlite_schema where type = 'table'",
  searchTable,
  earlierProjectTable,
  changeQueue: [],
});

/** Creates the file if it does not exist, unless it must. Throws an OperatorError that explains why the file cannot be used. */
export async function openFile(path: string, deps: DatabaseDependencies): Promise<SqliteReader> {
  if (path === '') throw new OperatorError('The database has no path.');
  if (!existsSync(dirname(path)))
    throw new OperatorError(`The folder of the database ${path} does not exist.`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`The database ${path} is a folder.`);
  let writer: SqliteReader | undefined;
  try {
    if (deps.mustExist && !existsSync(path)) throw new OperatorError(`There is no file ${path}.`);
    writer = openWriter(path, true);
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes)
      cutWriteAheadLog(path, writer.connection);
    const isOwn = await isOwnFile(writer, path, deps.schema);
    if (deps.mustExist && !isOwn)
      throw new OperatorError(`There is no ${deps.schema.content} in the file ${path}.`);
    if (!isOwn || !(await isCurrent(writer, dialectOf(deps.schema)))) await migrateFile(path, writer, deps);
    return writer;
  } catch (error) {
    writer?.close();
    if (error instanceof StorageFull)
      throw new OperatorError(
        `The disk of the database ${path} is full: at least ${minFreeBytes / 1024} KiB must be free.`,
      );
    if (error instanceof SQLiteError) throw new OperatorError(describeFailure(path, error));
    if (error instanceof Unavailable && error.cause instanceof SQLiteError)
      throw new OperatorError(describeFailure(path, error.cause));
    throw error;
  }
}

/** Throws StorageFull if there is too little room to open the file safely. */
export function openWriter(path: string, create: boolean): SqliteReader {
  requireFreeSpace(dirname(path));
  if (create && !existsSync(path)) createFile(path);
  return new SqliteReader(openConnection(path, { create, readwrite: true }));
}

/** SQLite gives the files `-wal` and `-shm` the mode of the database. It reports itself if the file cannot be created. */
function createFile(path: string): void {
  try {
    createPrivateFile(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/**
 * Each opening creates the file `-shm`, which SQLite maps into memory. On a full disk whose blocks are smaller than
 * 4 KiB, the first write to that memory finds no block, and the system kills the process (SIGBUS).
 */
function requireFreeSpace(folder: string): void {
  const { blocks, bavail, bsize } = fs.statfsSync(folder);
  // Some network file systems report no size at all.
  if (blocks > 0 && bavail * bsize < minFreeBytes)
    throw new StorageFull(`fewer than ${minFreeBytes} bytes are free on the disk of the database`);
}

/** False for an empty file; throws for a file of another program. */
export async function isOwnFile(writer: SqliteReader, path: string, schema: Schema): Promise<boolean> {
  const columns = { application_id: integer() };
  // Read first: another process may be creating the tables, and sets the id together with them.
  const hasTables = await exists(writer, sql`from sqlite_schema`);
  const id = writer.firstNow({ statement: sql`pragma application_id`, columns })?.application_id;
  if (id === applicationIdOf(schema)) return true;
  if (id !== 0 || hasTables) throw new OperatorError(`The file ${path} is a database of another program.`);
  return false;
}

async function migrateFile(path: string, writer: SqliteReader, deps: DatabaseDependencies): Promise<void> {
  const { connection } = writer;
  await retryWhileBusy(timeLimits.lock, () => connection.run('pragma journal_mode = wal'));
  // Another process may be migrating, and copies the file before.
  await retryWhileBusy(migrationAttempts * timeLimits.lock, () => connection.run('begin immediate'));
  try {
    const { schema, earlierSchema, notify } = deps;
    const startedAt = performance.now();
    let copied = 'No copy of before was kept.';
    const { migratedFrom } = await migrate(
      new SqliteTransaction(writer, schema),
      dialectOf(schema),
      deps,
      async (applied) => {
        if (typeof earlierSchema === 'object' && earlierSchema.keepsCopy)
          copied = copyBeforeMigration(path, applied);
      },
    );
    connection.run(`pragma application_id = ${applicationIdOf(schema)}`);
    connection.run('commit');
    if (migratedFrom !== undefined)
      notify(`${describeMigration(migratedFrom, schema.newest, startedAt)} ${copied}`);
  } finally {
    if (connection.inTransaction) connection.run('rollback');
  }
}

/** For a change of the mode, SQLite does not wait for another process that opens the new file at the same time. */
async function retryWhileBusy(ms: number, work: () => void): Promise<void> {
  for (const end = performance.now() + ms; ; await Bun.sleep(10)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
  }
}

/** Whether SQLite has found a part of the file that cannot be as it is. */
export const isDamage = (error: unknown): boolean => errorCode(error)?.startsWith('SQLITE_CORRUPT') === true;

export const damageAdvice =
  'stop the server, set the file aside with its -wal, restore a backup in its place, and start the server';

export function describeFailure(path: string, error: SQLiteError): string {
  if (error.code === 'SQLITE_NOTADB') return `The file ${path} is not a database.`;
  if (error.code?.startsWith('SQLITE_BUSY')) return `The database ${path} is locked by another program.`;
  if (error.code?.startsWith('SQLITE_CANTOPEN'))
    return `The database ${path} cannot be opened: check that you may read and write it and its folder.`;
  if (isDamage(error)) return `The database ${path} is damaged: ${damageAdvice}.`;
  if (error.code?.startsWith('SQLITE_READONLY'))
    return `The database ${path} cannot be written: check that you may write the file and its folder.`;
  return `The database ${path} cannot be used: ${error.message}.`;
}
