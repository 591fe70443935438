// Blanks the comments of an Ogg file: the second packet of each stream. All lengths stay, and the checksums of the pages are
// computed again.

const headerLength = 27;
const checksumAt = 22;
const signatures = ['\x81theora', '\x03vorbis', 'OpusTags'];

export function blankOgg(bytes: Buffer): void {
  const streams = new Map<number, { packet: number; positions: number[]; pages: Set<number> }>();
  for (let at = 0; at + headerLength <= bytes.length; ) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS') return;
    const serial = bytes.readUInt32LE(at + 14);
    const stream = streams.get(serial) ?? { packet: 0, positions: [], pages: new Set<number>() };
    streams.set(serial, stream);
    const segmentCount = bytes.readUInt8(at + 26);
    let position = at + headerLength + segmentCount;
    for (let index = 0; index < segmentCount; index++) {
      const length = bytes[at + headerLength + index] ?? 0;
      if (stream.packet === 1) {
        stream.pages.add(at);
        for (let offset = 0; offset < length && position + offset < bytes.length; offset++)
          stream.positions.push(position + offset);
      }
      position += length;
      if (length < 255) stream.packet += 1;
    }
    at = position;
  }
  for (const { positions, pages } of streams.values()) {
    blankComments(bytes, positions);
    for (const page of pages) writeChecksum(bytes, page);
  }
}

/** The name of the program, then the comments: each with its length in front. `positions` are those of the packet's bytes. */
function blankComments(bytes: Buffer, positions: readonly number[]): void {
  const read = (index: number) => bytes[positions[index] ?? bytes.length] ?? 0;
  const readLength = (index: number) =>
    read(index) + read(index + 1) * 256 + read(index + 2) * 65_536 + read(index + 3) * 16_777_216;
  const head = Array.from({ length: 8 }, (_, index) => String.fromCharCode(read(index))).join('');
  const signature = signatures.find((text) => head.startsWith(text));
  if (!signature) return;
  const blank = (start: number, length: number, text: string) => {
    for (let index = 0; index < length && start + index < positions.length; index++)
      bytes[positions[start + index] ?? 0] = (text[index] ?? ' ').charCodeAt(0);
  };
  let at = signature.length;
  const programLength = readLength(at);
  blank(at + 4, programLength, '');
  at += 4 + programLength;
  const count = readLength(at);
  at += 4;
  for (let index = 0; index < count && at < positions.length; index++) {
    const length = readLength(at);
    blank(at + 4, length, 'X=');
    at += 4 + length;
  }
}

const checksumTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

function writeChecksum(bytes: Buffer, page: number): void {
  const segmentCount = bytes.readUInt8(page + 26);
  const segments = bytes.subarray(page + headerLength, page + headerLength + segmentCount);
  const length = headerLength + segmentCount + segments.reduce((sum, segment) => sum + segment, 0);
  bytes.writeUInt32LE(0, page + checksumAt);
  let value = 0;
  for (const byte of bytes.subarray(page, page + length))
    value = ((value << 8) ^ (checksumTable[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  bytes.writeUInt32LE(value, page + checksumAt);
}
