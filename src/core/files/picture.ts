// Converts a picture to the sizes that pages show: upright, and without metadata such as place and author. The
// original is not kept. The work runs on Bun's own threads and cannot be interrupted: docs/limits.md says how it is
// bounded.

import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { crc32, deflateSync, inflate, inflateSync } from 'node:zlib';
import { cleanPicture } from '#clean-files';
import { apiText } from '#common/api-text.ts';
import { errorCode } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { QueuePerPerson, RequestQueue } from '#common/request-queue.ts';

// Checks what a JPEG costs before it is decoded. The decoder goes through the whole picture once for each scan, and a scan
// has 13 bytes: 2 MB can keep it busy for 15 minutes.

/** A usual progressive JPEG has ten. */
const maxScans = 50;
/** Before the first scan. A colour profile or metadata of 16 MB has 256. */
const maxMarkers = 10_000;

const startOfScan = Buffer.from([0xff, 0xda]);
const endOfImage = Buffer.from([0xff, 0xd9]);

/** The JPEG without what follows its end. The decoder would fill a JPEG that is cut off with grey. */
function trimJpeg(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const firstScan = findFirstScan(buffer);
  const end = buffer.indexOf(endOfImage, firstScan);
  if (end < 0) throw new InvalidValue(apiText('brokenPicture'));
  const picture = buffer.subarray(0, end + 2);
  let scans = 0;
  for (let at = firstScan; at >= 0; at = picture.indexOf(startOfScan, at + 2)) {
    if (++scans > maxScans) throw new InvalidValue(apiText('jpegScans', { max: maxScans }));
  }
  return picture;
}

/** Reads the markers before the first scan as the decoder does, so that no scan is hidden from the check. */
function findFirstScan(bytes: Buffer): number {
  let at = bytes.indexOf(0xff, 2);
  for (let markers = 0; at >= 0 && at + 4 <= bytes.length && markers < maxMarkers; markers++) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xda) return at;
    if (isUnusualFrame(marker)) throw new InvalidValue(apiText('jpegKind'));
    if (marker === 0xff) at += 1;
    else at += hasLength(marker) ? 2 + bytes.readUInt16BE(at + 2) : 2;
    at = bytes.indexOf(0xff, at);
  }
  return bytes.length;
}

/** Lossless or with arithmetic coding, where few bytes can stand for very much work. Browsers cannot show them either. */
const isUnusualFrame = (marker: number) => marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4;

const hasLength = (marker: number) => marker > 1 && (marker < 0xd0 || marker > 0xd7);

export interface EncodedPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const widths = [320, 640, 1280];
/** No side of the largest size is longer. */
const maxSide = 2560;
const maxPixels = 50_000_000;
const maxOriginalSide = 30_000;
/** Of a picture that is cropped to a square: the rest would be lost. */
const maxAspect = 4;
const quality = 80;

/** Decoding a picture may take 400 MB, and other work needs a processor too. */
const queue = new RequestQueue({ maxRunning: Math.max(1, availableParallelism() >> 1), maxWaiting: 20 });
const ownQueues = new QueuePerPerson<number | null>({ maxRunning: 1, maxWaiting: 10 });

/** Clockwise, in degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** Smallest first. */
export const encodeSizes = (
  bytes: Uint8Array,
  contributor: number | null,
  turn: Turn = 0,
): Promise<EncodedPicture[]> => encodeInQueue(bytes, contributor, (picture) => encodeNow(picture, turn));

/** The square in the middle with each of these sides that it is large enough for, smallest first. */
export const encodeSquares = (
  bytes: Uint8Array,
  contributor: number | null,
  sides: readonly number[],
): Promise<EncodedPicture[]> =>
  encodeInQueue(bytes, contributor, (picture) => encodeSquaresNow(picture, sides));

async function encodeInQueue(
  bytes: Uint8Array,
  contributor: number | null,
  encode: (picture: Uint8Array) => Promise<EncodedPicture[]>,
): Promise<EncodedPicture[]> {
  const picture = bytes[0] === 0xff ? trimJpeg(bytes) : bytes;
  try {
    return await ownQueues.run(contributor, () => queue.run(() => encode(picture)));
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'ERR_IMAGE_TOO_MANY_PIXELS')
      throw new InvalidValue(apiText('megapixels', { max: maxPixels / 1_000_000 }));
    if (code.startsWith('ERR_IMAGE')) throw new InvalidValue(apiText('brokenPicture'));
    throw error;
  }
}

async function encodeNow(bytes: Uint8Array, turn: Turn): Promise<EncodedPicture[]> {
  await measure(bytes);
  const upright = await decode(bytes, maxSide, turn);
  const whole = await encode(new Bun.Image(upright));
  const smaller: EncodedPicture[] = [];
  for (const width of widths) {
    if (width < whole.width)
      smaller.push(await encode(new Bun.Image(upright).resize(width, scaledHeight(width, whole))));
  }
  return [...smaller, whole];
}

async function encodeSquaresNow(bytes: Uint8Array, sides: readonly number[]): Promise<EncodedPicture[]> {
  const { width, height } = await measure(bytes);
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const smallest = Math.min(...sides);
  if (shorter < smallest) throw new InvalidValue(apiText('minSide', { min: smallest }));
  if (longer > shorter * maxAspect) throw new InvalidValue(apiText('maxAspect', { max: maxAspect }));
  // Its shorter side is the largest side that is wanted.
  const box = Math.ceil((Math.max(...sides) * longer) / shorter);
  const square = await cropToSquare(await decode(bytes, box));
  const possible = new Set(sides.map((each) => Math.min(each, shorter)));
  return Promise.all([...possible].map((each) => encode(new Bun.Image(square).resize(each, each))));
}

async function measure(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { width, height } = await new Bun.Image(bytes, { maxPixels }).metadata();
  if (Math.max(width, height) > maxOriginalSide)
    throw new InvalidValue(apiText('pixels', { max: maxOriginalSide.toLocaleString('en') }));
  return { width, height };
}

/** Upright, no side longer than `side`. All sizes are made from this PNG, which costs little because it is not compressed. */
async function decode(bytes: Uint8Array, side: number, turn: Turn = 0): Promise<Buffer> {
  const picture = await new Bun.Image(bytes, { maxPixels })
    .rotate(turn)
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .buffer();
  // Only the colour profile is left of its metadata. It may be large, and has texts and dates.
  return cleanPicture(picture) ?? picture;
}

const scaledHeight = (width: number, whole: EncodedPicture) =>
  Math.max(1, Math.round((whole.height * width) / whole.width));

async function encode(picture: Bun.Image): Promise<EncodedPicture> {
  const bytes = await picture.webp({ quality }).bytes();
  const { width, height } = await new Bun.Image(bytes).metadata();
  return { bytes, width, height };
}

// Cuts the square in the middle out of a picture. Bun.Image cannot crop, so this reads a PNG that Bun.Image has just
// written with `compressionLevel: 0`: its rows stand in it as they are.

const signatureLength = 8;
/** Red, green, blue and opacity: Bun.Image writes no other. */
const bytesPerPixel = 4;
/** Enough for those of phones and cameras. A longer profile would be longer than a small picture. */
const maxProfileBytes = 1024;

const inflateInThread = promisify<Buffer, Buffer>(inflate);

export async function cropToSquare(png: Buffer): Promise<Buffer> {
  const chunks = readChunks(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header?.readUInt16BE(8) !== 0x0806) throw new Error('the PNG has an unknown format');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const side = Math.min(width, height);
  const rows = await inflateInThread(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
  );
  const [left, top] = [(width - side) >> 1, (height - side) >> 1];
  // Before each row stands a byte for its filter, which is none.
  const [rowLength, croppedLength] = [1 + width * bytesPerPixel, 1 + side * bytesPerPixel];
  const cropped = Buffer.alloc(side * croppedLength);
  for (let y = 0; y < side; y++) {
    const start = (top + y) * rowLength;
    if (rows[start] !== 0) throw new Error('a row of the PNG has a filter');
    const from = start + 1 + left * bytesPerPixel;
    rows.copy(cropped, y * croppedLength + 1, from, from + side * bytesPerPixel);
  }
  const squareHeader = Buffer.from(header);
  squareHeader.writeUInt32BE(side, 0);
  squareHeader.writeUInt32BE(side, 4);
  return Buffer.concat([
    png.subarray(0, signatureLength),
    formatChunk('IHDR', squareHeader),
    ...chunks.filter(isShortProfile).map(({ type, data }) => formatChunk(type, data)),
    formatChunk('IDAT', deflateSync(cropped, { level: 0 })),
    formatChunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signatureLength; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

function isShortProfile({ type, data }: Chunk): boolean {
  if (type !== 'iCCP' || data.length > 2 * maxProfileBytes) return false;
  try {
    // The name ends with a zero, and another one stands for the compression.
    inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: maxProfileBytes });
    return true;
  } catch {
    return false;
  }
}

function formatChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
