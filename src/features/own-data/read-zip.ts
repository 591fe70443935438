// Reads a ZIP archive where it is stored. Its author may be hostile: sizes, counts and checksums are checked, and nothing
// is unpacked but what is asked for, into memory.

import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { apiText, type Text } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { normalizeText } from '#common/text-rules.ts';
import type { StoredFile } from '#rest/stored-file.ts';

const [localHeader, centralHeader, end64Record] = [0x04034b50, 0x02014b50, 0x06064b50];
const [endLength, end64Length, locatorLength] = [22, 56, 20];
const maxCommentLength = 0xffff;
/** The value of a field that is in the ZIP64 extension instead. */
const [is64, count64] = [0xffffffff, 0xffff];
const [stored, deflated] = [0, 8];

const maxEntries = 150_000;
const maxDirectoryBytes = 64 * 1024 * 1024;
const maxNameBytes = 1000;
const entriesPerTurn = 200;
const bytesPerRead = 256 * 1024;

interface ZipEntry {
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly compressedSize: number;
  /** After decompression, as the archive says. */
  readonly size: number;
  /** Where its local header is. */
  readonly at: number;
}

export const refuseZip = (text: Text): never => {
  throw new Invalid({ file: [text] });
};
const refuseBroken = () => refuseZip(apiText('import.brokenZip'));

export class ZipArchive {
  private constructor(
    private readonly file: StoredFile,
    private readonly entries: ReadonlyMap<string, ZipEntry>,
  ) {}

  static async open(file: StoredFile): Promise<ZipArchive> {
    const { count, at, size } = await findDirectory(file);
    if (count > maxEntries || size > maxDirectoryBytes) refuseZip(apiText('import.zipTooMuch'));
    const directory = await readRange(file, at, at + size);
    const entries = new Map<string, ZipEntry>();
    let [position, compressed] = [0, 0];
    // Some programs leave out the extension with the count if only the count does not fit.
    const isCounted = count !== count64;
    for (let index = 0; isCounted ? index < count : position < size; index++) {
      if (index === maxEntries) refuseZip(apiText('import.zipTooMuch'));
      if (position + 46 > directory.length || directory.readUInt32LE(position) !== centralHeader)
        refuseBroken();
      const [nameLength, extraLength] = [
        directory.readUInt16LE(position + 28),
        directory.readUInt16LE(position + 30),
      ];
      const entry = readEntry(directory, position, nameLength, extraLength);
      compressed += entry.compressedSize;
      const name = readName(directory.subarray(position + 46, position + 46 + nameLength));
      if (name !== undefined && entries.has(name)) refuseBroken();
      if (name !== undefined) entries.set(name, entry);
      position += 46 + nameLength + extraLength + directory.readUInt16LE(position + 32);
      if (index % entriesPerTurn === 0) await nextEventLoopTurn();
    }
    // Entries that share their data are how archives become enormous.
    if (compressed > file.size) refuseBroken();
    return new ZipArchive(file, entries);
  }

  get names(): Iterable<string> {
    return this.entries.keys();
  }

  has(name: string): boolean {
    return this.entries.has(toName(name));
  }

  /** Undefined if there is no such entry, or if it is larger. */
  async readWhole(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const entry = this.entries.get(toName(name));
    if (!entry || entry.size > maxBytes) return undefined;
    const bytes = new Uint8Array(entry.size);
    let length = 0;
    for await (const part of this.stream(name, maxBytes)) {
      bytes.set(part, length);
      length += part.length;
    }
    return bytes;
  }

  /** Refuses the archive when the content is not what its header says. */
  async *stream(name: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    const entry = this.entries.get(toName(name)) ?? refuseBroken();
    if (entry.isEncrypted) refuseZip(apiText('import.zipPassword'));
    if (entry.size > maxBytes) refuseZip(apiText('import.zipTooMuch'));
    let [length, checksum] = [0, 0];
    for await (const part of this.#decompress(entry)) {
      length += part.length;
      if (length > entry.size) refuseBroken();
      checksum = crc32(part, checksum);
      yield part;
    }
    if (length !== entry.size || checksum !== entry.checksum) refuseBroken();
  }

  async *#decompress(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    const compressed = this.#readCompressed(entry);
    if (entry.method === stored) {
      yield* compressed;
      return;
    }
    if (entry.method !== deflated) refuseBroken();
    // Decompresses on another thread, one part after the other.
    const source = Readable.from(compressed, { objectMode: false });
    const inflate = createInflateRaw({ chunkSize: 64 * 1024 });
    source.on('error', (error) => inflate.destroy(error));
    try {
      yield* source.pipe(inflate);
    } catch (error) {
      if (error instanceof Invalid) throw error;
      refuseBroken();
    } finally {
      source.destroy();
      inflate.destroy();
    }
  }

  async *#readCompressed({ at, compressedSize }: ZipEntry): AsyncGenerator<Buffer> {
    const header = await readRange(this.file, at, at + 30);
    if (header.readUInt32LE(0) !== localHeader) refuseBroken();
    const start = at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    const end = start + compressedSize;
    for (let position = start; position < end; position += bytesPerRead)
      yield await readRange(this.file, position, Math.min(end, position + bytesPerRead));
  }
}

async function readRange(file: StoredFile, start: number, end: number): Promise<Buffer> {
  if (!Number.isSafeInteger(end) || start < 0 || end < start || end > file.size) return refuseBroken();
  const bytes = await file.read(start, end);
  return bytes.length === end - start ? bytes : refuseBroken();
}

/** Where the list of entries is, from the record at the end of the archive. */
async function findDirectory(file: StoredFile) {
  const tailStart = Math.max(0, file.size - endLength - maxCommentLength - locatorLength);
  const tail = await readRange(file, tailStart, file.size);
  const end =
    tail.length < endLength ? -1 : tail.lastIndexOf('PK\x05\x06', tail.length - endLength, 'latin1');
  if (end < 0) return refuseZip(apiText('import.noZip'));
  const [count, size, at] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (count !== count64 && size !== is64 && at !== is64) return { count, size, at };
  const locator = end - locatorLength;
  if (locator < 0 || tail.toString('latin1', locator, locator + 4) !== 'PK\x06\x07')
    return { count, size, at };
  const start = Number(tail.readBigUInt64LE(locator + 8));
  const record = await readRange(file, start, start + end64Length);
  if (record.readUInt32LE(0) !== end64Record) return refuseBroken();
  const [count64Value, size64Value, at64Value] = [32, 40, 48].map((offset) =>
    Number(record.readBigUInt64LE(offset)),
  );
  return { count: count64Value ?? 0, size: size64Value ?? 0, at: at64Value ?? 0 };
}

function readEntry(directory: Buffer, position: number, nameLength: number, extraLength: number): ZipEntry {
  const field = (offset: number) => directory.readUInt32LE(position + offset);
  const extraStart = position + 46 + nameLength;
  const extra = directory.subarray(extraStart, extraStart + extraLength);
  const values64 = readExtension64(extra);
  // The extension has only those fields that do not fit.
  const [size, compressedSize, at] = [24, 20, 42].map((offset) =>
    field(offset) === is64 ? (values64.shift() ?? refuseBroken()) : field(offset),
  );
  return {
    isEncrypted: (directory.readUInt16LE(position + 8) & 1) !== 0,
    method: directory.readUInt16LE(position + 10),
    checksum: field(16),
    compressedSize: compressedSize ?? 0,
    size: size ?? 0,
    at: at ?? 0,
  };
}

function readExtension64(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)];
    const end = at + 4 + length;
    if (id === 1 && end <= extra.length)
      return Array.from({ length: Math.min(3, length >> 3) }, (_, index) =>
        Number(extra.readBigUInt64LE(at + 4 + 8 * index)),
      );
    at = end;
  }
  return [];
}

/** Programs for the Mac write names decomposed. */
const toName = (name: string) => normalizeText(name, 'NFC');

/** Undefined for names that no archive of ours has. */
const readName = (bytes: Buffer): string | undefined =>
  bytes.length > maxNameBytes ? undefined : toName(bytes.toString('utf8'));
