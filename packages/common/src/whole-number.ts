// Whole numbers in addresses, as Python's `int` reads them, which Django REST framework uses: with a sign, zeros in front, spaces
// around, underscores between, and in the digits of any script.

const pattern = /^\s*\+?(\p{Nd}(?:_?\p{Nd}){0,40})\s*$/u;

/** The digits 0 to 9 without zeros in front; undefined if the text is no such number. */
export function readDigits(text: string): string | undefined {
  if (/^[1-9]\d{0,15}$/.test(text)) return text;
  const [, digits] = pattern.exec(text) ?? [];
  return digits
    ?.replaceAll('_', '')
    .replace(/\P{ASCII}/gu, toAsciiDigit)
    .replace(/^0+(?=\d)/, '');
}

/** The digits of a script follow each other, from zero, and so do some scripts. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Zero if the text is no number. */
export const parseWholeNumber = (text: string): number => Number(readDigits(text) ?? 0);
