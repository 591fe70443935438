import { Database as Connection, constants, SQLiteError } from 'bun:sqlite';
import { existsSync, constants as fs, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError, Unavailable } from '../../../common/src/errors.ts';
import {
  formatMegabytes,
  type InspectedSettings,
  type Inspection,
  inspectAccess,
  inspectDisk,
  inspectGallery,
  mergeInspections,
} from '../inspection.ts';
import { SqliteReader } from './connection.ts';
import { type EarlierCopy, findEarlierCopies } from './earlier-copies.ts';
import { damageAdvice, describeFailure, dialectOf, isDamage, isOwnFile } from './file.ts';

const minFreeBytes = 500_000_000;
/** The server keeps it below 64 MB, unless something reads for long. */
const maxLogBytes = 256_000_000;

const readAndWrite = fs.R_OK | fs.W_OK;

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export async function inspectSqlite(
  path: string,
  { schema, inspectMore }: InspectedSettings,
): Promise<Inspection> {
  const folder = dirname(path);
  if (!existsSync(folder)) throw new OperatorError(`The folder of the database ${path} does not exist.`);
  if (!existsSync(path)) {
    const disk = inspectDisk(folder, minFreeBytes);
    const missing = {
      problem: `There is no file ${path}.`,
      advice: `Check the path, unless the first start of the server is to make a new ${schema.content} there.`,
    };
    return mergeInspections([
      { facts: [], findings: [missing, ...inspectAccess(folder, readAndWrite)] },
      disk,
    ]);
  }
  let reader: SqliteReader | undefined;
  try {
    reader = new SqliteReader(openUnchanged(path));
    if (!(await isOwnFile(reader, path, schema))) throw new OperatorError(`The database ${path} is empty.`);
    const size = sizeOf(path);
    return mergeInspections([
      {
        facts: [formatMegabytes(size)],
        findings: [...inspectAccess(path, readAndWrite, '600'), ...inspectAccess(folder, readAndWrite)],
      },
      await inspectGallery(reader, dialectOf(schema), Date.now(), inspectMore),
      inspectLog(path),
      { facts: findEarlierCopies(path).map(describeCopy), findings: [] },
      inspectContent(reader),
      // An update or a VACUUM may need as much again.
      inspectDisk(folder, Math.max(minFreeBytes, size)),
    ]);
  } catch (error) {
    const cause = error instanceof Unavailable ? error.cause : error;
    if (cause instanceof SQLiteError && isDamage(cause)) return describeDamage(cause.message);
    throw cause instanceof SQLiteError ? new OperatorError(describeFailure(path, cause)) : error;
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

const describeCopy = ({ path, bytes, endsAt }: EarlierCopy) =>
  `a copy from before a migration in ${path} (${formatMegabytes(bytes)}), deleted on ${endsAt.toISOString().slice(0, 10)}`;

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
  const problem = `The database is damaged (${message.replace(/\.$/, '').replaceAll('\n', ' ')}).`;
  return { facts: [], findings: [{ problem, advice: `Look for a failing disk: ${damageAdvice}.` }] };
}
