import anyAscii from 'any-ascii';

const maxLength = 80;

/** The title in the address of a page: ASCII, lower case, words parted by hyphens. */
export function toSlug(title: string): string {
  const words =
    anyAscii(title)
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, maxLength).replace(/-+$/, '') || 'untitled';
}
