// Checks what a JPEG costs before it is decoded. The decoder goes through the whole picture once for each scan, and a scan
// has 13 bytes: 2 MB can keep it busy for 15 minutes.

import { apiText } from '../../common/api-text.ts';
import { InvalidValue } from '../../common/fields.ts';

/** A usual progressive JPEG has ten. */
const maxScans = 50;
/** Before the first scan. A colour profile or metadata of 16 MB has 256. */
const maxMarkers = 10_000;

const startOfScan = Buffer.from([0xff, 0xda]);
const endOfImage = Buffer.from([0xff, 0xd9]);

/** The JPEG without what follows its end. The decoder would fill a JPEG that is cut off with grey. */
export function trimJpeg(bytes: Uint8Array): Uint8Array {
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
