// Removes tags from sound files, by copying only what is played: the frames of MP3, and the parts of WAV that players need.

import { InvalidFile } from './invalid-file.ts';

const mp3Bitrates = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

const mp3Rates = [44_100, 48_000, 32_000];

/** The length of the MP3 frame at this place, or undefined if there is none. */
function readFrameLength(bytes: Buffer, at: number): number | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const first = bytes.readUInt8(at + 1);
  const second = bytes.readUInt8(at + 2);
  const version = (first >> 3) & 3;
  if ((first & 0xe6) !== 0xe2 || version === 1) return undefined;
  const bitrate = mp3Bitrates[version === 3 ? 'mpeg1' : 'mpeg2'][(second >> 4) - 1];
  const rate = mp3Rates[(second >> 2) & 3];
  if (!bitrate || !rate) return undefined;
  const divisor = version === 3 ? 1 : version === 2 ? 2 : 4;
  const samples = version === 3 ? 144_000 : 72_000;
  return Math.floor((samples * bitrate * divisor) / rate) + ((second >> 1) & 1);
}

/** The length of a tag that begins with `ID3` at this place. It may contain a picture, which is not searched for frames. */
function readTagLength(bytes: Buffer, at: number): number {
  if (at + 10 > bytes.length || bytes.readUIntBE(at, 3) !== 0x494433) return 0;
  let size = 0;
  for (let index = at + 6; index < at + 10; index++) size = size * 128 + (bytes.readUInt8(index) & 127);
  return 10 + size + (bytes.readUInt8(at + 5) & 0x10 ? 10 : 0);
}

/** All files name the same one: players believe the numbers behind it only if they know the name. */
const encoder = 'LAME3.100';

/** The first frame may have a table for players instead of sound, and behind it the name of the program. */
function hideEncoder(bytes: Buffer, at: number, end: number): void {
  const frame = bytes.subarray(at, end);
  for (const kind of ['Xing', 'Info']) {
    const table = frame.subarray(0, 64).indexOf(kind, 0, 'latin1');
    if (table < 0 || table + 8 > frame.length) continue;
    const flags = frame.readUInt32BE(table + 4);
    const length = [4, 4, 100, 4].reduce((sum, size, bit) => sum + (flags & (1 << bit) ? size : 0), 8);
    const name = frame.subarray(table + length, table + length + encoder.length);
    if (/^(LAME|Lav[cf])/.test(name.toString('latin1'))) name.write(encoder);
    else name.fill(0);
  }
}

export function cleanMp3(bytes: Buffer): Buffer {
  // Moved to the front of the file: there may be a million frames.
  let written = 0;
  let isBehindFrame = false;
  for (let at = 0; at < bytes.length; ) {
    const length = readFrameLength(bytes, at) ?? 0;
    const end = at + length;
    // Behind a tag or a picture, a frame is one only if another follows it.
    const isFrame: boolean =
      length > 0 && end <= bytes.length && (isBehindFrame || readFrameLength(bytes, end) !== undefined);
    if (isFrame) {
      if (written === 0) hideEncoder(bytes, at, end);
      bytes.copyWithin(written, at, end);
      written += length;
    }
    at = isFrame ? end : at + (readTagLength(bytes, at) || 1);
    isBehindFrame = isFrame;
  }
  if (written === 0) throw new InvalidFile('brokenFile');
  // A part of a buffer would keep all of it in memory.
  return written === bytes.length ? bytes : Buffer.from(bytes.subarray(0, written));
}

/** The parts that players need; each stands there once. */
const wavParts = ['fmt ', 'fact', 'data'];
const maxFormatBytes = 1000;

export function cleanWav(bytes: Buffer): Buffer {
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const end = Math.min(at + 8 + bytes.readUInt32LE(at + 4), bytes.length);
    if (wavParts.includes(type) && !chunks.has(type)) chunks.set(type, bytes.subarray(at, end));
    at = end + (end % 2);
  }
  const [format, fact, data] = wavParts.map((type) => chunks.get(type));
  if (!format || !data || format.length > maxFormatBytes) throw new InvalidFile('brokenFile');
  const parts = [format, fact?.subarray(0, 12), data].flatMap((chunk) => {
    if (!chunk) return [];
    chunk.writeUInt32LE(chunk.length - 8, 4);
    return chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)];
  });
  const head = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
  head.writeUInt32LE(4 + parts.reduce((total, { length }) => total + length, 0), 4);
  return Buffer.concat([head, ...parts]);
}

// Writes a FLAC file anew from what is played: the numbers for the decoder, a short table for seeking, and the frames. Each
// frame has a checksum, so that nothing else is taken for a frame.

const [streamInfo, seekTable] = [0, 3];
/** Players find their way without it. */
const maxSeekTableBytes = 200_000;

export function cleanFlac(bytes: Buffer): Buffer {
  let info: Buffer | undefined;
  let seeking: Buffer | undefined;
  for (let at = 4; at + 4 <= bytes.length; ) {
    const kind = bytes.readUInt8(at);
    const end = at + 4 + bytes.readUIntBE(at + 1, 3);
    // There may be millions: only those that stay become objects.
    if ((kind & 127) === streamInfo) info ??= bytes.subarray(at, end);
    if ((kind & 127) === seekTable && end - at <= maxSeekTableBytes) seeking ??= bytes.subarray(at, end);
    at = end;
    if (kind < 128) continue;
    if (!info || at >= bytes.length) break;
    const frames = bytes.subarray(at, findEndOfSound(bytes));
    requireFrames(frames);
    info[0] = seeking ? streamInfo : streamInfo | 128;
    if (seeking) seeking[0] = seekTable | 128;
    return Buffer.concat([Buffer.from('fLaC'), info, ...(seeking ? [seeking] : []), frames]);
  }
  throw new InvalidFile('brokenFile');
}

/** Before the tags of other formats that some programs write behind. */
function findEndOfSound(bytes: Buffer): number {
  for (let end = bytes.length; ; ) {
    const before = end;
    if (bytes.toString('latin1', end - 128, end - 125) === 'TAG') end -= 128;
    if (bytes.toString('latin1', end - 32, end - 24) === 'APETAGEX') {
      const hasHeader = bytes.readUInt8(end - 9) >= 128;
      end -= bytes.readUInt32LE(end - 20) + (hasHeader ? 32 : 0);
    }
    if (end === before) return end;
    if (end < 128) throw new InvalidFile('brokenFile');
  }
}

const checksums = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000 ? (value << 1) ^ 0x8005 : value << 1;
  return value;
});

/** With its own checksum at its end, the checksum of a frame is zero: so it is of frames that follow each other. */
function requireFrames(frames: Buffer): void {
  if (frames.length < 6 || frames[0] !== 0xff || (frames.readUInt8(1) & 0xfe) !== 0xf8)
    throw new InvalidFile('brokenFile');
  let checksum = 0;
  for (let at = 0; at < frames.length; at++)
    checksum = ((checksum << 8) & 0xffff) ^ (checksums[(checksum >> 8) ^ (frames[at] as number)] as number);
  if (checksum !== 0) throw new InvalidFile('brokenFile');
}
