// Opens a gallery's file for writing: checks that it is ours and writable, and migrates it.

import { Database as Connection, SQLiteError } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError, Unavailable } from '../errors.ts';
import { type Dialect, isCurrent, migrate, type Rebuilds } from './migrate.ts';
import { pragmas } from './sqlite-connection.ts';
import { searchTable } from './sqlite-search.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';

/** "Vitr" in the file's header marks the file as ours. */
const applicationId = 0x56697472;

const dialect: Dialect = {
  integer: 'integer',
  text: 'text',
  identity: 'integer primary key autoincrement',
  searchTable,
};

/** Creates the file if it does not exist. Throws an OperatorError that explains why the file cannot be used. */
export async function openFile(path: string, rebuilds: Rebuilds): Promise<SqliteTransaction> {
  if (path === '') throw new OperatorError('The database has no path.');
  if (!existsSync(dirname(path)))
    throw new OperatorError(`The folder of the database ${path} does not exist.`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OperatorError(`The database ${path} is a folder.`);
  }
  let writer: SqliteTransaction | undefined;
  try {
    writer = openWriter(path, true);
    const isVitrine = isVitrineFile(writer, path);
    if (!isVitrine || !(await isCurrent(writer))) await migrateFile(writer, rebuilds);
    return writer;
  } catch (error) {
    writer?.close();
    if (error instanceof SQLiteError) throw new OperatorError(describeFailure(path, error));
    if (error instanceof Unavailable && error.cause instanceof SQLiteError)
      throw new OperatorError(describeFailure(path, error.cause));
    throw error;
  }
}

export function openWriter(path: string, create: boolean): SqliteTransaction {
  const connection = new Connection(path, { create, readwrite: true });
  connection.run(pragmas);
  return new SqliteTransaction(connection);
}

/** False for an empty file; throws for a file of another program. */
function isVitrineFile(writer: SqliteTransaction, path: string): boolean {
  const { application_id } = writer.prepare('pragma application_id').get() as { application_id: number };
  if (application_id === applicationId) return true;
  const { tables } = writer.prepare('select count(*) as tables from sqlite_schema').get() as {
    tables: number;
  };
  if (application_id !== 0 || tables > 0) {
    throw new OperatorError(`The file ${path} is a database of another program.`);
  }
  return false;
}

async function migrateFile(writer: SqliteTransaction, rebuilds: Rebuilds): Promise<void> {
  const { connection } = writer;
  connection.run('pragma journal_mode = wal');
  connection.run('begin immediate');
  try {
    await migrate(writer, dialect, rebuilds);
    connection.run(`pragma application_id = ${applicationId}`);
    connection.run('commit');
  } finally {
    if (connection.inTransaction) connection.run('rollback');
  }
}

function describeFailure(path: string, error: SQLiteError): string {
  if (error.code === 'SQLITE_NOTADB') return `The file ${path} is not a database.`;
  if (error.code?.startsWith('SQLITE_BUSY')) return `The database ${path} is locked by another program.`;
  if (error.code?.startsWith('SQLITE_CANTOPEN'))
    return `The database ${path} cannot be opened: check that you may read and write it and its folder.`;
  if (error.code?.startsWith('SQLITE_READONLY'))
    return `The database ${path} cannot be written: check that you may write the file and its folder.`;
  return `The database ${path} cannot be used: ${error.message}.`;
}
