// Office documents, OpenDocument and EPUB are ZIP archives: recognizes them, refuses those with macros, and removes what
// they say about their author.

import { apiText } from '../../../common/api-text.ts';
import { InvalidValue } from '../../../common/inputs.ts';
import type { MediaType } from '../media.ts';
import { stripPicture } from './picture.ts';
import { readContent, readZip, tooMuch, withContent, writeZip, type ZipEntry } from './zip.ts';

const maxEntries = 10_000;
/** Of all entries together, as the document says. */
const maxTotalBytes = 1_000_000_000;
/** Of one entry that is read, together with the documents in which it is: so much is in memory. */
const maxEntryBytes = 50_000_000;
const maxTextBytes = 2_000_000;
const maxNesting = 3;

const macros = new InvalidValue(apiText('macros'));
const office = 'application/vnd.openxmlformats-officedocument';
const officeParts: readonly (readonly [name: string, type: MediaType])[] = [
  ['word/document.xml', `${office}.wordprocessingml.document`],
  ['xl/workbook.xml', `${office}.spreadsheetml.sheet`],
  ['ppt/presentation.xml', `${office}.presentationml.presentation`],
];

const open = 'application/vnd.oasis.opendocument';
const openTypes: readonly MediaType[] = [`${open}.text`, `${open}.spreadsheet`, `${open}.presentation`];

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const officeNamespace = 'http://schemas.openxmlformats.org';
const openNamespace = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';

/** Parts that only describe the document, and what is stored instead. */
const emptyParts: Readonly<Record<string, string>> = {
  'docProps/core.xml': `${xml}<cp:coreProperties xmlns:cp="${officeNamespace}/package/2006/metadata/core-properties"/>`,
  'docProps/app.xml': `${xml}<Properties xmlns="${officeNamespace}/officeDocument/2006/extended-properties"/>`,
  'docProps/custom.xml': `${xml}<Properties xmlns="${officeNamespace}/officeDocument/2006/custom-properties"/>`,
  'meta.xml': `${xml}<office:document-meta xmlns:office="${openNamespace}" office:version="1.2"><office:meta/></office:document-meta>`,
};

interface Archive {
  readonly type: MediaType;
  readonly bytes: Buffer;
}

export function stripArchive(bytes: Buffer, nesting = 0, maxBytes = maxEntryBytes): Archive {
  const entries = readZip(bytes);
  const type = findDocumentType(entries);
  // A ZIP archive stays as it is: its sender decides what it holds.
  if (type === undefined) return { type: 'application/zip', bytes };
  if (nesting >= maxNesting) throw new InvalidValue(apiText('nestedDocuments'));
  if (entries.some(({ isEncrypted }) => isEncrypted)) throw new InvalidValue(apiText('encryptedDocument'));
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (entries.length > maxEntries || size > maxTotalBytes) throw tooMuch;
  const stripped = entries.map((entry) => {
    const content = stripEntry(entry, type, maxBytes, nesting);
    return content ? withContent(entry, content) : entry;
  });
  return { type, bytes: writeZip(stripped) };
}

/** Undefined for an archive that is no document. Documents of rarer types are stored as ZIP archives, but stripped. */
function findDocumentType(entries: readonly ZipEntry[]): MediaType | undefined {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const readText = (name: string) => {
    const entry = byName.get(name);
    return entry && !entry.isEncrypted ? readContent(entry, maxTextBytes).toString() : undefined;
  };
  const contentTypes = readText('[Content_Types].xml');
  if (contentTypes !== undefined) {
    if (/macroEnabled|vbaProject/i.test(contentTypes) || entries.some(isMacroPart)) throw macros;
    return officeParts.find(([name]) => byName.has(name))?.[1] ?? 'application/zip';
  }
  const declared = entries[0]?.name === 'mimetype' ? readText('mimetype')?.trim() : undefined;
  if (declared === 'application/epub+zip') return declared;
  if (!declared?.startsWith('application/vnd.oasis.opendocument.')) return undefined;
  if (entries.some(({ name }) => /^(Basic|Scripts)\/[^/]+\/./.test(name))) throw macros;
  return openTypes.find((type) => type === declared) ?? 'application/zip';
}

const isMacroPart = ({ name }: ZipEntry) =>
  /(^|\/)vbaProject\.bin$|\.(doc|dot|xls|xlt|ppt|pot|pps)m$/i.test(name);

/** The new content; undefined if the entry stays. */
function stripEntry(entry: ZipEntry, type: MediaType, maxBytes: number, nesting: number): Buffer | undefined {
  const { name } = entry;
  const isEpub = type === 'application/epub+zip';
  const emptyPart = isEpub || !Object.hasOwn(emptyParts, name) ? undefined : emptyParts[name];
  if (emptyPart !== undefined) return Buffer.from(emptyPart);
  if (isEpub && name.endsWith('.opf'))
    return Buffer.from(stripBookMetadata(readContent(entry, maxTextBytes).toString()));
  if (/\.(jpe?g|png)$/i.test(name)) return stripPicture(readContent(entry, maxBytes));
  if (/\.(docx|xlsx|pptx|od[tsp])$/i.test(name)) {
    const content = readContent(entry, maxBytes);
    return stripArchive(content, nesting + 1, maxBytes - content.length).bytes;
  }
  // The pictures of old OpenDocument files have no extension.
  if (name.startsWith('Pictures/') && !name.includes('.')) return stripPicture(readContent(entry, maxBytes));
  return undefined;
}

/** Removes the names of people. The title, the language and the identifier are required. */
function stripBookMetadata(text: string): string {
  const people = /<(dc:(?:creator|contributor|publisher|rights))\b([^>]*)>[^<]*<\/\1\s*>/g;
  const ids = [...text.matchAll(people)].flatMap(
    ([, , attributes = '']) => /\bid="([^"]*)"/.exec(attributes)?.[1] ?? [],
  );
  return text
    .replace(people, '')
    .replace(/<meta\b([^>]*)>[^<]*<\/meta\s*>/g, (element, attributes: string) => {
      const refined = /\brefines="#([^"]*)"/.exec(attributes)?.[1];
      return refined !== undefined && ids.includes(refined) ? '' : element;
    });
}
