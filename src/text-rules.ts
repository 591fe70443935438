// Rules for texts that the members of requests and those of dump lines share.

/** Counts characters: `length` counts one outside the basic plane as two. */
export function isLongerThan(text: string, maxLength: number): boolean {
  return text.length > maxLength && [...text].length > maxLength;
}

export function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
