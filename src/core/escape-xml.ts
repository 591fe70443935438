/** Escapes text for XML and drops the characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed here
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>\n';

/**
 * Names an entry of a feed by what never changes. It has no host: after a move to another one, or to https, readers would show
 * all entries as new.
 */
export const permanentId = (...parts: readonly (string | number)[]): string =>
  `urn:uuid:${Bun.randomUUIDv5(parts.join(' '), 'oid')}`;

interface AtomFeed {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly feedUrl: string;
  /** The HTML page with the same list. */
  readonly homeUrl: string;
  /** The elements of each entry. Those that are missing are left out. */
  readonly entries: readonly (readonly (string | null | undefined)[])[];
}

export const formatAtomFeed = ({ id, title, updated, feedUrl, homeUrl, entries }: AtomFeed): string =>
  [
    `${xmlDeclaration}<feed xmlns="http://www.w3.org/2005/Atom">`,
    `<id>${escapeXml(id)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<updated>${updated}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feedUrl)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(homeUrl)}"/>`,
    ...entries.map((elements) => `<entry>${elements.join('')}</entry>`),
    '</feed>\n',
  ].join('\n');
