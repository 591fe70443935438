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
