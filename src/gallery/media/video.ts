// Blanks the metadata that phones write into MP4 and QuickTime videos, such as the place of recording. Boxes keep
// their lengths, so that offsets in the file stay valid.

const metadataBoxes = ['udta', 'meta', 'uuid'];
const containerBoxes = ['moov', 'trak'];

/** A malformed video is returned unchanged: we do not read it in any other way. */
export function stripMetadata(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  blankMetadata(copy, 0, copy.length);
  return copy;
}

function blankMetadata(bytes: Buffer, start: number, limit: number): void {
  for (let at = start; at + 8 <= limit; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const hasLongSize = bytes.readUInt32BE(at) === 1 && at + 16 <= limit;
    const headerLength = hasLongSize ? 16 : 8;
    const length = hasLongSize ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at) || limit - at;
    const end = at + length;
    if (length < headerLength || end > limit) return;
    if (metadataBoxes.includes(type))
      bytes.write('free', at + 4, 'latin1') && bytes.fill(0, at + headerLength, end);
    else if (containerBoxes.includes(type)) blankMetadata(bytes, at + headerLength, end);
    at = end;
  }
}
