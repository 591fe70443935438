// Removes the metadata of JPEG and PNG pictures inside documents: EXIF with the place, XMP, comments. The picture and its
// colour profile stay as they are.

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const pngMetadata = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'];

/** Anything else, and a picture that is broken, stays as it is: readers of the document cannot show it either. */
export function stripPicture(bytes: Buffer): Buffer {
  if (bytes.subarray(0, 8).equals(pngSignature)) return stripPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return stripJpeg(bytes);
  return bytes;
}

function stripPng(bytes: Buffer): Buffer {
  const parts: Buffer[] = [pngSignature];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return bytes;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!pngMetadata.includes(type)) parts.push(bytes.subarray(at, end));
    // What follows the end may be anything.
    if (type === 'IEND') return Buffer.concat(parts);
    at = end;
  }
  return bytes;
}

const [startOfScan, endOfImage, comment, app0, app2, app14] = [0xda, 0xd9, 0xfe, 0xe0, 0xe2, 0xee];

/** Keeps JFIF (APP0), a colour profile (APP2) and Adobe's colour transform (APP14); all other APP segments go. */
function isMetadata(marker: number, content: Buffer): boolean {
  if (marker === app2) return !content.subarray(0, 11).equals(Buffer.from('ICC_PROFILE'));
  if (marker === app0) return !content.subarray(0, 4).equals(Buffer.from('JFIF'));
  return marker === comment || (marker > app0 && marker <= 0xef && marker !== app14);
}

function stripJpeg(bytes: Buffer): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return bytes;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return bytes;
    if (!isMetadata(marker, bytes.subarray(at + 4, end))) parts.push(bytes.subarray(at, end));
    at = end;
    if (marker !== startOfScan) continue;
    at = findEndOfScan(bytes, end);
    parts.push(bytes.subarray(end, at));
    // Phones put a second picture with its own metadata after the end.
    if (bytes[at + 1] === endOfImage) return Buffer.concat([...parts, bytes.subarray(at, at + 2)]);
  }
  return bytes;
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
