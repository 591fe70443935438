// Normalizes text for comparison: folded for sorting, split into words for searching. Both databases store the
// results, so that their own collations do not matter.

import { normalizeText } from '#common/text-rules.ts';
import type { Phrase } from '#sql';

/** Removes case and accents: compatibility decomposition, without marks, in lower case. */
export function fold(text: string): string {
  return isAscii(text)
    ? text.toLowerCase()
    : normalizeText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Long enough for any usual title; PostgreSQL's indexes take at most 2,700 bytes. */
const maxSortKeyLength = 600;

export function sortKey(text: string): string {
  const folded = fold(text);
  return folded.length <= maxSortKeyLength ? folded : [...folded].slice(0, maxSortKeyLength).join('');
}

/** Longer words are truncated. */
const maxWordLength = 60;

/** Scripts without spaces between words; several of them share the last two characters. */
const unspacedScripts =
  '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー〆]';
const letter = '[\\p{L}\\p{N}\\p{M}]';
const startsWithUnspaced = new RegExp(`^${unspacedScripts}`, 'v');
const startsWithLetter = new RegExp(`^${letter}`, 'v');
/** Characters without a space between them: `v2東京` is one token with two runs. */
const tokens = new RegExp(`${letter}+`, 'gv');
/** Consecutive characters of scripts without spaces, or a word of the other scripts. */
const runs = new RegExp(`[${letter}&&${unspacedScripts}]+|[${letter}--${unspacedScripts}]+`, 'gv');
/** Other marks count as letters: a Thai word without its vowels is only a consonant or two. */
const accents = /[[\p{M}--\p{Alphabetic}][\p{M}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]]]/gv;

/**
 * The words of a text in order, as the search index stores them. A run of characters is stored as overlapping pairs,
 * one for each character, so that any part of the run is found, together with the words before and after it.
 */
export const splitWords = (text: string): string[] => separate(joinWords(text));

/** The same words with a space between them: to make each a text of its own is most of the work of an import. */
export const joinWords = (text: string): string =>
  text.length <= maxDecomposedLength && isAscii(text)
    ? joinFolded(text.toLowerCase(), text.length)
    : joinFolded(withoutCaseAndAccents(text));

/** The words that `joinWords` has joined. */
export const separate = (words: string): string[] => (words === '' ? [] : words.split(' '));

/** A word with its place in a text. */
export interface LocatedWord {
  readonly word: string;
  readonly start: number;
  /** The end of each character of a pair; of another word, its end. */
  readonly ends: readonly number[];
}

/** The same words as `splitWords`. Of a character that stands for several words, each has its place. */
export const locateWords = (text: string): LocatedWord[] =>
  [...text.matchAll(runs)].flatMap(({ 0: run, index }) =>
    startsWithUnspaced.test(run)
      ? locatePairs(run, index)
      : splitWords(run).map((word) => ({ word, start: index, ends: [index + run.length] })),
  );

function locatePairs(run: string, index: number): LocatedWord[] {
  const known = new Map<string, readonly string[]>();
  const fold = (character: string) => [...withoutCaseAndAccents(character)];
  let end = index;
  const characters = [...run].flatMap((character) => {
    const start = end;
    end += character.length;
    return known.getOrInsertComputed(character, fold).map((folded) => ({ folded, start, end }));
  });
  return characters.map(({ folded, start, end }, at) => {
    const next = characters[at + 1];
    return { word: folded + (next?.folded ?? ''), start, ends: next ? [end, next.end] : [end] };
  });
}

const quotes = /["“”„‟＂]/;

/** Replaces words, which are given as `splitWords` returns them, in a text. */
export function replaceWords(text: string, replacements: ReadonlyMap<string, string>): string {
  return text.replace(tokens, (token) => {
    const words = splitWords(token);
    return (words.length === 1 && replacements.get(words[0] ?? '')) || token;
  });
}

/** How a text spells a word, in lower case; the word itself if the text does not have it. */
export function findSpelling(text: string, word: string): string {
  const spellings = (text.match(tokens) ?? []).map((token) => token.toLowerCase());
  const spelling = spellings.find((token) => splitWords(token).join(' ') === word);
  return (spelling ?? word).normalize('NFC');
}

/** A search query: words, and phrases in quotes. The last word may be unfinished, unless it is in a closed phrase. */
export function parsePhrases(text: string): Phrase[] {
  const sections = withoutCaseAndAccents(text).split(quotes);
  const phrases = sections.flatMap((section, index) => {
    const isQuoted = index % 2 === 1;
    const matches = isQuoted ? [section] : (section.match(tokens) ?? []);
    return matches.map((token) => ({ ...toPhrase(token), closed: isQuoted && index < sections.length - 1 }));
  });
  const phrasesWithWords = phrases.filter(({ words }) => words.length > 0);
  return phrasesWithWords.map(({ words, isPrefix, closed }, index) => ({
    words,
    isPrefix: isPrefix || (index === phrasesWithWords.length - 1 && !closed),
  }));
}

/** How many words a search may have; twenty characters of a run count as one word. */
export const maxSearchWords = 20;
const charactersPerWord = 20;
export const maxSearchLength = maxSearchWords * charactersPerWord;

export function countSearchWords(phrases: readonly Phrase[]): number {
  const words = phrases.flatMap((phrase) => phrase.words);
  const inRuns = words.filter((word) => startsWithUnspaced.test(word)).length;
  return words.length - inRuns + Math.ceil(inRuns / charactersPerWord);
}

function toPhrase(text: string): Phrase {
  const words = separate(joinFolded(text));
  // The run may continue after its last character: the last pair is enough, and a single character is a prefix.
  const lastRun = (text.match(runs) ?? []).at(-1) ?? '';
  const runLength = startsWithUnspaced.test(lastRun) ? [...lastRun].length : 0;
  return { words: runLength > 1 ? words.slice(0, -1) : words, isPrefix: runLength === 1 };
}

/** Enough for a text of the greatest length, unless its characters stand for several others each. */
const maxWords = 100_000;

const space = 0x20;
const separator = 1;
const spaced = 2;
const unspaced = 3;
/** By code unit, learned at the first use: regular expressions take longer. */
const kinds = new Uint8Array(0x10000);

function kindOf(character: string): number {
  if (!startsWithLetter.test(character)) return separator;
  return startsWithUnspaced.test(character) ? unspaced : spaced;
}

function joinFolded(folded: string, limit = maxWords): string {
  let [length, words, characters, previous] = [0, 0, 0, separator];
  for (let at = 0; at < folded.length; at++) {
    const unit = folded.charCodeAt(at);
    let kind = kinds[unit] ?? 0;
    let second = 0;
    if (kind === 0) {
      const character = String.fromCodePoint(folded.codePointAt(at) ?? 0);
      kind = kindOf(character);
      if (character.length > 1) second = folded.charCodeAt(++at);
      else if (character.isWellFormed()) kinds[unit] = kind;
    }
    // The second character of a pair.
    if (kind === unspaced && previous === unspaced) {
      output[length++] = unit;
      if (second) output[length++] = second;
    }
    if (kind === unspaced || (kind === spaced && previous !== spaced)) {
      if (words++ === limit) break;
      if (length > 0) output[length++] = space;
      characters = 0;
    }
    previous = kind;
    if (kind === separator || characters++ >= maxWordLength) continue;
    output[length++] = unit;
    if (second) output[length++] = second;
  }
  return readOutput(length);
}

/**
 * A character can stand for up to 18 others. This is enough for a text of the greatest length in any script: Korean
 * letters stand for three.
 */
const maxDecomposedLength = 300_000;

/** Upper case first, because some letters have several lower-case forms. */
function foldWhole(text: string): string {
  const decomposed = normalizeText(text, 'NFKD').slice(0, maxDecomposedLength);
  return decomposed.replace(accents, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** Learned at the first use: the code units that fold to one other, and what other characters fold to. */
const foldedUnits = new Uint16Array(0x10000);
const foldedCharacters = new Map<number, string>();
/** A character can become a pair, a space and the beginning of another pair. */
const output = new Uint16Array(3 * maxDecomposedLength);
const readOutput = (length: number) => Buffer.from(output.buffer, 0, 2 * length).toString('utf16le');

/** Folds characters one by one, in a fifth of the time, unless they may depend on each other. */
function withoutCaseAndAccents(text: string): string {
  if (text.length > maxDecomposedLength / 18) return foldWhole(text);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const foldedUnit = foldedUnits[text.charCodeAt(at)];
    if (foldedUnit) {
      output[length++] = foldedUnit;
      continue;
    }
    const codePoint = text.codePointAt(at) ?? 0;
    const folded = foldedCharacters.get(codePoint) ?? learnCharacter(codePoint);
    if (folded === undefined) return foldWhole(text);
    for (let index = 0; index < folded.length; index++) output[length++] = folded.charCodeAt(index);
    if (codePoint > 0xffff) at++;
  }
  return readOutput(length);
}

/** Undefined for half of a character, and for a mark that stays: it may be one too many, or change places with another. */
function learnCharacter(codePoint: number): string | undefined {
  const character = String.fromCodePoint(codePoint);
  const folded = foldWhole(character);
  if (!character.isWellFormed() || (folded !== '' && /^\p{M}/u.test(character))) return undefined;
  if (folded.length === 1) foldedUnits[codePoint] = folded.charCodeAt(0);
  else foldedCharacters.set(codePoint, folded);
  return folded;
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text);
}
