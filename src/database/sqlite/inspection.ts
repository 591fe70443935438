import { Database as Connection, constants, SQLiteError } from 'bun:sqlite';
import { existsSync, constants as fs, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sql, { raw } from 'sql-template-tag';
import { OperatorError, Unavailable } from '../../common/errors.ts';
import {
  formatMegabytes,
  type Inspection,
  inspectAccess,
  inspectDisk,
  inspectGallery,
  mergeInspections,
} from '../inspection.ts';
import { describePlan } from '../migration-plan.ts';
import { count } from '../query.ts';
import { SqliteReader } from './connection.ts';
import { describeFailure, dialect, isVitrineFile } from './file.ts';

const minFreeBytes = 500_000_000;
/** The server keeps it below 64 MB, unless something reads for long. */
const maxLogBytes = 256_000_000;

const readAndWrite = fs.R_OK | fs.W_OK;

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export async function inspectSqlite(path: string): Promise<Inspection> {
  const folder = dirname(path);
  if (!existsSync(folder)) throw new OperatorError(`The folder of the database ${path} does not exist.`);
  if (!existsSync(path)) {
    const disk = inspectDisk(folder, minFreeBytes);
    const missing = {
      problem: `There is no file ${path}.`,
      advice: 'Check the path, unless the first start of the server is to make a new gallery there.',
    };
    return mergeInspections([
      { facts: [], findings: [missing, ...inspectAccess(folder, readAndWrite)] },
      disk,
    ]);
  }
  try {
    return await readUnchanged(path, async (reader) => {
      const size = sizeOf(path);
      return mergeInspections([
        {
          facts: [formatMegabytes(size)],
          findings: [...inspectAccess(path, readAndWrite, '600'), ...inspectAccess(folder, readAndWrite)],
        },
        await inspectGallery(reader, Date.now()),
        inspectLog(path),
        inspectContent(reader),
        // An update or a VACUUM may need as much again.
        inspectDisk(folder, Math.max(minFreeBytes, size)),
      ]);
    });
  } catch (error) {
    if (error instanceof SQLiteError && error.code === 'SQLITE_CORRUPT') return describeDamage(error.message);
    throw error instanceof SQLiteError ? new OperatorError(describeFailure(path, error)) : error;
  }
}

export async function planSqlite(path: string): Promise<string[]> {
  if (!existsSync(path)) throw new OperatorError(`There is no file ${path}.`);
  try {
    return await readUnchanged(path, (reader) =>
      describePlan({ reader, dialect, countRows: (table) => count(reader, sql`from ${raw(table)}`) }),
    );
  } catch (error) {
    throw error instanceof SQLiteError ? new OperatorError(describeFailure(path, error)) : error;
  }
}

/** Throws the errors of SQLite themselves. */
async function readUnchanged<Result>(
  path: string,
  read: (reader: SqliteReader) => Promise<Result>,
): Promise<Result> {
  let reader: SqliteReader | undefined;
  try {
    reader = new SqliteReader(openUnchanged(path));
    if (!(await isVitrineFile(reader, path))) throw new OperatorError(`The database ${path} is empty.`);
    return await read(reader);
  } catch (error) {
    throw error instanceof Unavailable ? error.cause : error;
  } finally {
    reader?.close();
  }
}

/** Without a write-ahead log nobody uses the database: opened as unchangeable, it leaves no files behind. */
function openUnchanged(path: string): Connection {
  const options = existsSync(`${path}-wal`) ? '' : '?immutable=1';
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Connection(pathToFileURL(resolve(path)).href + options, flags);
}

function inspectLog(path: string): Inspection {
  const bytes = sizeOf(`${path}-wal`);
  const facts = [`write-ahead log ${formatMegabytes(bytes)}`];
  if (bytes < maxLogBytes) return { facts, findings: [] };
  const problem = `The write-ahead log has ${formatMegabytes(bytes)}.`;
  const advice = 'Something reads since long ago: look for an export, a backup or sqlite3, and end it.';
  return { facts, findings: [{ problem, advice }] };
}

function inspectContent({ connection }: SqliteReader): Inspection {
  const rows = connection.query('pragma quick_check(3)').values();
  const messages = rows.map(([message]) => String(message));
  if (messages.join() === 'ok') return { facts: ['content sound'], findings: [] };
  return describeDamage(messages.join('; '));
}

function describeDamage(message: string): Inspection {
  const problem = `The file is damaged: ${message.replaceAll('\n', ' ')}.`;
  return { facts: [], findings: [{ problem, advice: 'Look for a failing disk, and restore a backup.' }] };
}
