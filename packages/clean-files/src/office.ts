// Office documents (Word, Excel, PowerPoint): keeps the parts that the document shows, found through the relations from part
// to part, and takes the names of people, times and places of files out of them.

import { InvalidFile } from './invalid-file.ts';
import {
  attributeOf,
  fileNameOf,
  type Replacement,
  removeAttribute,
  removeBlocks,
  replaceAttribute,
  replaceIn,
  replaceText,
} from './xml.ts';
import { maxTextBytes, readContent, withContent, type ZipEntry } from './zip.ts';

/** The last part of the address that says what a relation is. Any other relation goes, with what it leads to. */
const keptRelations = new Set(
  (
    'officeDocument styles stylesWithEffects settings webSettings fontTable font numbering footnotes endnotes comments header ' +
    'footer theme themeOverride image chart chartEx chartUserShapes chartStyle chartColorStyle diagramData ' +
    'diagramLayout diagramQuickStyle diagramColors diagramDrawing hyperlink package worksheet chartsheet dialogsheet ' +
    'sharedStrings calcChain sheetMetadata externalLink externalLinkPath drawing vmlDrawing table pivotTable ' +
    'pivotCacheDefinition pivotCacheRecords slicer slicerCache timeline timelineCache slide slideLayout slideMaster ' +
    'notesMaster notesSlide handoutMaster presProps viewProps tableStyles commentAuthors authors video audio media ' +
    'glossaryDocument'
  ).split(' '),
);
/** They refer to relations that go, and make no sense without them. */
const removedElements = new Set(
  (
    'attachedTemplate externalReference oleObject OLEObject oleObj control altChunk subDoc custData tags dataSource ' +
    'headerSource customPr webPublishItem'
  ).split(' '),
);
/** In the parts themselves. */
const replacements: readonly Replacement[] = [
  replaceAttribute('author', 'Author'),
  replaceAttribute('initials', 'A'),
  replaceText('author', 'Author'),
  replaceAttribute('name', 'Author', 'cmAuthor'),
  replaceAttribute('(?:name|userId)', 'Author', 'author'),
  replaceAttribute('providerId', 'None', 'author'),
  replaceAttribute('(?:dt|created)', '2000-01-01T00:00:00.000', 'cm'),
  ...[
    'w:date',
    'w16du:dateUtc',
    'refreshedBy',
    'refreshedDate',
    'refreshedDateIso',
    'userName',
    'timeString',
  ].map(removeAttribute),
  // Where the file was, and texts for letters to many.
  removeBlocks('<mc:AlternateContent', '</mc:AlternateContent>', (block) => block.includes('absPath')),
  removeBlocks('<w:mailMerge', '</w:mailMerge>'),
  removeBlocks('<w:docVars', '</w:docVars>'),
  removeBlocks('<w:saveThroughXslt', '/>'),
  // A picture as it was before its background was removed.
  removeBlocks('<a14:imgProps', '</a14:imgProps>'),
];
const maxParts = 10_000;
/** Relations of one part that go: the part is searched for each. */
const maxGone = 1000;

/** The parts that stay. What changes is compressed at once: together they may be a gigabyte. */
export function cleanOffice(entries: readonly ZipEntry[], maxBytes: number): ZipEntry[] {
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  const kept = new Map<ZipEntry, ZipEntry>();
  const pending = [''];
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    const part = byName.get(source);
    if (part && kept.has(part)) continue;
    const { targets, gone } = cleanRelations(source, byName, kept);
    pending.push(...targets);
    if (part) kept.set(part, /\.(xml|vml)$/.test(source) ? cleanPart(part, gone, maxBytes) : part);
    if (kept.size > maxParts) throw new InvalidFile('brokenFile');
  }
  const types = byName.get('[content_types].xml');
  if (!types || kept.size < 2) throw new InvalidFile('brokenFile');
  const isKept = (name: string) => kept.has(byName.get(name.replace(/^\//, '').toLowerCase()) as ZipEntry);
  const list = readContent(types, maxTextBytes)
    .toString()
    .replace(/<(?:\w+:)?Override\s[^<>]*>/g, (element) =>
      isKept(attributeOf(element, 'PartName')) ? element : '',
    );
  kept.set(types, withContent(types, Buffer.from(list)));
  return entries.flatMap((entry) => kept.get(entry) ?? []);
}

/** Keeps the relations of a part that lead to parts that stay; returns these, and the ids of the other relations. */
function cleanRelations(
  source: string,
  parts: ReadonlyMap<string, ZipEntry>,
  kept: Map<ZipEntry, ZipEntry>,
): { targets: string[]; gone: Set<string> } {
  const targets: string[] = [];
  const gone = new Set<string>();
  const list = parts.get(relationsOf(source).toLowerCase());
  if (!list) return { targets, gone };
  const text = readContent(list, maxTextBytes)
    .toString()
    .replace(/<(?:\w+:)?Relationship\s[^<>]*>(?:\s*<\/(?:\w+:)?Relationship\s*>)?/g, (element) => {
      const { replaced, id, target } = rewriteRelation(element, source, parts);
      if (replaced === '') gone.add(id);
      else if (target !== undefined) targets.push(target);
      return replaced;
    });
  if (gone.size > maxGone) throw new InvalidFile('tooMuch');
  kept.set(list, withContent(list, Buffer.from(text)));
  return { targets, gone };
}

/** The part with the relations of a part; an empty name stands for the whole archive. */
function relationsOf(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

interface RewrittenRelation {
  /** Empty if it goes. */
  readonly replaced: string;
  readonly id: string;
  /** The part to which it leads. */
  readonly target?: string;
}

function rewriteRelation(
  element: string,
  source: string,
  parts: ReadonlyMap<string, ZipEntry>,
): RewrittenRelation {
  const id = attributeOf(element, 'Id');
  const kind = attributeOf(element, 'Type').split('/').at(-1) ?? '';
  const address = attributeOf(element, 'Target');
  const isExternal = attributeOf(element, 'TargetMode').toLowerCase() === 'external';
  const isKept = source === '' ? kind === 'officeDocument' : keptRelations.has(kind) || isInk(kind, address);
  if (!isKept) return { replaced: '', id };
  if (isExternal) {
    if (kind !== 'hyperlink' && kind !== 'externalLinkPath') return { replaced: '', id };
    if (/^(https?|mailto|tel):|^#/i.test(address)) return { replaced: element, id };
    // The path on somebody's computer goes, the name of the file stays.
    const name = fileNameOf(address);
    return { replaced: element.replace(/\sTarget\s*=\s*("[^"]*"|'[^']*')/, () => ` Target="${name}"`), id };
  }
  const target = resolve(address, source).toLowerCase();
  return parts.has(target) ? { replaced: element, id, target } : { replaced: '', id };
}

/** The relation of writing by pen is that of a program's own data. */
const isInk = (kind: string, address: string) =>
  kind === 'customXml' && /(^|\/)ink\/ink\d+\.xml$/.test(address);

function resolve(address: string, source: string): string {
  let path: string;
  try {
    path = decodeURIComponent(address.replace(/[?#].*$/, ''));
  } catch {
    throw new InvalidFile('brokenFile');
  }
  const folders = path.startsWith('/') ? [] : source.split('/').slice(0, -1);
  for (const step of path.split('/')) {
    if (step === '..') folders.pop();
    else if (step !== '' && step !== '.') folders.push(step);
  }
  return folders.join('/');
}

function cleanPart(part: ZipEntry, gone: ReadonlySet<string>, maxBytes: number): ZipEntry {
  const content = readContent(part, maxBytes);
  for (const id of gone) blankReferences(content, id);
  const replaced = replaceIn(content, replacements) ?? (gone.size > 0 ? content : undefined);
  return replaced ? withContent(part, replaced) : part;
}

/** Overwrites with spaces what refers to a relation: its attribute, or its whole element. */
function blankReferences(xml: Buffer, id: string): void {
  for (const quote of ['"', "'"]) {
    const value = `${quote}${id}${quote}`;
    for (let at = xml.indexOf(value); at >= 0; at = xml.indexOf(value, at + 1)) {
      const start = xml.lastIndexOf('<', at);
      const tag = xml.toString('latin1', start, at);
      const [attribute] = /\s\w+:\w+\s*=\s*$/.exec(tag) ?? [];
      const [, prefix = '', name = ''] = /^<(\w+:)?(\w+)/.exec(tag) ?? [];
      if (!attribute) continue;
      if (removedElements.has(name)) xml.fill(' ', start, endOfElement(xml, start, `</${prefix}${name}`));
      else xml.fill(' ', at - attribute.length, at + value.length);
    }
  }
}

function endOfElement(xml: Buffer, start: number, closing: string): number {
  const end = xml.indexOf('>', start) + 1;
  if (end > 1 && xml[end - 2] === 0x2f) return end;
  const close = xml.indexOf('>', xml.indexOf(closing, end)) + 1;
  if (end === 0 || close === 0) throw new InvalidFile('brokenFile');
  return close;
}
