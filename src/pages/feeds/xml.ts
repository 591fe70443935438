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
