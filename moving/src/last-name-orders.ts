// The orders in which old sites sort last names, by their databases.

import { sortKey } from '../../src/core/words.ts';

export interface Order {
  readonly name: string;
  readonly toKey: (lastName: string) => string;
  readonly compare: (key: string, other: string) => number;
}

const byCodePoint = (name: string, fold = (text: string) => text): Order => ({
  name: `by code point${name}`,
  // The bytes of UTF-8 have the order of code points. JavaScript itself sorts emoji before some letters.
  toKey: (lastName) => Buffer.from(fold(lastName)).toString('latin1'),
  compare: (key, other) => (key < other ? -1 : Number(key > other)),
});

const byCollation = (name: string, options: Intl.CollatorOptions = {}): Order => ({
  name: `by Unicode collation${name}`,
  toKey: (lastName) => lastName,
  compare: new Intl.Collator('en', options).compare,
});

/** The gallery's own is first: if a list has this order too, the gallery's list is the same. */
export const orders: readonly Order[] = [
  byCodePoint(', without case and accents', sortKey),
  // SQLite, and PostgreSQL in the C locale.
  byCodePoint(''),
  // PostgreSQL in the locale of a language.
  byCollation(''),
  byCollation(', without punctuation', { ignorePunctuation: true }),
  // MySQL.
  byCollation(', without case and accents', { sensitivity: 'base' }),
  // Columns in lower case.
  byCodePoint(', without case', (lastName) => lastName.toLowerCase()),
];

/** From 1 on; last names that are equal in this order have the same rank. */
export function rankLastNames(
  lastNames: readonly string[],
  { toKey, compare }: Order,
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  let rank = 0;
  let previous: string | undefined;
  const keys = [...new Set(lastNames)].map((lastName) => ({ lastName, key: toKey(lastName) }));
  for (const { lastName, key } of keys.sort((one, other) => compare(one.key, other.key))) {
    if (previous === undefined || compare(previous, key) !== 0) rank++;
    ranks.set(lastName, rank);
    previous = key;
  }
  return ranks;
}
