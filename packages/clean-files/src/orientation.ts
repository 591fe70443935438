// Cameras store a photo as their sensor lies, and write in its metadata how it is to be turned. Without that, it would be shown
// lying on its side, so this one number is written into the cleaned photo again.

const exif = Buffer.from('Exif\0\0', 'latin1');
const [app0, app1, startOfScan, orientationTag] = [0xe0, 0xe1, 0xda, 0x112];

/** Of a JPEG, from 2 to 8; undefined if it is upright or does not say. */
export function readOrientation(bytes: Buffer): number | undefined {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    if (marker === startOfScan) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at + 4, end);
    if (marker === app1 && segment.subarray(0, exif.length).equals(exif))
      return findOrientation(segment.subarray(exif.length));
    at = end;
  }
  return undefined;
}

/** In the first directory of the metadata, whose entries have 12 bytes. */
function findOrientation(tiff: Buffer): number | undefined {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const numberAt = (at: number) => {
    if (at + 2 > tiff.length) return 0;
    return isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  if (tiff.length < 8) return undefined;
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let index = 0; index < numberAt(directory); index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return undefined;
    if (numberAt(entry) !== orientationTag) continue;
    const orientation = numberAt(entry + 8);
    return orientation >= 2 && orientation <= 8 ? orientation : undefined;
  }
  return undefined;
}

/** A cleaned JPEG with metadata that has nothing but this. */
export function writeOrientation(bytes: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  tiff.writeUInt16BE(orientation, 18);
  const head = Buffer.from([0xff, app1, 0, 2 + exif.length + tiff.length]);
  // Behind the head of JFIF, if there is one.
  const at = bytes[3] === app0 ? 4 + bytes.readUInt16BE(4) : 2;
  return Buffer.concat([bytes.subarray(0, at), head, exif, tiff, bytes.subarray(at)]);
}
