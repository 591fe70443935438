// Imports a dump in one transaction, so that a wrong line, Ctrl-C or a kill leaves nothing behind. Holds a batch of
// lines in memory, never the whole file.

import sql from 'sql-template-tag';
import type { Database, Reader } from '../../database/open.ts';
import { exists } from '../../database/query.ts';
import type { FileStore } from '../../files/open.ts';
import { lockChangeLog } from '../changes/next-id.ts';
import { ImportContext } from './import-context.ts';
import type { ImportedLine, LineKind } from './kind.ts';
import { bytesKind } from './kinds/bytes.ts';
import { lineKinds } from './kinds/index.ts';
import { parseLine } from './parse-line.ts';
import { splitLines } from './split-lines.ts';

const defaultBatchSize = 500;

type ImportCounts = ImportContext['counts'] & {
  /** Changes of the dump that the gallery did not take over, because it has a change log of its own. */
  readonly leftOutChanges: number;
};

interface ImportOptions {
  /** In a gallery that has accounts, lines may change accounts and keys. */
  readonly replacesAccounts?: boolean;
}

/** `name` is the file's name in messages. */
export function importDump(
  database: Database,
  files: FileStore,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  { replacesAccounts = false }: ImportOptions = {},
): Promise<ImportCounts> {
  return database.bulkLoad(async (transaction) =>
    importLines(await ImportContext.begin(transaction, files, name, replacesAccounts), bytes),
  );
}

/** Imports into a gallery without contributors; returns false if there are any. */
export async function importIntoEmptyGallery(
  database: Database,
  files: FileStore,
  name: string,
  text: string,
): Promise<boolean> {
  const hasContributors = (reader: Reader) => exists(reader, sql`from contributor`);
  if (await hasContributors(database)) return false;
  return database.transaction(async (transaction) => {
    await lockChangeLog(transaction);
    if (await hasContributors(transaction)) return false;
    const context = await ImportContext.begin(transaction, files, name, false);
    await importLines(context, new Blob([text]).stream());
    return true;
  });
}

async function importLines(context: ImportContext, chunks: AsyncIterable<Uint8Array>): Promise<ImportCounts> {
  // All lines of a batch have the same kind, so that their order is kept.
  let batch: ImportedLine<unknown>[] = [];
  let kindOfBatch: LineKind | undefined;
  const refuse = (line: number, reason: string) => context.refuse(line, reason);
  for await (const { lines, bytes } of splitLines(chunks, refuse)) {
    for (const text of lines) {
      const lineNumber = ++context.lineNumber;
      const parsed = parseLine(text);
      if (typeof parsed === 'string') context.refuse(lineNumber, parsed);
      const { kind, entry } = parsed;
      if (kindOfBatch && kind !== kindOfBatch) {
        await importBatch(context, kindOfBatch, batch);
        batch = [];
      }
      kindOfBatch = kind;
      batch.push({ lineNumber, text, entry });
      if (batch.length === (kind.batchSize ?? defaultBatchSize)) {
        await importBatch(context, kind, batch);
        batch = [];
        kindOfBatch = undefined;
      }
    }
    context.frame.addBytes(bytes);
  }
  if (kindOfBatch) await importBatch(context, kindOfBatch, batch);
  context.frame.finish();
  for (const kind of lineKinds.toReversed()) await kind.finishImport?.(context);
  await context.log.finish();
  return { ...context.counts, leftOutChanges: context.log.leftOut };
}

async function importBatch(
  context: ImportContext,
  kind: LineKind,
  batch: readonly ImportedLine<unknown>[],
): Promise<void> {
  const lineNumber = batch[0]?.lineNumber ?? 0;
  context.frame.countLines(lineNumber, kind.format.type, batch.length);
  if (kind !== bytesKind) context.files.requireCompleteFile(lineNumber);
  await kind.importBatch(context, batch);
  await context.log.enter(kind, batch);
}
