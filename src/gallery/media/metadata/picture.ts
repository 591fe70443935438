// Removes the metadata of JPEG and PNG pictures inside documents: EXIF with the place, XMP, comments. The picture and its
// colour profile stay as they are.

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Types of chunks as numbers: a picture can have millions of chunks, and strings of them would fill the memory. */
const toChunkType = (name: string) => Buffer.from(name, 'latin1').readUInt32BE();
const pngMetadata = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'].map(toChunkType);
const pngEnd = toChunkType('IEND');

/** Receives each part that stays, in order. */
type Keep = (start: number, end: number) => void;

/**
 * Moves what stays together within `bytes`: a picture may be large. Anything else, and a picture that is broken, stays as
 * it is: readers of the document cannot show it either.
 */
export function stripPicture(bytes: Buffer): Buffer {
  const visit = findFormat(bytes);
  if (!visit?.(bytes, () => {})) return bytes;
  let length = 0;
  visit(bytes, (start, end) => {
    length += bytes.copy(bytes, length, start, end);
  });
  return bytes.subarray(0, length);
}

function findFormat(bytes: Buffer) {
  if (bytes.subarray(0, 8).equals(pngSignature)) return visitPng;
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? visitJpeg : undefined;
}

/** False if the picture is broken. */
function visitPng(bytes: Buffer, keep: Keep): boolean {
  keep(0, 8);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return false;
    const type = bytes.readUInt32BE(at + 4);
    if (!pngMetadata.includes(type)) keep(at, end);
    // The bytes after the end may be anything.
    if (type === pngEnd) return true;
    at = end;
  }
  return false;
}

const [startOfScan, endOfImage, comment, app0, app2, app14] = [0xda, 0xd9, 0xfe, 0xe0, 0xe2, 0xee];

const [jfif, colorProfile] = [Buffer.from('JFIF'), Buffer.from('ICC_PROFILE')];

/** Keeps JFIF (APP0), a colour profile (APP2) and Adobe's colour transform (APP14); all other APP segments go. */
function isMetadata(marker: number, bytes: Buffer, start: number, end: number): boolean {
  const beginsWith = (name: Buffer) => name.compare(bytes, start, Math.min(start + name.length, end)) === 0;
  if (marker === app2) return !beginsWith(colorProfile);
  if (marker === app0) return !beginsWith(jfif);
  return marker === comment || (marker > app0 && marker <= 0xef && marker !== app14);
}

/** False if the picture is broken. */
function visitJpeg(bytes: Buffer, keep: Keep): boolean {
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
    if (!isMetadata(marker, bytes, at + 4, end)) keep(at, end);
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
