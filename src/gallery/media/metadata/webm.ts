// Blanks the tags, the title, the date, the programs and the attachments of a WebM file. An element is replaced by a
// Void element of the same length, so that positions in the file stay valid.

const voidElement = 0xec;
const [segment, info, cluster, tracks, trackEntry] = [0x18538067, 0x1549a966, 0x1f43b675, 0x1654ae6b, 0xae];
const tags = 0x1254c367;
const attachments = 0x1941a469;
/** Title, date, muxing program, writing program, file name, and the name of a track. */
const metadata = [tags, attachments, 0x7ba9, 0x4461, 0x7384, 0x536e];
/** Required elements: their text is overwritten. */
const programs = [0x4d80, 0x5741];
const containers = [segment, info, tracks, trackEntry];

export function blankWebm(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at);
    if (!element) return;
    const { id, start, end } = element;
    if (metadata.includes(id) && end !== undefined) writeVoid(bytes, at, end);
    else if (programs.includes(id) && end !== undefined) bytes.fill(' ', start, end);
    // A recording has clusters of unknown length: their blocks are passed over one by one.
    const isEntered = containers.includes(id) || (id === cluster && end === undefined);
    if (!isEntered && end === undefined) return;
    at = isEntered ? start : (end ?? bytes.length);
  }
}

interface Element {
  readonly id: number;
  /** Of the content. */
  readonly start: number;
  /** Undefined if it is unknown. */
  readonly end: number | undefined;
}

function readElement(bytes: Buffer, at: number): Element | undefined {
  const idLength = Math.clz32(bytes.readUInt8(at)) - 23;
  const sizeAt = at + idLength;
  if (idLength > 4 || sizeAt >= bytes.length) return undefined;
  const sizeLength = Math.clz32(bytes.readUInt8(sizeAt)) - 23;
  const start = sizeAt + sizeLength;
  if (sizeLength > 8 || start > bytes.length) return undefined;
  const id = bytes.readUIntBE(at, idLength);
  let size = bytes.readUInt8(sizeAt) & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let index = sizeAt + 1; index < start; index++) {
    size = size * 256 + bytes.readUInt8(index);
    isUnknown &&= bytes[index] === 0xff;
  }
  if (isUnknown) return { id, start, end: undefined };
  return { id, start, end: Math.min(start + size, bytes.length) };
}

/** The length of the content is written in as many bytes as fit. */
function writeVoid(bytes: Buffer, at: number, end: number): void {
  const sizeLength = end - at >= 9 ? 8 : 1;
  const start = at + 1 + sizeLength;
  bytes.fill(0, at, end);
  bytes[at] = voidElement;
  const size = end - start;
  if (sizeLength === 1) bytes[at + 1] = 0x80 | size;
  else {
    bytes[at + 1] = 1;
    bytes.writeUIntBE(size, at + 3, 6);
  }
}
