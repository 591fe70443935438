// Office documents, OpenDocument and EPUB are ZIP archives: recognizes them, refuses those with macros, and removes what
// they say about their author.

import { crc32 } from 'node:zlib';
import type { DocumentType } from './detect.ts';
import { InvalidFile } from './invalid-file.ts';
import { cleanEnhancedMetafile, cleanMetafile } from './metafile.ts';
import { cleanOffice } from './office.ts';
import { attributeOf, fileNameOf, type Replacement, removeBlocks, replaceIn, replaceText } from './xml.ts';
import { maxTextBytes, readContent, readZip, withContent, writeZip, type ZipEntry } from './zip.ts';

const maxEntries = 10_000;
/** Of all entries together, as the document says. */
const maxTotalBytes = 1_000_000_000;
/** Of one entry that is read, together with the documents in which it is: so much is in memory. */
const maxEntryBytes = 50_000_000;
const maxNesting = 3;

const office = 'application/vnd.openxmlformats-officedocument';
const officeTypes: readonly (readonly [mark: string, type: DocumentType])[] = [
  ['wordprocessingml.document.main', `${office}.wordprocessingml.document`],
  ['spreadsheetml.sheet.main', `${office}.spreadsheetml.sheet`],
  ['presentationml.presentation.main', `${office}.presentationml.presentation`],
];

const open = 'application/vnd.oasis.opendocument';
const openTypes: readonly DocumentType[] = [`${open}.text`, `${open}.spreadsheet`, `${open}.presentation`];

/** Removes the metadata of a file within a document or an archive; undefined if its kind is not known. */
export type StripWithin = (bytes: Buffer, nesting: number, maxBytes: number) => Promise<Buffer | undefined>;

/** Documents of rarer types are archives. */
export type ArchiveType = DocumentType | 'application/zip';

interface Surroundings {
  readonly cleanWithin: StripWithin;
  readonly nesting: number;
  readonly maxBytes: number;
}

export async function cleanArchive(
  bytes: Buffer,
  cleanWithin: StripWithin,
  { nesting = 0, maxBytes = maxEntryBytes, mustBeDocument = false } = {},
): Promise<{ type: ArchiveType; bytes: Buffer }> {
  const within = { cleanWithin, nesting, maxBytes };
  const entries = readZip(bytes);
  const type = findDocumentType(entries);
  // Programs open it all the same, with all its names.
  if (type === undefined && mustBeDocument) throw new InvalidFile('noDocument');
  if (type === undefined)
    return { type: 'application/zip', bytes: await cleanPlainArchive(bytes, entries, within) };
  if (nesting >= maxNesting) throw new InvalidFile('nestedDocuments');
  if (entries.some(({ isEncrypted }) => isEncrypted)) throw new InvalidFile('encryptedDocument');
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (entries.length > maxEntries || size > maxTotalBytes) throw new InvalidFile('tooMuch');
  const parts = selectParts(type, entries, maxBytes);
  return { type, bytes: writeZip(await cleanEach(parts, (part) => cleanPart(part, within))) };
}

/** `clean` returns nothing for what stays as it is. */
async function cleanEach(
  entries: readonly ZipEntry[],
  clean: (entry: ZipEntry) => Promise<Buffer | undefined>,
): Promise<ZipEntry[]> {
  const written: ZipEntry[] = [];
  for (const entry of entries) {
    const cleaned = await clean(entry);
    written.push(cleaned ? withContent(entry, cleaned) : entry);
  }
  return written;
}

/** The parts that stay, without names in their texts. */
function selectParts(type: ArchiveType, entries: readonly ZipEntry[], maxBytes: number): ZipEntry[] {
  if (type === 'application/epub+zip') return selectBookParts(entries);
  return entries[0]?.name === 'mimetype'
    ? cleanOpenDocument(entries, maxBytes)
    : cleanOffice(entries, maxBytes);
}

const knownContent = /\.(xml|rels|vml|x?html?|css|opf|ncx|js|txt|ttf|otf|woff2?|odttf|fntdata)$|^mimetype$/i;
/** A drawing of OpenOffice, which only draws. */
const openOfficeDrawing = 'VCLMTF';
const enhancedMetafile = '\x01\0\0\0';
const metafiles = ['\xd7\xcd\xc6\x9a', '\x01\0\x09\0'];

/** A part that is not the document's own text; undefined if it stays. What it may hide cannot be known in other formats. */
async function cleanPart(entry: ZipEntry, { cleanWithin, nesting, maxBytes }: Surroundings) {
  if (knownContent.test(entry.name)) return undefined;
  const content = readContent(entry, maxBytes);
  const head = content.toString('latin1', 0, 8);
  if (head === '' || head.startsWith(openOfficeDrawing)) return undefined;
  if (head.startsWith(enhancedMetafile)) return cleanEnhancedMetafile(content);
  if (metafiles.some((known) => head.startsWith(known))) return cleanMetafile(content);
  if (/\.svg$/i.test(entry.name)) return replaceIn(content, drawingReplacements);
  const cleaned = await cleanWithin(content, nesting + 1, maxBytes - content.length);
  if (!cleaned) throw new InvalidFile('unknownPart');
  return cleaned;
}

const drawingReplacements: readonly Replacement[] = [
  removeBlocks('<metadata', '</metadata>'),
  removeBlocks('<!--', '-->'),
];

/** Files whose names say that they have metadata that we know. */
const cleanedNames =
  /\.(jpe?g|jfif|png|gif|webp|mp3|wav|og[agv]|flac|m4[av]|mp4|mov|webm|pdf|docx|xlsx|pptx|od[tsp]|epub|glb|zip|sb[23]|sprite[23])$/i;

/** An archive is often a project of a program: all stays but the metadata of files that we know. */
async function cleanPlainArchive(bytes: Buffer, entries: readonly ZipEntry[], within: Surroundings) {
  if (within.nesting >= maxNesting) return bytes;
  const written = await cleanEach(entries, (entry) => tryToStrip(entry, within));
  return written.every((entry, index) => entry === entries[index]) ? bytes : writeZip(written);
}

/** Undefined for what stays: it is not known, has a password, is broken, or has nothing to remove. */
async function tryToStrip(entry: ZipEntry, { cleanWithin, nesting, maxBytes }: Surroundings) {
  if (entry.isEncrypted || !cleanedNames.test(entry.name) || entry.size > maxBytes) return undefined;
  try {
    const content = readContent(entry, maxBytes);
    // An entry that is not compressed is a part of the archive, which must not change if this fails.
    const own = content === entry.data ? Buffer.from(content) : content;
    const cleaned = await cleanWithin(own, nesting + 1, maxBytes - content.length);
    return cleaned?.length === entry.size && crc32(cleaned) === entry.checksum ? undefined : cleaned;
  } catch (error) {
    if (error instanceof InvalidFile) return undefined;
    throw error;
  }
}

/** Undefined for an archive that is no document. Documents of rarer types are stored as ZIP archives, but cleaned. */
function findDocumentType(entries: readonly ZipEntry[]): ArchiveType | undefined {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const readText = (name: string) => {
    const entry = byName.get(name);
    return entry && !entry.isEncrypted ? readContent(entry, maxTextBytes).toString() : undefined;
  };
  const contentTypes = readText('[Content_Types].xml');
  if (contentTypes !== undefined) {
    if (/macroEnabled|vbaProject/i.test(contentTypes) || entries.some(isMacroPart))
      throw new InvalidFile('macros');
    // Models for printers are such archives, too.
    if (!contentTypes.includes('officedocument')) return undefined;
    return officeTypes.find(([mark]) => contentTypes.includes(mark))?.[1] ?? 'application/zip';
  }
  const declared = entries[0]?.name === 'mimetype' ? readText('mimetype')?.trim() : undefined;
  if (declared === 'application/epub+zip') return declared;
  if (!declared?.startsWith('application/vnd.oasis.opendocument.')) return undefined;
  if (entries.some(({ name }) => /^(Basic|Scripts)\/[^/]+\/./.test(name))) throw new InvalidFile('macros');
  return openTypes.find((type) => type === declared) ?? 'application/zip';
}

const isMacroPart = ({ name }: ZipEntry) =>
  /(^|\/)vbaProject\.bin$|\.(doc|dot|xls|xlt|ppt|pot|pps)m$/i.test(name);

/** Programs put lists of their own into books. */
const notOfBook = /^(META-INF\/(?!container\.xml$|encryption\.xml$)|iTunes|calibre)/i;

function selectBookParts(entries: readonly ZipEntry[]): ZipEntry[] {
  return entries
    .filter(({ name }) => !notOfBook.test(name))
    .map((entry) => {
      if (!entry.name.endsWith('.opf')) return entry;
      const text = readContent(entry, maxTextBytes).toString();
      return withContent(entry, Buffer.from(cleanBookMetadata(text)));
    });
}

/** Removes the names of people. The title, the language and the identifier are required. */
function cleanBookMetadata(text: string): string {
  const people = /<(dc:(?:creator|contributor|publisher|rights))\b([^<>]*)>[^<]*<\/\1\s*>/g;
  const ids = [...text.matchAll(people)].flatMap(
    ([, , attributes = '']) => /\bid="([^"]*)"/.exec(attributes)?.[1] ?? [],
  );
  return text
    .replace(people, '')
    .replace(/<meta\b([^<>]*)>[^<]*<\/meta\s*>/g, (element, attributes: string) => {
      const refined = /\brefines="#([^"]*)"/.exec(attributes)?.[1];
      return refined !== undefined && ids.includes(refined) ? '' : element;
    });
}

// OpenDocument (Writer, Calc, Impress): keeps the parts that are known, and of the other files in the archive those to which the
// content refers. Takes the names of people, times, printers and places of files out of them.

const parts = /^(Object [^/]+\/)?(content|styles|settings)\.xml$/;
const files = /^(Object [^/]+\/)?(Pictures|media|Media|Fonts|ObjectReplacements)\/[^/]+$/;
const manifest = 'META-INF/manifest.xml';
/** Old programs write no time zone, and all read this time. */
const someTime = '1980-01-01T00:00:00';

const replacements: readonly Replacement[] = [
  replaceText('dc:creator', 'Author'),
  replaceText('meta:creator-initials', 'A'),
  replaceText('loext:sender-initials', 'A'),
  replaceText('dc:date', someTime),
  replaceText('meta:date-string', ''),
  {
    mark: 'xlink:href',
    replace: (text) =>
      text.replace(/(\sxlink:href\s*=\s*)("[^"<]*"|'[^'<]*')/g, (link, before: string, address: string) =>
        pathOnComputer.test(address) ? `${before}"${fileNameOf(address.slice(1, -1))}"` : link,
      ),
  },
  {
    mark: 'config-item',
    replace: (text) =>
      text.replace(/<config:config-item\s[^<>]*(?:\/>|>[^<]*<\/config:config-item\s*>)/g, (element) =>
        privateSettings.test(attributeOf(element, 'config:name')) ? '' : element,
      ),
  },
];
/** Outside of the document; what is within has no dots in front. */
const pathOnComputer = /^.(file:|\.\.\/|[\\/]|[a-z]:[\\/])/i;
const privateSettings = /print(er|fax)|path|url|rsid|author|username|currentdatabase/i;

/** The parts that stay. */
export function cleanOpenDocument(entries: readonly ZipEntry[], maxBytes: number): ZipEntry[] {
  const kept = new Map<ZipEntry, ZipEntry>();
  const unused = new Set(entries.filter(({ name }) => files.test(name)));
  for (const entry of entries) {
    if (entry.name === 'mimetype') kept.set(entry, entry);
    if (!parts.test(entry.name)) continue;
    const content = readContent(entry, maxBytes);
    const replaced = replaceIn(content, replacements);
    kept.set(entry, replaced ? withContent(entry, replaced) : entry);
    for (const file of unused) if (mentions(replaced ?? content, file.name)) unused.delete(file);
  }
  for (const entry of entries) if (files.test(entry.name) && !unused.has(entry)) kept.set(entry, entry);
  const names = new Set([...kept.keys()].map(({ name }) => name));
  const list = entries.find(({ name }) => name === manifest);
  if (list) {
    const text = readContent(list, maxTextBytes).toString();
    kept.set(list, withContent(list, Buffer.from(cleanManifest(text, names))));
  }
  return entries.flatMap((entry) => kept.get(entry) ?? []);
}

/** By its folder and its name: an object in the document names its files from its own folder. */
function mentions(content: Buffer, path: string): boolean {
  const end = path.split('/').slice(-2).join('/');
  return content.includes(end) || content.includes(encodeURI(end));
}

/** The list of parts: those that are gone are not on it. Folders stand on it, too. */
function cleanManifest(text: string, names: ReadonlySet<string>): string {
  return text.replace(/<manifest:file-entry\s[^<>]*(?:\/>|>\s*<\/manifest:file-entry\s*>)/g, (element) => {
    const path = attributeOf(element, 'manifest:full-path');
    const isFolder = path.endsWith('/') && (path === '/' || [...names].some((name) => name.startsWith(path)));
    return isFolder || names.has(path) ? element : '';
  });
}
