// Rules for texts that the members of requests and those of dump lines share.

/** Counts characters: `length` counts one outside the basic plane as two. */
export const isLongerThan = (text: string, maxLength: number): boolean =>
  text.length > maxLength && [...text].length > maxLength;

/**
 * Normalizing sorts consecutive marks, and its cost grows with the square of their number. No language puts thirty marks
 * on a letter: further ones are dropped.
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize(form);

export const hasControlCharacters = (text: string): boolean => /\p{Cc}/u.test(text);

/** Has no character that a header of a mail or a list of addresses could take for something else. */
export const emailPattern = /^[\w.!#$%&'*+/=^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
