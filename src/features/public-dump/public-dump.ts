// The public dump: a compressed file of what visitors may see, so that nobody needs to crawl the gallery. It is stored
// like an uploaded file.

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import sql from 'sql-template-tag';
import { privateFileMode } from '#common/private-files.ts';
import { type Database, first, type Reader, type RowOf } from '#sql';
import { hashFile } from '../../core/files/hash.ts';
import { deleteReferences, expectReference } from '../../core/files/references.ts';
import type { FileStore } from '../../core/files/store.ts';
import { now } from '../../core/instant.ts';
import { publicDumpTable } from './tables.ts';

/** Projects that were hidden since are in it: an older dump is deleted if no newer one is made. */
const maxAge = 8 * 24 * 3600 * 1_000_000;

type PublicDump = RowOf<typeof publicDumpTable.columns>;

export const findPublicDump = (reader: Reader): Promise<PublicDump | undefined> =>
  first(reader, publicDumpTable.columns)`from public_dump where created > ${now() - maxAge}`;

/** Replaces the dump. Each batch is the records of some projects. */
export async function savePublicDump(
  { database, files }: { readonly database: Database; readonly files: FileStore },
  batches: AsyncIterable<readonly object[]>,
): Promise<PublicDump> {
  const created = now();
  const path = join(tmpdir(), `vitrine-${crypto.randomUUID()}`);
  let projects = 0;
  async function* generateLines() {
    for await (const records of batches) {
      projects += records.length;
      yield records.map((record) => `${JSON.stringify(record)}\n`).join('');
    }
  }
  try {
    const target = createWriteStream(path, { flags: 'wx', mode: privateFileMode });
    await pipeline(Readable.from(generateLines()), createGzip(), target);
    const { sha256: hash, bytes } = await hashFile(path);
    const dump = { hash, bytes, projects, created };
    await expectReference(database, [hash]);
    await files.put(hash, Bun.file(path));
    await database.transaction(async (transaction) => {
      await deleteReferences(transaction, 'public_dump', sql`1 = 1`);
      await transaction.insert(publicDumpTable, [dump]);
    });
    return dump;
  } finally {
    await rm(path, { force: true });
  }
}

export const deleteOldPublicDump = (database: Database): Promise<void> =>
  database.transaction((transaction) =>
    deleteReferences(transaction, 'public_dump', sql`created <= ${now() - maxAge}`),
  );
