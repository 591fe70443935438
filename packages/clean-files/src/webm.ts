// Keeps the elements of a WebM file that players need, and of its tracks those that people see or hear. Any other element is
// replaced by a Void element of the same length, so that positions in the file stay valid.

import { InvalidFile } from './invalid-file.ts';
import { blankComments } from './ogg.ts';

const voidElement = 0xec;
const [segment, trackEntry, cluster, blockGroup] = [0x18538067, 0xae, 0x1f43b675, 0xa0];
const [block, simpleBlock, codecPrivate] = [0xa1, 0xa3, 0x63a2];
const [trackNumber, trackType] = [0xd7, 0x83];

/** Elements with elements in them: EBML, Info, Tracks, Video, Audio and the colours besides those above. */
const containers = new Set([
  segment,
  trackEntry,
  cluster,
  blockGroup,
  ...[0x1a45dfa3, 0x1549a966, 0x1654ae6b, 0xe0, 0xe1, 0x55b0, 0x55d0],
]);
/** Numbers and positions of the file, of tracks, pictures, sounds, colours, clusters and blocks. */
const kept = new Set([
  ...[0x4286, 0x42f7, 0x42f2, 0x42f3, 0x4282, 0x4287, 0x4285],
  ...[0x114d9b74, 0x1c53bb6b, 0x2ad7b1, 0x4489],
  ...[0xd7, 0x73c5, 0x83, 0xb9, 0x88, 0x55aa, 0x9c, 0x6de7, 0x6df8, 0x23e383, 0x234e7a, 0x55ee],
  ...[0x22b59c, 0x22b59d, 0x86, codecPrivate, 0x56aa, 0x56bb, 0x6d80],
  ...[0x9a, 0x9d, 0x53b8, 0x53c0, 0xb0, 0xba, 0x54aa, 0x54bb, 0x54cc, 0x54dd, 0x54b0, 0x54ba, 0x54b2, 0x54b3],
  ...[0xb5, 0x78b5, 0x9f, 0x6264],
  ...[0x55b1, 0x55b2, 0x55b3, 0x55b4, 0x55b5, 0x55b6, 0x55b7, 0x55b8, 0x55b9, 0x55ba, 0x55bb, 0x55bc, 0x55bd],
  ...[0x55d1, 0x55d2, 0x55d3, 0x55d4, 0x55d5, 0x55d6, 0x55d7, 0x55d8, 0x55d9, 0x55da, 0x7670],
  ...[0xe7, 0xa7, 0xab, block, simpleBlock, 0x75a1, 0x9b, 0xfa, 0xfb, 0x75a2],
]);
/** Required elements with the names of programs: their text is overwritten. */
const programs = [0x4d80, 0x5741];
/** Pictures, sounds and subtitles. */
const shownTypes = [1, 2, 17];

/** A film of hours has a hundred thousand. */
const maxElements = 1_000_000;

export function cleanWebm(bytes: Buffer): Buffer {
  const shown = new Set<number>();
  let end = 0;
  let elements = 0;
  for (let at = 0; at < bytes.length; ) {
    if (++elements > maxElements) throw new InvalidFile('brokenFile');
    const element = readElement(bytes, at);
    if (!element || (at === 0 && element.id !== 0x1a45dfa3)) throw new InvalidFile('brokenFile');
    // The segment is the last: what stands behind it is none.
    if (element.id === segment) end = element.end ?? bytes.length;
    else if (end > 0 && at >= end) break;
    at = handle(bytes, at, element, shown);
  }
  return bytes.subarray(0, end || bytes.length);
}

/** Returns where to go on. */
function handle(bytes: Buffer, at: number, { id, start, end }: Element, shown: Set<number>): number {
  if (id === trackEntry && end !== undefined && !readTrack(bytes, start, end, shown)) {
    writeVoid(bytes, at, end);
    return end;
  }
  if (containers.has(id)) return start;
  // Only segments and clusters may have an unknown length.
  if (end === undefined) throw new InvalidFile('brokenFile');
  const isHidden = (id === block || id === simpleBlock) && !shown.has(readVarint(bytes, start));
  if (programs.includes(id)) bytes.fill(' ', start, end);
  else if (!kept.has(id) || isHidden) writeVoid(bytes, at, end);
  else if (id === codecPrivate) blankVorbisComments(bytes.subarray(start, end));
  return end;
}

/** Whether people see or hear it. */
function readTrack(bytes: Buffer, start: number, end: number, shown: Set<number>): boolean {
  let [number, type] = [0, 0];
  for (let at = start; at < end; ) {
    const element = readElement(bytes, at);
    if (element?.end === undefined) throw new InvalidFile('brokenFile');
    const length = Math.min(element.end - element.start, 6);
    const value = length > 0 ? bytes.readUIntBE(element.start, length) : 0;
    if (element.id === trackNumber) number = value;
    else if (element.id === trackType) type = value;
    at = element.end;
  }
  if (!shownTypes.includes(type)) return false;
  shown.add(number);
  return true;
}

/** The three heads of a Vorbis stream, of which the second one has comments; other codecs begin in another way. */
function blankVorbisComments(heads: Buffer): void {
  if (heads[0] !== 2) return;
  let at = 1;
  const readLength = () => {
    let length = 0;
    while (heads[at] === 255) length += heads[at++] ?? 0;
    return length + (heads[at++] ?? 0);
  };
  const [first, second] = [readLength(), readLength()];
  const comments = heads.subarray(at + first, at + first + second);
  if (comments.toString('latin1', 0, 7) === '\x03vorbis') blankComments(comments);
}

interface Element {
  readonly id: number;
  /** Of the content. */
  readonly start: number;
  /** Undefined if it is unknown. */
  readonly end: number | undefined;
}

function readElement(bytes: Buffer, at: number): Element | undefined {
  const idLength = Math.clz32(bytes.readUInt8(at)) - 23;
  const sizeAt = at + idLength;
  if (idLength > 4 || sizeAt >= bytes.length) return undefined;
  const sizeLength = Math.clz32(bytes.readUInt8(sizeAt)) - 23;
  const start = sizeAt + sizeLength;
  if (sizeLength > 8 || start > bytes.length) return undefined;
  const id = bytes.readUIntBE(at, idLength);
  const size = readVarint(bytes, sizeAt);
  if (size === Number.POSITIVE_INFINITY) return { id, start, end: undefined };
  return { id, start, end: Math.min(start + size, bytes.length) };
}

/** Infinite if all bits are set: then it is unknown. */
function readVarint(bytes: Buffer, at: number): number {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  let value = (bytes[at] ?? 0) & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let index = at + 1; index < at + length; index++) {
    value = value * 256 + (bytes[index] ?? 0);
    isUnknown &&= bytes[index] === 0xff;
  }
  return isUnknown ? Number.POSITIVE_INFINITY : value;
}

/** The length of the content is written in as many bytes as fit. */
function writeVoid(bytes: Buffer, at: number, end: number): void {
  const sizeLength = end - at >= 9 ? 8 : 1;
  const start = at + 1 + sizeLength;
  bytes.fill(0, at, end);
  bytes[at] = voidElement;
  const size = end - start;
  if (sizeLength === 1) bytes[at + 1] = 0x80 | size;
  else {
    bytes[at + 1] = 1;
    bytes.writeUIntBE(size, at + 3, 6);
  }
}
