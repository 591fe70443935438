// Finds the matches of a search with the highest ids, one range of ids after another: a search for a common word need
// not read all its matches.

import type { Sql } from 'sql-template-tag';
import type { Reader } from './database.ts';
import { all } from './query.ts';
import type { MatchQuery } from './search.ts';

/** Ranges begin and end at multiples of this. */
export const blockSize = 16_384;
const firstBlocks = 1;
/** A range is at most this many times as large as all before it: there the word may be far more common. */
const maxGrowth = 8;

export interface MatchRange {
  readonly from: number;
  readonly below: number;
  /** It has all ids that are left. */
  readonly isRest: boolean;
}

interface MatchSource {
  /** After this many ranges, all ids that are left are searched in one go. */
  readonly maxRanges: number;
  /** The matches in a range, the highest ids first: begins with "from". */
  from(range: MatchRange): Sql;
}

export async function findNewestMatches<Row extends { id: number }>(
  reader: Reader,
  { columns, limit, highestId, isOver }: MatchQuery<Row>,
  { maxRanges, from }: MatchSource,
): Promise<Row[]> {
  const found: Row[] = [];
  const end = (Math.floor(highestId / blockSize) + 1) * blockSize;
  let below = end;
  let blocks = firstBlocks;
  for (let count = 0; below > 0 && found.length < limit && !isOver(); count++) {
    const isRest = count >= maxRanges || end > Number.MAX_SAFE_INTEGER || blocks * blockSize >= below;
    const range = { from: isRest ? 0 : below - blocks * blockSize, below, isRest };
    const rows = await all(reader, columns)`${from(range)} limit ${limit - found.length}`;
    found.push(...rows);
    below = range.from;
    const searchedBlocks = (end - below) / blockSize;
    const missing = limit - found.length;
    const neededBlocks = Math.ceil((searchedBlocks * missing * 1.2) / (found.length + 1));
    blocks = Math.max(firstBlocks, Math.min(neededBlocks, searchedBlocks * maxGrowth));
  }
  return found;
}
