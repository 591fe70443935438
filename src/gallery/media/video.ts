// What a telephone writes into an MP4 or QuickTime video beside pictures and sound, the place where it was taken among
// it, is blanked out. The boxes keep their lengths, so that whatever points into the file still points right.

const described = ['udta', 'meta', 'uuid'];
const opened = ['moov', 'trak'];

/** A video that is not built as it should is given back as it is: it is never read by us otherwise. */
export function withoutDescriptions(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  blank(copy, 0, copy.length);
  return copy;
}

function blank(bytes: Buffer, from: number, upTo: number): void {
  for (let at = from; at + 8 <= upTo; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const long = bytes.readUInt32BE(at) === 1 && at + 16 <= upTo;
    const head = long ? 16 : 8;
    const length = long ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at) || upTo - at;
    const end = at + length;
    if (length < head || end > upTo) return;
    if (described.includes(type)) bytes.write('free', at + 4, 'latin1') && bytes.fill(0, at + head, end);
    else if (opened.includes(type)) blank(bytes, at + head, end);
    at = end;
  }
}
