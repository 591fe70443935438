import anyAscii from 'any-ascii';

const maxLength = 80;

/** The title for a page's path: ASCII, lower case, words separated by hyphens. */
export function toSlug(title: string): string {
  const words =
    anyAscii(title)
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, maxLength).replace(/-+$/, '') || 'untitled';
}
