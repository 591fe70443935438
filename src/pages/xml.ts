/** Text as XML has it, without the characters that XML cannot hold at all. */
export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what has to go
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/[&<>"'\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  );
}

export const xmlHead = '<?xml version="1.0" encoding="utf-8"?>\n';
