// Removes the metadata of pictures inside other files: EXIF with the place, XMP, comments, and all but the numbers of a colour
// profile. The picture stays as it is.

import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { cleanProfile } from './color-profile.ts';

/** Types of chunks as numbers: a picture can have millions of chunks, and strings of them would fill the memory. */
const toChunkType = (name: string) => Buffer.from(name, 'latin1').readUInt32BE();
const toChunkTypes = (names: string) => new Set(names.split(' ').map((name) => toChunkType(name.padEnd(4))));

/** Receives each part that stays, in order. */
type Keep = (start: number, end: number) => void;
/** Writes a colour profile anew in its place; returns where it ends, which is its start if nothing stays. */
type Rewrite = (start: number, end: number) => number;
/** False if the picture is broken. */
type Visit = (bytes: Buffer, keep: Keep, rewrite: Rewrite) => boolean;

interface Format {
  readonly isMeant: (head: string) => boolean;
  readonly visit: Visit;
  readonly rewrite?: (bytes: Buffer, start: number, end: number) => number;
}

/** The picture without its metadata, moved together within `bytes`; undefined if it is broken or of another format. */
export function cleanPicture(bytes: Buffer): Buffer | undefined {
  const head = bytes.toString('latin1', 0, 12);
  const format = formats.find(({ isMeant }) => isMeant(head));
  if (
    !format?.visit(
      bytes,
      () => {},
      (_, end) => end,
    )
  )
    return undefined;
  let length = 0;
  format.visit(
    bytes,
    (start, end) => {
      if (start !== length) bytes.copyWithin(length, start, end);
      length += Math.min(end, bytes.length) - start;
    },
    (start, end) => format.rewrite?.(bytes, start, end) ?? start,
  );
  const written = bytes.subarray(0, length);
  if (format === webp) written.writeUInt32LE(length - 8, 4);
  return written;
}

/** A profile that is written anew, if it has place. */
function replaceProfile(bytes: Buffer, start: number, end: number, create: () => Buffer | undefined): number {
  const replaced = create();
  if (!replaced || replaced.length > end - start) return start;
  return start + replaced.copy(bytes, start);
}

const maxProfileBytes = 1_000_000;
const [pngEnd, pngProfile] = [toChunkType('IEND'), toChunkType('iCCP')];
const pngChunks = toChunkTypes(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA sRGB sBIT bKGD pHYs acTL fcTL fdAT cICP mDCV cLLI',
);

const png: Format = {
  isMeant: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  visit(bytes, keep, rewrite) {
    keep(0, 8);
    for (let at = 8; at + 12 <= bytes.length; ) {
      const end = at + 12 + bytes.readUInt32BE(at);
      if (end > bytes.length) return false;
      const type = bytes.readUInt32BE(at + 4);
      if (pngChunks.has(type)) keep(at, end);
      else if (type === pngProfile) keep(at, rewrite(at, end));
      // The bytes after the end may be anything.
      if (type === pngEnd) return true;
      at = end;
    }
    return false;
  },
  rewrite: (bytes, start, end) =>
    replaceProfile(bytes, start, end, () => {
      const name = bytes.indexOf(0, start + 8);
      try {
        const data = bytes.subarray(name + 2, end - 4);
        const profile = cleanProfile(inflateSync(data, { maxOutputLength: maxProfileBytes }));
        if (!profile) return undefined;
        const content = Buffer.concat([Buffer.from('iCCPRGB\0\0'), deflateSync(profile)]);
        const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
        length.writeUInt32BE(content.length - 4);
        checksum.writeUInt32BE(crc32(content));
        return Buffer.concat([length, content, checksum]);
      } catch {
        return undefined;
      }
    }),
};

const [startOfScan, endOfImage, comment, app0, app2, app14] = [0xda, 0xd9, 0xfe, 0xe0, 0xe2, 0xee];
/** With the number of this part of a profile, and of how many: both are 1. */
const wholeProfile = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1');

const jpeg: Format = {
  isMeant: (head) => head.startsWith('\xff\xd8'),
  visit(bytes, keep, rewrite) {
    keep(0, 2);
    for (let at = 2; at + 4 <= bytes.length; ) {
      if (bytes[at] !== 0xff) return false;
      const marker = bytes.readUInt8(at + 1);
      if (marker === 0xff) {
        at += 1;
        continue;
      }
      const end = at + 2 + bytes.readUInt16BE(at + 2);
      if (end > bytes.length) return false;
      if (marker === app2) keep(at, rewrite(at, end));
      else if (marker === app0 || marker === app14) keep(...shortSegment(bytes, at, end));
      else if (marker !== comment && (marker < app0 || marker > 0xef)) keep(at, end);
      at = end;
      if (marker !== startOfScan) continue;
      at = findEndOfScan(bytes, end);
      keep(end, at);
      // Phones put a second picture with its own metadata after the end.
      if (bytes[at + 1] === endOfImage) {
        keep(at, at + 2);
        return true;
      }
    }
    return false;
  },
  rewrite: (bytes, start, end) =>
    replaceProfile(bytes, start, end, () => {
      if (wholeProfile.compare(bytes, start + 4, start + 4 + wholeProfile.length) !== 0) return undefined;
      const profile = cleanProfile(bytes.subarray(start + 4 + wholeProfile.length, end));
      if (!profile) return undefined;
      const head = Buffer.from([0xff, app2, 0, 0]);
      head.writeUInt16BE(2 + wholeProfile.length + profile.length, 2);
      return Buffer.concat([head, wholeProfile, profile]);
    }),
};

/** JFIF without a small picture, or Adobe's colour transform, as they are; anything else, or longer, goes. */
function shortSegment(bytes: Buffer, at: number, end: number): [start: number, end: number] {
  const name = bytes.toString('latin1', at + 4, at + 9);
  return (name === 'JFIF\0' && end - at === 18) || (name === 'Adobe' && end - at === 16)
    ? [at, end]
    : [at, at];
}

/** The position of the next marker that does not belong to the data of the scan. */
function findEndOfScan(bytes: Buffer, start: number): number {
  for (
    let at = bytes.indexOf(0xff, start);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at;
  }
  return bytes.length;
}

const webpChunks = toChunkTypes('VP8 VP8L VP8X ALPH ANIM ANMF');
const [webpHead, webpProfile] = [toChunkType('VP8X'), toChunkType('ICCP')];
/** Flags of the head: EXIF and XMP, and a profile. */
const [metadataFlags, profileFlag] = [0x0c, 0x20];

const webp: Format = {
  isMeant: (head) => head.startsWith('RIFF') && head.endsWith('WEBP'),
  visit(bytes, keep, rewrite) {
    keep(0, 12);
    const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
    for (let at = 12; at + 8 <= end; ) {
      const length = bytes.readUInt32LE(at + 4);
      const next = at + 8 + length + (length % 2);
      if (at + 8 + length > end) return false;
      const type = bytes.readUInt32BE(at);
      if (type === webpHead || type === webpProfile) keep(at, rewrite(at, next));
      else if (webpChunks.has(type)) keep(at, next);
      at = next;
    }
    return true;
  },
  // A profile follows its head. If it cannot be written anew, it goes, and so does its flag.
  rewrite(bytes, start, end) {
    if (bytes.readUInt32BE(start) === webpProfile)
      return replaceProfile(bytes, start, end, () => writeWebpProfile(bytes.subarray(start + 8, end)));
    const hasProfile =
      end + 8 <= bytes.length &&
      bytes.readUInt32BE(end) === webpProfile &&
      isShorter(
        writeWebpProfile(bytes.subarray(end + 8, end + 8 + bytes.readUInt32LE(end + 4))),
        bytes.readUInt32LE(end + 4),
      );
    bytes[start + 8] = (bytes[start + 8] ?? 0) & ~metadataFlags & (hasProfile ? 0xff : ~profileFlag);
    return end;
  },
};

const isShorter = (chunk: Buffer | undefined, length: number) =>
  chunk !== undefined && chunk.length <= 8 + length + (length % 2);

function writeWebpProfile(profile: Buffer): Buffer | undefined {
  const cleaned = cleanProfile(profile);
  if (!cleaned) return undefined;
  const head = Buffer.from('ICCP\0\0\0\0', 'latin1');
  head.writeUInt32LE(cleaned.length, 4);
  return Buffer.concat([head, cleaned]);
}

const [gifExtension, gifPicture, gifEnd] = [0x21, 0x2c, 0x3b];
const [gifControl, gifApplication] = [0xf9, 0xff];

const gif: Format = {
  isMeant: (head) => /^GIF8[79]a/.test(head),
  visit(bytes, keep) {
    const flags = bytes[10] ?? 0;
    let at = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
    keep(0, at);
    while (at + 2 < bytes.length) {
      const start = at;
      const [kind, label] = [bytes[at], bytes[at + 1]];
      if (kind === gifPicture) {
        const flags = bytes[at + 9] ?? 0;
        at = skipGifBlocks(bytes, at + 11 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0));
        keep(start, at);
      } else if (kind === gifExtension) {
        at = skipGifBlocks(bytes, at + 2);
        const repeats =
          label === gifApplication && bytes.toString('latin1', start + 3, start + 14) === 'NETSCAPE2.0';
        if (label === gifControl || repeats) keep(start, at);
      } else break;
    }
    if (bytes[at] !== gifEnd) return false;
    keep(at, at + 1);
    return true;
  },
};

function skipGifBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

const formats = [png, jpeg, webp, gif];
