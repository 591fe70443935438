// Stores the content of imported files. Bytes are written to the file store at once: if the import fails, `vitrine check
// --repair` deletes them. One file at a time is held in memory until its hash is verified.

import { OperatorError } from '#common/errors.ts';
import type { FileStore } from '../files/store.ts';
import type { Size } from '../files/stored-files.ts';
import { defineLine, type LineOf, sha256, text, wholeNumber } from './line-format.ts';

interface IncompleteFile {
  readonly hash: string;
  readonly size: number;
  readonly chunks: Buffer[];
  length: number;
}

export class IncomingFiles {
  #incomplete: IncompleteFile | undefined;
  /** Files that a line named and whose content has not come yet, with the number of that line. */
  readonly #expected = new Map<string, { lineNumber: number; bytes: number }>();

  constructor(
    private readonly files: Pick<FileStore, 'put' | 'size'>,
    private readonly refuse: (lineNumber: number, reason: string) => never,
  ) {}

  expect(lineNumber: number, { hash, bytes }: Pick<Size, 'hash' | 'bytes'>): void {
    this.#expected.set(hash, { lineNumber, bytes });
  }

  async addBytes(lineNumber: number, { hash, of, at, base64 }: BytesLine): Promise<void> {
    if (at === 0 && !this.#incomplete) this.#incomplete = { hash, size: of, chunks: [], length: 0 };
    const incomplete = this.#incomplete;
    if (!incomplete || incomplete.hash !== hash || incomplete.size !== of || incomplete.length !== at)
      this.refuse(lineNumber, 'at: is not where the line before it ended.');
    const chunk = Buffer.from(base64, 'base64');
    incomplete.chunks.push(chunk);
    incomplete.length += chunk.length;
    if (incomplete.length > of) this.refuse(lineNumber, `of: there are more than ${of} bytes.`);
    if (incomplete.length < of) return;
    this.#incomplete = undefined;
    const whole = Buffer.concat(incomplete.chunks);
    if (new Bun.CryptoHasher('sha256').update(whole).digest('hex') !== hash)
      this.refuse(lineNumber, `hash: the bytes are not those of ${hash}.`);
    const expected = this.#expected.get(hash);
    if (expected && expected.bytes !== of)
      this.refuse(expected.lineNumber, `sizes: ${hash} has ${of} bytes.`);
    this.#expected.delete(hash);
    await this.files.put(hash, whole);
  }

  /** Call it before any line that is not a `bytes` line. */
  requireCompleteFile(lineNumber: number): void {
    const incomplete = this.#incomplete;
    this.#incomplete = undefined;
    if (incomplete) this.refuse(lineNumber, `the bytes of ${incomplete.hash} have not ended.`);
  }

  /** Files whose content has not come must be in the file store already. */
  async finish(lineNumber: number): Promise<void> {
    this.requireCompleteFile(lineNumber);
    for (const [hash, expected] of this.#expected) {
      if ((await this.files.size(hash)) !== expected.bytes)
        this.refuse(expected.lineNumber, `sizes: the bytes of ${hash} have not come.`);
    }
    this.#expected.clear();
  }
}

// The content of a file, in parts that fit a line.

/** The largest accepted file, which is held in memory until its hash is verified. */
const maxFileBytes = 1000 * 1024 * 1024;
const maxBase64Length = 2 * 1024 * 1024;
const bytesPerLine = 384 * 1024;

export const bytesLine = defineLine('bytes', {
  hash: sha256('a SHA-256'),
  of: wholeNumber(1, maxFileBytes),
  at: wholeNumber(0, maxFileBytes),
  base64: text({ maxLength: maxBase64Length, pattern: [/^[A-Za-z0-9+/]+={0,2}$/, 'base64'] }),
});

export type BytesLine = LineOf<typeof bytesLine>;

export async function* generateBytesLines(
  files: FileStore,
  { hash, bytes: of }: Pick<Size, 'hash' | 'bytes'>,
): AsyncGenerator<string> {
  if ((await files.size(hash)) !== of)
    throw new OperatorError(
      `The file ${hash} is missing from the file store. Run vitrine check for details.`,
    );
  let at = 0;
  do {
    const chunk = await files.read(hash, at, Math.min(of, at + bytesPerLine));
    yield bytesLine.stringify({ hash, of, at, base64: Buffer.from(chunk).toString('base64') });
    at += bytesPerLine;
  } while (at < of);
}
