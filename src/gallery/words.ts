// How people's words are compared: folded for sorting, split into words for searching. Both databases keep what
// is made here, so that neither's own idea of an alphabet can tell.

import type { Phrase } from '../database/search.ts';

/** Without case and accents: compatibility decomposition, marks dropped, lower case. */
export function fold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Long enough for every title as people write them; PostgreSQL's indexes take no more than 2,700 bytes. */
const maxSortKeyLength = 600;

export function sortKey(text: string): string {
  const folded = fold(text);
  return folded.length <= maxSortKeyLength ? folded : [...folded].slice(0, maxSortKeyLength).join('');
}

/** Longer words count by their beginning. */
const maxWordLength = 60;

/** Scripts that put no spaces between words; the last two characters are shared by some of them. */
const unspacedScripts =
  '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー〆]';
const letter = '[\\p{L}\\p{N}\\p{M}]';
const startsWithUnspaced = new RegExp(`^${unspacedScripts}`, 'v');
/** What stands together without a space: `v2東京` is one thing of two pieces. */
const tokens = new RegExp(`${letter}+`, 'gv');
/** A run of characters of the scripts without spaces, or a word of the others. */
const runs = new RegExp(`[${letter}&&${unspacedScripts}]+|[${letter}--${unspacedScripts}]+`, 'gv');
/** Other marks are as good as letters: without its vowels a word of Thai is a consonant or two. */
const accents = /[[\p{M}--\p{Alphabetic}][\p{M}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]]]/gv;

/**
 * The words of a text in order, as they are kept for searching. Of a run of characters every one stands in the
 * order, each with the one behind it, so that any part of the run is found, and what stands before or behind it.
 */
export function splitWords(text: string): string[] {
  // Most writing is plain, and this is most of what an import does with it.
  if (isAscii(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(truncateWord);
  return splitFolded(withoutCaseAndAccents(text));
}

const quotes = /["“”„‟＂]/;

/**
 * What somebody typed: words, and phrases in quotes. The last word may not be typed to its end, unless it stands in
 * a phrase that is closed.
 */
export function parsePhrases(text: string): Phrase[] {
  const parts = withoutCaseAndAccents(text).split(quotes);
  const phrases = parts.flatMap((part, index) => {
    const quoted = index % 2 === 1;
    const matches = quoted ? [part] : (part.match(tokens) ?? []);
    return matches.map((token) => ({ ...toPhrase(token), closed: quoted && index < parts.length - 1 }));
  });
  const phrasesWithWords = phrases.filter(({ words }) => words.length > 0);
  return phrasesWithWords.map(({ words, isPrefix, closed }, index) => ({
    words,
    isPrefix: isPrefix || (index === phrasesWithWords.length - 1 && !closed),
  }));
}

/** How many words one may search for at once; of a run each twenty characters count as one. */
export const maxSearchWords = 20;
const charactersPerWord = 20;
export const maxSearchLength = maxSearchWords * charactersPerWord;

export function countSearchWords(phrases: readonly Phrase[]): number {
  const words = phrases.flatMap((phrase) => phrase.words);
  const inRuns = words.filter((word) => startsWithUnspaced.test(word)).length;
  return words.length - inRuns + Math.ceil(inRuns / charactersPerWord);
}

function toPhrase(text: string): Phrase {
  const words = splitFolded(text);
  // A run may go on: its last pair says enough, and of a character alone the pair is open.
  const last = (text.match(runs) ?? []).at(-1) ?? '';
  const run = startsWithUnspaced.test(last) ? [...last].length : 0;
  return { words: run > 1 ? words.slice(0, -1) : words, isPrefix: run === 1 };
}

function splitFolded(folded: string): string[] {
  return (folded.match(runs) ?? []).flatMap((piece) =>
    startsWithUnspaced.test(piece) ? toPairs(piece) : truncateWord(piece),
  );
}

/** Upper case first, because some letters have more than one lower case. */
function withoutCaseAndAccents(text: string): string {
  return text.normalize('NFKD').replace(accents, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

function toPairs(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => `${character}${characters[index + 1] ?? ''}`);
}

function truncateWord(word: string): string {
  return word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('');
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text);
}
