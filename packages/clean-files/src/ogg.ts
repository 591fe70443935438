// Writes an Ogg file anew from the streams that are played, with empty comments in the second packet of each. Streams of texts
// and of other kinds go, and so does what stands behind the pages.

import { InvalidFile } from './invalid-file.ts';

const headerLength = 27;
const checksumAt = 22;
const played = ['\x80theora', '\x01vorbis', 'OpusHead'];
/** A chain of songs has a few for each. */
const maxStreams = 1000;
/** A flag of a page: its stream begins. */
const firstPage = 2;

interface Stream {
  readonly isPlayed: boolean;
  /** How many packets have ended. */
  packets: number;
  /** Its second packet, which may stand on many pages. */
  readonly comments: { readonly parts: [start: number, end: number][]; readonly pages: number[] };
}

export function cleanOgg(bytes: Buffer): Buffer {
  // Moved to the front of the file: there may be a million pages.
  const streams = new Map<number, Stream>();
  let [written, begun] = [0, 0];
  for (let at = 0; at + headerLength <= bytes.length && bytes.toString('latin1', at, at + 4) === 'OggS'; ) {
    const end = findEndOfPage(bytes, at);
    if (end > bytes.length) throw new InvalidFile('brokenFile');
    const serial = bytes.readUInt32LE(at + 14);
    if ((bytes.readUInt8(at + 5) & firstPage) !== 0) {
      if (++begun > maxStreams) throw new InvalidFile('brokenFile');
      streams.set(serial, beginStream(bytes, at));
    }
    const stream = streams.get(serial);
    if (stream?.isPlayed) {
      bytes.copyWithin(written, at, end);
      if (stream.packets < 2) readPackets(bytes, written, stream);
      written += end - at;
    }
    at = end;
  }
  if (written === 0) throw new InvalidFile('brokenFile');
  return bytes.subarray(0, written);
}

const lengthsOf = (bytes: Buffer, page: number) =>
  bytes.subarray(page + headerLength, page + headerLength + bytes.readUInt8(page + 26));

function findEndOfPage(bytes: Buffer, page: number): number {
  const lengths = lengthsOf(bytes, page);
  return page + headerLength + lengths.length + lengths.reduce((sum, length) => sum + length, 0);
}

function beginStream(bytes: Buffer, page: number): Stream {
  const start = page + headerLength + lengthsOf(bytes, page).length;
  const head = bytes.toString('latin1', start, start + 8);
  return {
    isPlayed: played.some((signature) => head.startsWith(signature)),
    packets: 0,
    comments: { parts: [], pages: [] },
  };
}

/** Counts the packets of a page that has been moved, and blanks the second one where it ends. */
function readPackets(bytes: Buffer, page: number, stream: Stream): void {
  const { parts, pages } = stream.comments;
  const lengths = lengthsOf(bytes, page);
  let at = page + headerLength + lengths.length;
  for (const length of lengths) {
    if (stream.packets === 1) {
      if (pages.at(-1) !== page) pages.push(page);
      const last = parts.at(-1);
      if (last?.[1] === at) last[1] = at + length;
      else parts.push([at, at + length]);
    }
    at += length;
    if (length === 255) continue;
    stream.packets += 1;
    if (stream.packets === 2) blankPacket(bytes, stream);
  }
}

function blankPacket(bytes: Buffer, { comments: { parts, pages } }: Stream): void {
  const packet = Buffer.concat(parts.map(([start, end]) => bytes.subarray(start, end)));
  if (!blankComments(packet)) throw new InvalidFile('brokenFile');
  let read = 0;
  for (const [start, end] of parts) read += packet.copy(bytes, start, read, read + end - start);
  for (const page of pages) writeChecksum(bytes, page);
}

const checksumTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

function writeChecksum(bytes: Buffer, page: number): void {
  bytes.writeUInt32LE(0, page + checksumAt);
  let value = 0;
  for (const byte of bytes.subarray(page, findEndOfPage(bytes, page)))
    value = ((value << 8) ^ (checksumTable[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  bytes.writeUInt32LE(value, page + checksumAt);
}

// The comments of Vorbis, Opus and Theora: the name of a program, and texts such as the artist.

const signatures = ['\x81theora', '\x03vorbis', 'OpusTags'];

/** In place: no program and no comments, and zeros to the end. False if these bytes are no comments. */
export function blankComments(packet: Buffer): boolean {
  const head = packet.toString('latin1', 0, 8);
  const signature = signatures.find((text) => head.startsWith(text));
  if (signature === undefined) return false;
  packet.fill(0, signature.length);
  // Two empty lengths, and in Vorbis a bit that is set.
  if (signature === '\x03vorbis' && packet.length > 15) packet[15] = 1;
  return packet.length >= signature.length + 8;
}
