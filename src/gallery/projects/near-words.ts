// Finds words that differ from a mistyped one by a letter or two. Such a word usually begins or ends like the mistyped
// one, so that two ranges of indexes have it.

import sql, { raw, type Sql } from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import type { Reader } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { suggestionWordTable } from '../../database/schema.ts';

/** How many words are read from one range, and how many are returned. */
const maxCompared = 1000;
const maxReturned = 4;

/** From this length on, two letters may be wrong. */
const longWord = 8;

const wordColumn = pick(suggestionWordTable.columns, 'word');

/** The nearest words first. Only words of listed projects, but not only those that the viewer may find now. */
export async function findNearWords(reader: Reader, word: string): Promise<string[]> {
  const letters = [...word];
  const maxDistance = letters.length < longWord ? 1 : 2;
  const startLength = letters.length < longWord ? letters.length >> 1 : Math.floor(letters.length / 3) + 1;
  const endLength = letters.length < longWord ? letters.length - startLength : startLength;
  const start = letters.slice(0, startLength).join('');
  // The last letter of the start and the next one may have changed places.
  const swappedStart = [...letters.slice(0, startLength - 1), letters[startLength]].join('');
  const hasLength = sql`length(word) between ${letters.length - maxDistance} and ${letters.length + maxDistance}`;
  const ranges = await Promise.all([
    reader.all(select(wordColumn, wordsIn('word', start, hasLength))),
    reader.all(select(wordColumn, wordsIn('word', swappedStart, hasLength))),
    reader.all(
      select(wordColumn, wordsIn('reversed', letters.toReversed().slice(0, endLength).join(''), hasLength)),
    ),
  ]);
  const words = new Set(ranges.flat().map(({ word }) => word));
  const lettersOfWord = letterSet(word);
  return [...words]
    .filter((near) => countBits(lettersOfWord ^ letterSet(near)) <= 2 * maxDistance)
    .map((near) => ({ near, rank: rankNearWord(word, near, maxDistance) }))
    .filter(({ rank }) => rank > 0 && rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank || (one.near < other.near ? -1 : 1))
    .slice(0, maxReturned)
    .map(({ near }) => near);
}

const highest = '\u{10ffff}';

const wordsIn = (column: 'word' | 'reversed', start: string, hasLength: Sql): Sql =>
  sql`from suggestion_word where ${raw(column)} >= ${start} and ${raw(column)} < ${start + highest}
      and ${hasLength} limit ${maxCompared}`;

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

/**
 * How many letters have to be inserted, deleted, replaced or exchanged with their neighbour; above `max`, any higher
 * number.
 */
function countEdits(one: string, other: string, max: number): number {
  let [before, above]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    let lowest = row;
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const edits = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
        isExchanged ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(edits);
      lowest = Math.min(lowest, edits);
    }
    if (lowest > max) return lowest;
    [before, above] = [above, current];
  }
  return at(above, other.length);
}

const at = (row: readonly number[] | undefined, column: number): number =>
  row?.[column] ?? Number.POSITIVE_INFINITY;
