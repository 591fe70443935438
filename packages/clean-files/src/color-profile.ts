// Writes a colour profile anew from its numbers: three colours and their curves. A profile also has texts and dates, such as
// the name of a screen and of the person who measured it.

const maxCurvePoints = 4096;
/** How many numbers the formula of a curve has, by its kind. */
const formulaNumbers = [1, 3, 4, 5, 7];
const colors = ['rXYZ', 'gXYZ', 'bXYZ'];
const curves = ['rTRC', 'gTRC', 'bTRC'];
/** The white of the space in which profiles describe colours (D50). */
const white = Buffer.from('0000f6d6000100000000d32d', 'hex');
const headerLength = 128;

/** Undefined for a profile that is not described in this way: of grey, of printers, or with tables. */
export function cleanProfile(profile: Buffer): Buffer | undefined {
  if (profile.length < headerLength + 4 || profile.toString('latin1', 16, 24) !== 'RGB XYZ ')
    return undefined;
  const tags = readTags(profile);
  const values = [...colors, ...curves].map((name) => {
    const tag = tags.get(name);
    return tag && (colors.includes(name) ? readColor(tag) : readCurve(tag));
  });
  if (values.some((value) => value === undefined)) return undefined;
  return writeProfile([
    ['desc', localized('RGB')],
    ['cprt', localized('CC0')],
    ['wtpt', Buffer.concat([Buffer.from('XYZ \0\0\0\0'), white])],
    ...[...colors, ...curves].map((name, index): [string, Buffer] => [name, values[index] as Buffer]),
  ]);
}

function readTags(profile: Buffer): Map<string, Buffer> {
  const count = Math.min(profile.readUInt32BE(headerLength), 100);
  const tags = new Map<string, Buffer>();
  for (let at = headerLength + 4; at < headerLength + 4 + count * 12 && at + 12 <= profile.length; at += 12) {
    const [start, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)];
    tags.set(profile.toString('latin1', at, at + 4), profile.subarray(start, start + length));
  }
  return tags;
}

const readColor = (tag: Buffer) =>
  tag.length >= 20 && tag.toString('latin1', 0, 4) === 'XYZ ' ? tag.subarray(0, 20) : undefined;

function readCurve(tag: Buffer): Buffer | undefined {
  if (tag.length < 12) return undefined;
  const kind = tag.toString('latin1', 0, 4);
  const points = tag.readUInt32BE(8);
  const numbers = formulaNumbers[tag.readUInt16BE(8)];
  let length: number | undefined;
  if (kind === 'curv' && points <= maxCurvePoints) length = 12 + points * 2;
  if (kind === 'para' && numbers !== undefined) length = 12 + numbers * 4;
  return length !== undefined && length <= tag.length ? tag.subarray(0, length) : undefined;
}

/** A text in one language. */
function localized(text: string): Buffer {
  const head = Buffer.alloc(28);
  head.write('mluc', 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write('enUS', 16, 'latin1');
  head.writeUInt32BE(text.length * 2, 20);
  head.writeUInt32BE(28, 24);
  return Buffer.concat([head, Buffer.from(text, 'utf16le').swap16()]);
}

function writeProfile(tags: readonly [name: string, value: Buffer][]): Buffer {
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  const parts: Buffer[] = [];
  // Curves that are equal stand there once.
  const places = new Map<string, number>();
  let end = headerLength + table.length;
  for (const [index, [name, value]] of tags.entries()) {
    const key = value.toString('latin1');
    const place = places.get(key) ?? end;
    table.write(name, 4 + index * 12, 'latin1');
    table.writeUInt32BE(place, 8 + index * 12);
    table.writeUInt32BE(value.length, 12 + index * 12);
    if (place !== end) continue;
    places.set(key, place);
    const padding = Buffer.alloc((4 - (value.length % 4)) % 4);
    parts.push(value, padding);
    end += value.length + padding.length;
  }
  const header = Buffer.alloc(headerLength);
  header.writeUInt32BE(end);
  header.writeUInt32BE(0x04300000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  white.copy(header, 68);
  return Buffer.concat([header, table, ...parts]);
}
