// Removes tags from sound files, by copying only what is played: the frames of MP3, and the parts of WAV that players need.

import { apiText } from '../../../common/api-text.ts';
import { InvalidValue } from '../../../common/inputs.ts';

const broken = () => new InvalidValue(apiText('brokenFile'));

const mp3Bitrates = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** The length of the MP3 frame at this place, or undefined if there is none. */
function readFrameLength(bytes: Buffer, at: number): number | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const [first, second] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2)];
  const version = (first >> 3) & 3;
  if ((first & 0xe6) !== 0xe2 || version === 1) return undefined;
  const bitrate = mp3Bitrates[version === 3 ? 'mpeg1' : 'mpeg2'][(second >> 4) - 1];
  const rate = [44_100, 48_000, 32_000][(second >> 2) & 3];
  if (!bitrate || !rate) return undefined;
  const divisor = version === 3 ? 1 : version === 2 ? 2 : 4;
  const samples = version === 3 ? 144_000 : 72_000;
  return Math.floor((samples * bitrate * divisor) / rate) + ((second >> 1) & 1);
}

/** The length of an ID3 tag at this place. It may contain a picture, which is not searched for frames. */
function readTagLength(bytes: Buffer, at: number): number {
  if (at + 10 > bytes.length || bytes.toString('latin1', at, at + 3) !== 'ID3') return 0;
  const size = bytes.subarray(at + 6, at + 10).reduce((total, byte) => total * 128 + (byte & 127), 0);
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

export function stripMp3(bytes: Buffer): Buffer {
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
  if (written === 0) throw broken();
  return Buffer.from(bytes.subarray(0, written));
}

/** The parts that players need; each stands there once. */
const wavParts = ['fmt ', 'fact', 'data'];
const maxFormatBytes = 1000;

export function stripWav(bytes: Buffer): Buffer {
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const end = Math.min(at + 8 + bytes.readUInt32LE(at + 4), bytes.length);
    if (wavParts.includes(type) && !chunks.has(type)) chunks.set(type, bytes.subarray(at, end));
    at = end + (end % 2);
  }
  const [format, fact, data] = wavParts.map((type) => chunks.get(type));
  if (!format || !data || format.length > maxFormatBytes) throw broken();
  const parts = [format, fact?.subarray(0, 12), data].flatMap((chunk) => {
    if (!chunk) return [];
    chunk.writeUInt32LE(chunk.length - 8, 4);
    return chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)];
  });
  const head = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
  head.writeUInt32LE(4 + parts.reduce((total, { length }) => total + length, 0), 4);
  return Buffer.concat([head, ...parts]);
}
