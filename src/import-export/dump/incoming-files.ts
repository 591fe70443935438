// Stores the content of imported files. Bytes are written to the file store at once: if the import fails, the sweep
// deletes them. One file at a time is held in memory until its hash is verified.

import type { FileStore } from '../../files/store.ts';
import type { BytesLine } from '../../gallery/media/bytes-line.ts';
import type { Size } from '../../gallery/media/media.ts';

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
