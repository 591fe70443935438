// Rows that refer to stored files: bytes to which none refers are deleted.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { all, type Database, execute, type Reader, type Transaction, text } from '#sql';
import { allTables } from '../all-tables.ts';
import { chunks } from '../chunks.ts';
import { once } from '../feature.ts';
import { addDays, now } from '../instant.ts';
import { addJobs, doJobs, type Gallery } from '../jobs/jobs.ts';
import type { FileStore } from './store.ts';
import type { Size } from './stored-files.ts';

const hashColumn = { hash: text(sql`distinct hash`) };

/** Each of their rows refers to a stored file. */
const fileTables = once(() => allTables().filter(({ columns }) => 'hash' in columns && 'bytes' in columns));

/** Those of the hashes that a file, an avatar, a site's logo, the public dump, the archive of changes or a feature has. */
export async function findUsedHashes(reader: Reader, hashes: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (const chunk of chunks(hashes)) {
    const parts = fileTables().map(
      ({ name }) => sql`select hash from ${raw(name)} where hash in (${join(chunk)})`,
    );
    const rows = await all(reader, hashColumn)`from (${join(parts, ' union all ')}
        union all select substr(value, 1, 64) as hash from site_setting where name = 'logo') as used`;
    for (const { hash } of rows) used.add(hash);
  }
  return used;
}

/** Rows that refer to files: when the last one is gone, the bytes are deleted, at least a day after they were stored. */
export async function deleteReferences(
  transaction: Transaction,
  table: string,
  condition: Sql,
): Promise<void> {
  const rows = sql`from ${raw(table)} where ${condition}`;
  await addJobs(transaction, 'unused_file', sql`select distinct hash as name ${rows} and hash is not null`);
  await execute(transaction)`delete ${rows}`;
}

/**
 * Call it before bytes are stored: if no row refers to them a day later, because the request failed or the process was
 * killed, they are deleted.
 */
export const expectReference = (database: Database, hashes: readonly string[]): Promise<void> =>
  database.transaction((transaction) =>
    addJobs(
      transaction,
      'unused_file',
      join(
        [...new Set(hashes)].map((hash) => sql`select ${hash} as name`),
        ' union all ',
      ),
      addDays(now(), 1),
    ),
  );

/** After uploads that failed, and rows that are gone: how many files may be in the store until they are a day old. */
export async function countUnusedFiles(reader: Reader): Promise<number> {
  const rows = await all(reader, { name: text() })`from job where kind = 'unused_file'`;
  const names = rows.map(({ name }) => name);
  return names.length - (await findUsedHashes(reader, names)).size;
}

/** Each waits for the store. */
const filesAtATime = 8;

export const deleteUnusedFiles = ({ database, files }: Gallery) =>
  doJobs(database, 'unused_file', ({ name }) => deleteUnusedFile(database, files, name), {
    maxJobs: 1000,
    atATime: filesAtATime,
  });

/** Deletes the bytes of a file that nothing refers to. If they were stored less than a day ago, it is looked at again. */
async function deleteUnusedFile(database: Database, files: FileStore, hash: string) {
  if ((await findUsedHashes(database, [hash])).has(hash)) return 'done';
  return (await files.removeOld(hash, Date.now() - graceMs)) ? 'done' : addDays(now(), 1);
}

/** Longer than any request or import between writing bytes and committing the rows that refer to them. */
export const graceMs = 24 * 3600_000;

export async function isAnyMissing(files: FileStore, sizes: readonly Pick<Size, 'hash' | 'bytes'>[]) {
  for (const { hash, bytes } of sizes) if ((await files.size(hash)) !== bytes) return true;
  return false;
}
