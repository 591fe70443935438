// Imports a dump in one transaction, so that a wrong line, Ctrl-C or a kill leaves nothing behind. Holds a batch of
// lines in memory, never the whole file.

import sql from 'sql-template-tag';
import { OperatorError } from '#common/errors.ts';
import type { JsonSchema } from '#common/inputs.ts';
import { isJsonObject, parseJson } from '#common/json.ts';
import { type Database, execute, exists, first, type Reader } from '#sql';
import { changeHeadTable } from '../../core/changes/tables.ts';
import { firstLine, type LastLine, lastLine } from '../../core/dump/frame.ts';
import { DumpProblems, TooManyProblems } from '../../core/dump/problems.ts';
import { splitLines } from '../../core/dump/split-lines.ts';
import type { FileStore } from '../../core/files/store.ts';
import { ImportContext } from '../../projects/dump/import-context.ts';
import type { ImportedLine } from '../../projects/dump/import-log.ts';
import { type LineKind, ownDataType } from '../../projects/dump/kind.ts';
import { loadLineKinds } from '../../projects/dump/line-kinds.ts';
import { bytesKind } from '../../projects/dump/media.ts';
import { expectWithdrawnFiles } from '../../projects/history/redact.ts';

const defaultBatchSize = 500;
/** On a busy machine, the garbage of parsed lines grows faster than it is collected. */
const bytesPerCollection = 16 * 1024 * 1024;
/** Characters of a batch, so that long lines do not fill the memory. */
const maxBatchLength = 250_000;

export type ImportCounts = ImportContext['counts'] & {
  /** Changes of the dump that the gallery did not take over, because it has a change log of its own. */
  readonly leftOutChanges: number;
};

export interface ImportOptions {
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
    if (intoEmpty) {
      await requireEmpty(transaction);
      await execute(transaction)`delete from site_setting`;
    }
    return importLines(context, bytes);
  });
}

/** A backup is restored into a gallery in which nothing has happened and nothing is set; `names` is set from the start. */
export async function requireEmpty(reader: Reader): Promise<void> {
  const head = await first(reader, changeHeadTable.columns)`from change_head`;
  if (
    head?.last ||
    (await exists(reader, sql`from contributor`)) ||
    (await exists(reader, sql`from site_setting where name <> 'names'`))
  )
    throw new OperatorError(
      'The database is not empty. A backup is restored only into an empty one: name another with --database, or set the file aside first, with its -wal and -shm. See docs/running/recover.md.',
    );
}

/** Ends the transaction of a check, so that nothing of it stays. */
class RollBack extends Error {}

/** Does all that an import does, without keeping it, and continues after refused lines. */
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
    const kinds = await loadLineKinds();
    for (const kind of kinds.toReversed()) await context.attempt(() => kind.finishImport?.(context));
    for (const { idTable } of kinds) if (idTable) await context.transaction.skipUsedIds(idTable);
  }
  await context.log.finish();
  await expectWithdrawnFiles(context.transaction);
  return { ...context.counts, leftOutChanges: context.log.leftOut };
}

async function readLines(context: ImportContext, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const batches = new BatchWriter(context, await loadLineParser());
  let uncollected = 0;
  try {
    for await (const { lines, bytes } of splitLines(chunks, (line, reason) => context.refuse(line, reason))) {
      for (const text of lines) await batches.add(text);
      context.frame.addBytes(bytes);
      uncollected += bytes.length;
      if (uncollected >= bytesPerCollection) {
        Bun.gc(true);
        uncollected = 0;
      }
    }
    await batches.end();
  } finally {
    await batches.writing;
  }
}

/** Imports lines in batches. While the database writes one, the lines of the next one are parsed. */
class BatchWriter {
  /** All lines of a batch have the same kind, so that their order is kept. */
  #lines: ImportedLine<unknown>[] = [];
  #kind: LineKind | undefined;
  #length = 0;
  /** Await it before any line is refused: of several wrong lines, the first one is named. */
  writing: Promise<void> | undefined;

  constructor(
    private readonly context: ImportContext,
    private readonly parse: ParseLine,
  ) {}

  async add(text: string): Promise<void> {
    const lineNumber = ++this.context.lineNumber;
    const parsed = this.parse(text);
    if (typeof parsed === 'string') {
      await this.writing;
      await this.context.attempt(() => this.context.refuse(lineNumber, parsed));
      return;
    }
    const { kind, entry } = parsed;
    if (kind !== this.#kind) await this.#write();
    this.#kind = kind;
    this.#lines.push({ lineNumber, text, entry });
    this.#length += text.length;
    if (this.#lines.length === (kind.batchSize ?? defaultBatchSize) || this.#length > maxBatchLength)
      await this.#write();
    // The first line of a dump is followed by bytes that it decides about.
    if (kind.batchSize === 1) await this.writing;
  }

  async end(): Promise<void> {
    await this.#write();
    await this.writing;
  }

  async #write(): Promise<void> {
    await this.writing;
    const [kind, lines] = [this.#kind, this.#lines];
    this.#kind = undefined;
    this.#lines = [];
    this.#length = 0;
    if (!kind) return;
    this.writing = importBatch(this.context, kind, lines);
    // Its failure is thrown where it is awaited.
    this.writing.catch(() => {});
  }
}

async function importBatch(context: ImportContext, kind: LineKind, batch: readonly ImportedLine<unknown>[]) {
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

/** The first and the last line are imported as others are; an export writes them itself. */
const firstKind: LineKind = {
  format: firstLine,
  batchSize: 1,
  async importBatch({ frame }, batch) {
    for (const { lineNumber } of batch) frame.begin(lineNumber);
  },
};
const lastKind: LineKind<LastLine> = {
  format: lastLine,
  batchSize: 1,
  async importBatch({ frame }, batch) {
    for (const { lineNumber, entry } of batch) frame.end(lineNumber, entry);
  },
};

/** Returns the parsed line, or sentences that say why it is rejected. */
export type ParseLine = (line: string) => { kind: LineKind; entry: unknown } | string;

export async function loadLineParser(): Promise<ParseLine> {
  const kinds = [...(await loadLineKinds()), firstKind, lastKind as LineKind];
  const kindsByType = new Map(kinds.map((kind) => [kind.format.type, kind]));
  return (line) => {
    const value = parseJson(line);
    if (value === undefined) return 'is not JSON.';
    const object = isJsonObject(value) ? value : {};
    const kind = typeof object.type === 'string' ? kindsByType.get(object.type) : undefined;
    if (object.type === ownDataType) return 'is the data of one person, not the dump of a gallery.';
    if (!kind) return `type: must be one of ${[...kindsByType.keys()].join(', ')}.`;
    const entry = kind.format.parse(object);
    return typeof entry === 'string' ? entry : { kind, entry };
  };
}

/** Of one line of a dump, as far as a line can be judged without the others. */
export async function loadDumpSchema(): Promise<JsonSchema> {
  const formats = [firstKind, ...(await loadLineKinds()), lastKind].map(({ format }) => format);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of a dump',
    oneOf: formats.map(({ type }) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(formats.map(({ type, schema }) => [type, schema])),
  };
}
