// Removes the author, the title, the programs and the XMP metadata of a PDF, and the metadata of JPEG pictures in it. The
// file is rewritten, so that nothing of an earlier version is left in it.

import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import { apiText } from '../../../common/api-text.ts';
import { InvalidValue } from '../../../common/inputs.ts';
import { stripPicture } from './picture.ts';

const metadataKeys = ['Metadata', 'PieceInfo', 'LastModified'].map((name) => PDFName.of(name));
const broken = () => new InvalidValue(apiText('brokenPdf'));
const filterKey = PDFName.of('Filter');
const jpegFilter = PDFName.of('DCTDecode');

export async function stripPdf(bytes: Uint8Array): Promise<Buffer> {
  const document = await openPdf(bytes);
  const { context } = document;
  const info = context.trailerInfo.Info;
  context.trailerInfo.Info = undefined;
  if (info instanceof PDFRef) context.delete(info);
  for (const [reference, object] of context.enumerateIndirectObjects()) {
    const dictionary = object instanceof PDFRawStream ? object.dict : object;
    if (!(dictionary instanceof PDFDict)) continue;
    if (dictionary.get(PDFName.of('Type')) === PDFName.of('Metadata')) {
      context.delete(reference);
      continue;
    }
    for (const key of metadataKeys) dictionary.delete(key);
    if (object instanceof PDFRawStream && dictionary.get(filterKey) === jpegFilter) {
      const picture = stripPicture(Buffer.from(object.contents));
      context.assign(reference, PDFRawStream.of(object.dict, picture));
    }
  }
  deleteUnused(context);
  return Buffer.from(await document.save({ updateFieldAppearances: false, addDefaultPage: false }));
}

/** Earlier versions leave objects that nothing refers to any more, such as the author of that time. */
function deleteUnused(context: PDFContext): void {
  const used = new Set<PDFObject>();
  const pending: (PDFObject | undefined)[] = [context.trailerInfo.Root];
  while (pending.length) {
    const object = pending.pop();
    if (!object || used.has(object)) continue;
    used.add(object);
    if (object instanceof PDFRef) pending.push(context.lookup(object));
    else if (object instanceof PDFStream) pending.push(object.dict);
    else if (object instanceof PDFDict) for (const value of object.values()) pending.push(value);
    else if (object instanceof PDFArray) for (const value of object.asArray()) pending.push(value);
  }
  for (const [reference] of context.enumerateIndirectObjects())
    if (!used.has(reference)) context.delete(reference);
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocument> {
  checkObjectStreams(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  let document: PDFDocument;
  try {
    document = await PDFDocument.load(bytes, { updateMetadata: false, ignoreEncryption: true });
    document.getPageCount();
  } catch {
    throw broken();
  }
  if (document.isEncrypted) throw new InvalidValue(apiText('encryptedPdf'));
  return document;
}

const maxObjectBytes = 50_000_000;

/**
 * The library decompresses the streams that hold objects, however large they become: a small file could take all memory.
 * Refuses such streams if they are too large together, or compressed more than once.
 */
function checkObjectStreams(bytes: Buffer): void {
  let remaining = maxObjectBytes;
  for (let [at, last] = [bytes.indexOf('stream'), 0]; at >= 0; at = bytes.indexOf('stream', at + 6)) {
    const before = bytes.toString('latin1', last, at);
    last = at + 6;
    if (before.endsWith('end')) continue;
    const dictionary = before.replace(/#([0-9a-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (!/ObjStm|XRef/.test(dictionary)) continue;
    const filters = [...dictionary.matchAll(/\/(?:Filter|F)\s*(\[[^\]]*\]|\/\w+|\d+ \d+ R)/g)];
    if (filters.some(([, filter = '']) => !/^\[?\s*\/FlateDecode\s*\]?$/.test(filter))) throw broken();
    const start = bytes[last] === 13 ? last + 2 : last + 1;
    remaining -= measureContent(bytes.subarray(start), remaining);
  }
}

function measureContent(data: Buffer, maxLength: number): number {
  try {
    return inflateSync(data, { maxOutputLength: maxLength }).length;
  } catch (error) {
    if (error instanceof RangeError) throw broken();
    return 0;
  }
}
