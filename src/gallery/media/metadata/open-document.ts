// OpenDocument (Writer, Calc, Impress): keeps the parts that are known, and of the other files in the archive those to which the
// content refers. Takes the names of people, times, printers and places of files out of them.

import { attributeOf, fileNameOf, type Replacement, replaceIn, replaceText } from './xml.ts';
import { maxTextBytes, readContent, withContent, type ZipEntry } from './zip.ts';

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
export function stripOpenDocument(entries: readonly ZipEntry[], maxBytes: number): ZipEntry[] {
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
    kept.set(list, withContent(list, Buffer.from(stripManifest(text, names))));
  }
  return entries.flatMap((entry) => kept.get(entry) ?? []);
}

/** By its folder and its name: an object in the document names its files from its own folder. */
function mentions(content: Buffer, path: string): boolean {
  const end = path.split('/').slice(-2).join('/');
  return content.includes(end) || content.includes(encodeURI(end));
}

/** The list of parts: those that are gone are not on it. Folders stand on it, too. */
function stripManifest(text: string, names: ReadonlySet<string>): string {
  return text.replace(/<manifest:file-entry\s[^<>]*(?:\/>|>\s*<\/manifest:file-entry\s*>)/g, (element) => {
    const path = attributeOf(element, 'manifest:full-path');
    const isFolder = path.endsWith('/') && (path === '/' || [...names].some((name) => name.startsWith(path)));
    return isFolder || names.has(path) ? element : '';
  });
}
