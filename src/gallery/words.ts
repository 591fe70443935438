// How people's words are compared: folded for sorting, split into words for searching. Both databases keep what
// is made here, so that neither's own idea of an alphabet can tell.

import type { Phrase } from '../database/search.ts';

/** Without case and accents: compatibility decomposition, marks dropped, lower case. */
export function fold(text: string): string {
  return isPlain(text) ? text.toLowerCase() : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Long enough for every title as people write them; PostgreSQL's indexes take no more than 2,700 bytes. */
const sortKeyLength = 600;

export function sortKey(text: string): string {
  const folded = fold(text);
  return folded.length <= sortKeyLength ? folded : [...folded].slice(0, sortKeyLength).join('');
}

/** Longer words count by their beginning. */
const wordLength = 60;

/** Scripts that put no spaces between words; the last two characters are shared by some of them. */
const unspaced =
  '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー〆]';
const letter = '[\\p{L}\\p{N}\\p{M}]';
const beginsRun = new RegExp(`^${unspaced}`, 'v');
/** What stands together without a space: `v2東京` is one thing of two pieces. */
const things = new RegExp(`${letter}+`, 'gv');
/** A run of characters of the scripts without spaces, or a word of the others. */
const pieces = new RegExp(`[${letter}&&${unspaced}]+|[${letter}--${unspaced}]+`, 'gv');
/** Other marks are as good as letters: without its vowels a word of Thai is a consonant or two. */
const accents = /[[\p{M}--\p{Alphabetic}][\p{M}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]]]/gv;

/**
 * The words of a text in order, as they are kept for searching. Of a run of characters every one stands in the
 * order, each with the one behind it, so that any part of the run is found, and what stands before or behind it.
 */
export function wordsOf(text: string): string[] {
  // Most writing is plain, and this is most of what an import does with it.
  if (isPlain(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(shortened);
  return wordsIn(withoutCaseAndAccents(text));
}

const quotes = /["“”„‟＂]/;

/**
 * What somebody typed: words, and phrases in quotes. The last word may not be typed to its end, unless it stands in
 * a phrase that is closed.
 */
export function phrasesOf(text: string): Phrase[] {
  const parts = withoutCaseAndAccents(text).split(quotes);
  const phrases = parts.flatMap((part, index) => {
    const quoted = index % 2 === 1;
    const found = quoted ? [part] : (part.match(things) ?? []);
    return found.map((thing) => ({ ...phraseOf(thing), closed: quoted && index < parts.length - 1 }));
  });
  const sought = phrases.filter(({ words }) => words.length > 0);
  return sought.map(({ words, open, closed }, index) => ({
    words,
    open: open || (index === sought.length - 1 && !closed),
  }));
}

/** How many words one may search for at once; of a run each twenty characters count as one. */
export const mostSought = 20;
const charactersForAWord = 20;
export const longestSearch = mostSought * charactersForAWord;

export function sizeOf(phrases: readonly Phrase[]): number {
  const words = phrases.flatMap((phrase) => phrase.words);
  const inRuns = words.filter((word) => beginsRun.test(word)).length;
  return words.length - inRuns + Math.ceil(inRuns / charactersForAWord);
}

function phraseOf(text: string): Phrase {
  const words = wordsIn(text);
  // A run may go on: its last pair says enough, and of a character alone the pair is open.
  const last = (text.match(pieces) ?? []).at(-1) ?? '';
  const run = beginsRun.test(last) ? [...last].length : 0;
  return { words: run > 1 ? words.slice(0, -1) : words, open: run === 1 };
}

function wordsIn(folded: string): string[] {
  return (folded.match(pieces) ?? []).flatMap((piece) =>
    beginsRun.test(piece) ? inPairs(piece) : shortened(piece),
  );
}

/** Upper case first, because some letters have more than one lower case. */
function withoutCaseAndAccents(text: string): string {
  return text.normalize('NFKD').replace(accents, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

function inPairs(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => `${character}${characters[index + 1] ?? ''}`);
}

function shortened(found: string): string {
  return found.length <= wordLength ? found : [...found].slice(0, wordLength).join('');
}

function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text);
}
