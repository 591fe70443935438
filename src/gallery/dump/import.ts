// Imports a dump in one transaction, so that a wrong line, Ctrl-C or a kill leaves nothing behind. Holds a batch of
// lines in memory, never the whole file.

import sql from 'sql-template-tag';
import type { Database, Reader } from '../../database/open.ts';
import { exists, select } from '../../database/query.ts';
import { changeHeadTable } from '../../database/schema.ts';
import { OperatorError } from '../../errors.ts';
import type { FileStore } from '../../files/open.ts';
import { splitLines } from '../split-lines.ts';
import { ImportContext } from './import-context.ts';
import type { ImportedLine, LineKind } from './kind.ts';
import { bytesKind } from './kinds/bytes.ts';
import { lineKinds } from './kinds/index.ts';
import { parseLine } from './parse-line.ts';
import { DumpProblems, TooManyProblems } from './problems.ts';

const defaultBatchSize = 500;
/** Characters of a batch, so that long lines do not fill the memory. */
const maxBatchLength = 250_000;

export type ImportCounts = ImportContext['counts'] & {
  /** Changes of the dump that the gallery did not take over, because it has a change log of its own. */
  readonly leftOutChanges: number;
};

interface ImportOptions {
  /** Refuses a gallery that has anything. */
  readonly intoEmpty?: boolean;
  /** In a gallery that has accounts, lines may change accounts and keys. */
  readonly replacesAccounts?: boolean;
}

/** `name` is the file's name in messages. */
export function importDump(
  database: Database,
  files: Pick<FileStore, 'put' | 'size'>,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  { replacesAccounts = false, intoEmpty = false }: ImportOptions = {},
): Promise<ImportCounts> {
  return database.bulkLoad(async (transaction) => {
    const context = await ImportContext.begin(transaction, files, name, replacesAccounts);
    if (intoEmpty) await requireEmpty(transaction);
    return importLines(context, bytes);
  });
}

/** A backup is restored into a gallery in which nothing has happened and nothing is set. */
export async function requireEmpty(reader: Reader): Promise<void> {
  const head = await reader.first(select(changeHeadTable.columns, sql`from change_head`));
  if (
    head?.last ||
    (await exists(reader, sql`from contributor`)) ||
    (await exists(reader, sql`from site_setting`))
  )
    throw new OperatorError('The database is not empty. A backup is restored only into an empty one.');
}

/** Ends the transaction of a check, so that nothing of it stays. */
class RollBack extends Error {}

/** Does all that an import does, without keeping it, and goes on after refused lines. */
export async function checkDump(
  database: Database,
  files: FileStore,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  { replacesAccounts = false }: ImportOptions = {},
): Promise<DumpProblems> {
  const problems = new DumpProblems();
  const unchangedFiles = { put: async () => {}, size: (hash: string) => files.size(hash) };
  try {
    await database.bulkLoad(async (transaction) => {
      const context = await ImportContext.begin(
        transaction,
        unchangedFiles,
        name,
        replacesAccounts,
        problems,
      );
      await importLines(context, bytes);
      throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack || error instanceof TooManyProblems)) throw error;
  }
  return problems;
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
    await transaction.lockChangeLog();
    if (await hasContributors(transaction)) return false;
    const context = await ImportContext.begin(transaction, files, name, false);
    await importLines(context, new Blob([text]).stream());
    return true;
  });
}

async function importLines(context: ImportContext, chunks: AsyncIterable<Uint8Array>): Promise<ImportCounts> {
  const unreadable = await context.attempt(() => readLines(context, chunks));
  if (!unreadable) {
    await context.attempt(() => context.frame.finish());
    for (const kind of lineKinds.toReversed()) await context.attempt(() => kind.finishImport?.(context));
  }
  await context.log.finish();
  return { ...context.counts, leftOutChanges: context.log.leftOut };
}

async function readLines(context: ImportContext, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  // All lines of a batch have the same kind, so that their order is kept.
  let batch: ImportedLine<unknown>[] = [];
  let kindOfBatch: LineKind | undefined;
  let length = 0;
  const endBatch = async () => {
    if (kindOfBatch) await importBatch(context, kindOfBatch, batch);
    batch = [];
    kindOfBatch = undefined;
    length = 0;
  };
  const refuse = (line: number, reason: string) => context.refuse(line, reason);
  for await (const { lines, bytes } of splitLines(chunks, refuse)) {
    for (const text of lines) {
      const lineNumber = ++context.lineNumber;
      const parsed = parseLine(text);
      if (typeof parsed === 'string') {
        await context.attempt(() => context.refuse(lineNumber, parsed));
        continue;
      }
      const { kind, entry } = parsed;
      if (kind !== kindOfBatch) await endBatch();
      kindOfBatch = kind;
      batch.push({ lineNumber, text, entry });
      length += text.length;
      if (batch.length === (kind.batchSize ?? defaultBatchSize) || length > maxBatchLength) await endBatch();
    }
    context.frame.addBytes(bytes);
  }
  await endBatch();
}

async function importBatch(
  context: ImportContext,
  kind: LineKind,
  batch: readonly ImportedLine<unknown>[],
): Promise<void> {
  const first = batch[0]?.lineNumber ?? 0;
  await context.attempt(() => context.frame.requireOpen(first));
  if (kind !== bytesKind) await context.attempt(() => context.files.requireCompleteFile(first));
  if (context.problems) listOddities(context.problems, kind, batch);
  // In a check, the lines that are not refused are imported together once more.
  let accepted = batch;
  for (let refused = await attemptBatch(); refused; refused = await attemptBatch()) {
    const { lineNumber } = refused;
    const others = accepted.filter((line) => line.lineNumber !== lineNumber);
    if (others.length === 0 || others.length === accepted.length) return;
    accepted = others;
  }
  await context.log.enter(kind, accepted);

  function attemptBatch() {
    return context.attempt(() => kind.importBatch(context, accepted));
  }
}

function listOddities(
  problems: DumpProblems,
  { findOddities }: LineKind,
  batch: readonly ImportedLine<unknown>[],
): void {
  if (!findOddities) return;
  for (const { lineNumber, entry } of batch)
    for (const oddity of findOddities(entry)) problems.addUnusual(lineNumber, oddity);
}
