// Reads and writes ZIP archives, as far as documents need it. Entries that do not change are copied without
// decompressing them. Everything outside of the entries is left out: comments, extra fields, hidden data, times.

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { InvalidFile } from './invalid-file.ts';

export interface ZipEntry {
  readonly name: string;
  readonly isUtf8: boolean;
  readonly isEncrypted: boolean;
  /** 0 is stored, 8 is deflated. */
  readonly method: number;
  readonly checksum: number;
  /** The size of the content after decompression, as the archive says. */
  readonly size: number;
  readonly data: Buffer;
}

const [localHeader, centralHeader, endRecord] = [0x04034b50, 0x02014b50, 0x06054b50];
const [stored, deflated] = [0, 8];
const utf8Flag = 0x800;
/** 1 January 1980, the first date that an archive can have. */
const firstDate = 0x21;

export function readZip(bytes: Buffer): ZipEntry[] {
  const end = bytes.lastIndexOf('PK\x05\x06', bytes.length, 'latin1');
  if (end < 0 || end + 22 > bytes.length) throw new InvalidFile('brokenFile');
  const [count, position] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  const entries: ZipEntry[] = [];
  let at = position;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== centralHeader) throw new InvalidFile('brokenFile');
    entries.push(readEntry(bytes, at));
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  const names = new Set(entries.map(({ name }) => name));
  // Entries that share their data are how archives become enormous.
  const length = entries.reduce((sum, { data }) => sum + data.length, 0);
  if (names.size < entries.length || length > bytes.length) throw new InvalidFile('brokenFile');
  return entries;
}

function readEntry(bytes: Buffer, at: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const length = bytes.readUInt32LE(at + 20);
  const nameLength = bytes.readUInt16LE(at + 28);
  const local = bytes.readUInt32LE(at + 42);
  if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== localHeader)
    throw new InvalidFile('brokenFile');
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (start + length > bytes.length) throw new InvalidFile('brokenFile');
  const isUtf8 = (flags & utf8Flag) !== 0;
  return {
    name: bytes.toString(isUtf8 ? 'utf8' : 'latin1', at + 46, at + 46 + nameLength),
    isUtf8,
    isEncrypted: (flags & 1) !== 0,
    method: bytes.readUInt16LE(at + 10),
    checksum: bytes.readUInt32LE(at + 16),
    size: bytes.readUInt32LE(at + 24),
    data: bytes.subarray(start, start + length),
  };
}

/** Of a list of parts, or of properties. */
export const maxTextBytes = 2_000_000;

const maxGarbageBytes = 8_000_000;
let garbageBytes = 0;

export function readContent({ method, data, size }: ZipEntry, maxLength: number): Buffer {
  if (method === stored) return data;
  if (method !== deflated) throw new InvalidFile('brokenFile');
  if (size > maxLength) throw new InvalidFile('tooMuch');
  // Without this, a document takes as much memory as all of its entries together.
  garbageBytes += size;
  if (garbageBytes > maxGarbageBytes) {
    if (typeof Bun === 'object') Bun.gc(true);
    garbageBytes = size;
  }
  try {
    // Into one buffer that is large enough: joining many would take twice the memory.
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size), chunkSize: size + 64 });
  } catch {
    throw new InvalidFile('brokenFile');
  }
}

export function withContent(entry: ZipEntry, content: Buffer): ZipEntry {
  const data = entry.method === stored ? content : deflateRawSync(content);
  return { ...entry, data, size: content.length, checksum: crc32(content) };
}

export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name, entry.isUtf8 ? 'utf8' : 'latin1');
    const common = describeEntry(entry, name);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(localHeader);
    const central = Buffer.alloc(6);
    central.writeUInt32LE(centralHeader);
    central.writeUInt16LE(20, 4);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    parts.push(local, common, name, entry.data);
    directory.push(central, common, rest, name);
    at += 4 + common.length + name.length + entry.data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endRecord);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, part) => sum + part.length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** The fields that an entry has in both of its headers. */
function describeEntry({ isUtf8, method, checksum, data, size }: ZipEntry, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20);
  fields.writeUInt16LE(isUtf8 ? utf8Flag : 0, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(firstDate, 8);
  fields.writeUInt32LE(checksum, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
