// Cuts the square in the middle out of a picture. Bun.Image cannot crop, so this reads a PNG that Bun.Image has just
// written with `compressionLevel: 0`: its rows stand in it as they are.

import { promisify } from 'node:util';
import { crc32, deflateSync, inflate, inflateSync } from 'node:zlib';

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
