// Generates documents and videos with metadata, so that no file has to be stored and the content is known.

import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

interface ZipOptions {
  /** The flag that says that the entries need a password. */
  readonly isEncrypted?: boolean;
  /** Written instead of the real sizes. */
  readonly declaredSize?: number;
}

/** A ZIP archive with a comment. The first entry is stored, the others are compressed. */
export function zip(
  entries: Readonly<Record<string, string | Buffer>>,
  { isEncrypted = false, declaredSize }: ZipOptions = {},
): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [index, [name, text]] of Object.entries(entries).entries()) {
    const content = Buffer.from(text);
    const data = index === 0 ? content : deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20);
    fields.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    fields.writeUInt16LE(index === 0 ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(declaredSize ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    const local = [Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data];
    parts.push(...local);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), fields, rest, Buffer.from(name));
    at += local.reduce((sum, { length }) => sum + length, 0);
  }
  const comment = Buffer.from('comment of an archive');
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end, comment]));
}

export type Relation = readonly [id: string, kind: string, target: string, mode?: 'External'];

/** To which parts a part of an Office document refers. */
export const relations = (...list: readonly Relation[]) =>
  `<Relationships>${list
    .map(([id, kind, target, mode]) => {
      const where = mode ? ` TargetMode="${mode}"` : '';
      return `<Relationship Id="${id}" Type="http://schemas/${kind}" Target="${target}"${where}/>`;
    })
    .join('')}</Relationships>`;

/** The list of parts of a document of Word, Excel or PowerPoint. */
export const contentTypes = (
  part = 'word/document.xml',
  type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
) => `<Types><Override PartName="/${part}" ContentType="${type}"/></Types>`;

/** The parts of a Word document whose text has these relations. */
export const wordParts = (text = '<w/>', list: readonly Relation[] = []) => ({
  '[Content_Types].xml': contentTypes(),
  '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
  'word/document.xml': text,
  'word/_rels/document.xml.rels': relations(...list),
});

/** Objects are numbered from 1; the first one is the catalog. */
export function pdf(objects: readonly (string | Buffer)[], trailer = ''): Uint8Array<ArrayBuffer> {
  let bytes = Buffer.from('%PDF-1.7\n');
  const positions = objects.map((object, index) => {
    const at = bytes.length;
    bytes = Buffer.concat([
      bytes,
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    return at;
  });
  const table = positions.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${bytes.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([bytes, Buffer.from(end)]));
}

export const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

/** A stream of objects that becomes this large when it is decompressed. */
export const objectStream = (length: number): Buffer =>
  stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', deflateSync(Buffer.alloc(length)));

/** An element of WebM with a length of eight bytes. */
export function webmElement(id: string, content: string | Buffer): Buffer {
  const data = Buffer.from(content);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(data.length, 4);
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), size, data]);
}

/** A box of MP4 or QuickTime. */
export function box(type: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A page of Ogg with one packet, without a checksum. */
export function oggPage(packet: Buffer): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 'latin1');
  const lengths = Buffer.alloc(Math.floor(packet.length / 255) + 1, 255);
  lengths[lengths.length - 1] = packet.length % 255;
  head[26] = lengths.length;
  return Buffer.concat([head, lengths, packet]);
}

export const numbers = (...values: number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }),
  );

export const emptyPdf = pdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']);
