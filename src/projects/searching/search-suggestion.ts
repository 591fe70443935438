// Corrects a search without results: words that no project has become near words. The corrected search is run first, as
// this viewer, so that it has results and reveals nothing that is hidden from them.

import sql, { raw, type Sql } from 'sql-template-tag';
import { countEdits } from '#common/mistyped.ts';
import { type Database, type Phrase, select, text } from '#sql';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { findSpelling, parsePhrases, replaceWords } from '../../core/words.ts';
import type { Project } from '../project.ts';
import type { ProjectFinder } from '../reading/find-projects.ts';
import type { AppliedFilters } from '../reading/tagged-projects.ts';
import { isSuggestible, reverseWord } from './suggestion-words.ts';

/** Longer searches are not corrected. */
const maxPhrases = 6;
const maxUnmatched = 2;
/** How many corrected searches are tried. */
const maxTries = 2;

interface SuggestionDependencies {
  readonly database: Database;
  readonly projects: ProjectFinder;
}

/** The text of a search that has results with the same filters. */
export async function suggestSearch(
  { database, projects }: SuggestionDependencies,
  viewer: Viewer,
  filters: AppliedFilters,
): Promise<string | undefined> {
  const search = filters.get('search');
  if (!search) return undefined;
  const otherFilters = new Map([...filters].filter(([name]) => name !== 'search'));
  const haveResults = (phrases: readonly Phrase[]) => projects.haveMatches(viewer, otherFilters, phrases);

  const phrases = parsePhrases(search.text);
  if (phrases.length === 0 || phrases.length > maxPhrases) return undefined;
  const areFound = phrases.length === 1 ? [false] : await haveResults(phrases);
  const unmatched = phrases.filter((_, index) => !areFound[index]);
  if (unmatched.length === 0 || unmatched.length > maxUnmatched) return undefined;

  const corrections: Correction[] = [];
  for (const { words } of unmatched) {
    const [word = ''] = words;
    if (words.length > 1 || !isSuggestible(word)) return undefined;
    const candidates = await findNearWords(database, word);
    const areUsable = await haveResults(candidates.map((near) => ({ words: [near], isPrefix: false })));
    const nearWords = candidates.filter((_, index) => areUsable[index]);
    if (nearWords.length === 0) return undefined;
    corrections.push({ word, nearWords });
  }

  for (const replacements of combine(corrections)) {
    const text = replaceWords(search.text, replacements);
    const corrected = new Map([...filters, ...projects.parseFilter('search', text)]);
    const [best] = await projects.list(viewer, corrected).page(0, 1);
    if (best) return replaceWords(search.text, spellLike(replacements, best));
  }
  return undefined;
}

interface Correction {
  readonly word: string;
  /** At least one, the nearest first. */
  readonly nearWords: readonly string[];
}

/** The nearest words first, then those after them. */
function combine(corrections: readonly Correction[]): Map<string, string>[] {
  const tries = Math.min(maxTries, Math.max(...corrections.map(({ nearWords }) => nearWords.length)));
  return Array.from(
    { length: tries },
    (_, index) =>
      new Map(corrections.map(({ word, nearWords }) => [word, nearWords[index] ?? nearWords[0] ?? word])),
  );
}

/** With the accents that the words have in the project. */
function spellLike(replacements: ReadonlyMap<string, string>, { title, tags }: Project): Map<string, string> {
  return new Map([...replacements].map(([word, near]) => [word, findSpelling(`${title} ${tags}`, near)]));
}

// Finds words that differ from a mistyped one by a letter or two. Such a word usually begins or ends like the mistyped
// one, so that two ranges of indexes have it.

/** How many words of one range are read, and how many of them are compared. Somebody could add any number to a range. */
const maxRead = 10_000;
const maxCompared = 1000;
const maxReturned = 4;

/** From this length on, two letters may be wrong. */
const longWord = 8;

/** The nearest words first. Only words of listed projects, but not only those that the viewer may find now. */
export async function findNearWords(database: Database, word: string): Promise<string[]> {
  const letters = [...word];
  const maxDistance = letters.length < longWord ? 1 : 2;
  const startLength = letters.length < longWord ? letters.length >> 1 : Math.floor(letters.length / 3) + 1;
  const endLength = letters.length < longWord ? letters.length - startLength : startLength;
  const start = letters.slice(0, startLength).join('');
  // The last letter of the start and the next one may have changed places.
  const swappedStart = [...letters.slice(0, startLength - 1), letters[startLength]].join('');
  const end = letters.toReversed().slice(0, endLength).join('');
  const hasLength = sql`length(word) between ${letters.length - maxDistance} and ${letters.length + maxDistance}`;
  const readRange = async (column: 'word' | 'reversed', start: string) =>
    (await database.slowReader.all(select(wordColumn, wordsIn(column, start, hasLength)))).map(
      ({ word }) => word,
    );
  const [starts, swappedStarts, ends] = await Promise.all([
    readRange('word', start),
    readRange('word', swappedStart),
    readRange('reversed', end),
  ]);
  const words = new Set([...starts, ...swappedStarts, ...ends.map(reverseWord)]);
  const lettersOfWord = letterSet(word);
  return [...words]
    .filter((near) => countBits(lettersOfWord ^ letterSet(near)) <= 2 * maxDistance)
    .map((near) => ({ near, rank: rankNearWord(word, near, maxDistance) }))
    .filter(({ rank }) => rank > 0 && rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank || (one.near < other.near ? -1 : 1))
    .slice(0, maxReturned)
    .map(({ near }) => near);
}

const wordColumn = { word: text(sql`word`) };
const highest = '\u{10ffff}';

/** Only the column that the index has: a row would have to be looked up for each word. */
const wordsIn = (column: 'word' | 'reversed', start: string, hasLength: Sql): Sql =>
  sql`from (
        select ${raw(column)} as word from suggestion_word
        where ${raw(column)} >= ${start} and ${raw(column)} < ${start + highest} limit ${maxRead}
      ) as range where ${hasLength} limit ${maxCompared}`;

/** A different first letter is a rarer error; letters in another order, or one too many or too few, are frequent ones. */
function rankNearWord(word: string, near: string, maxDistance: number): number {
  const distance = countEdits(word, near, maxDistance);
  if (distance > maxDistance) return Number.POSITIVE_INFINITY;
  const hasOtherStart = word[0] !== near[0];
  const hasSameLetters = letterSet(word) === letterSet(near);
  return distance + (hasOtherStart ? 0.5 : 0) - (hasSameLetters ? 0.25 : 0);
}

/** A bit for each of 32 groups of letters. One edit changes at most two: most words need not be compared further. */
function letterSet(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index++) bits |= 1 << (word.charCodeAt(index) & 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
