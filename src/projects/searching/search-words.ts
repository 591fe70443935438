import sql, { type Sql } from 'sql-template-tag';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import {
  all,
  maxPositions,
  maxUnpositioned,
  pick,
  qualify,
  type Reader,
  type SearchWords,
  type Transaction,
} from '#sql';
import { inBatches } from '../../core/chunks.ts';
import { displayName, nameColumns } from '../../core/contributors/contributor.ts';
import { joinWords, maxSearchLength, separate, splitWords } from '../../core/words.ts';
import { projectTable } from '../tables.ts';
import { parseTags } from '../tags.ts';
import { isErasedSql } from '../visibility/visible-to.ts';

interface SearchableProject {
  readonly title: string;
  readonly tags: readonly string[];
  /** The contributor's name. */
  readonly name: string;
  readonly text: string;
}

/** The words of a project for the search index. */
export function toSearchWords(project: SearchableProject): SearchWords {
  const [title, name, text] = [splitWords(project.title), splitWords(project.name), joinWords(project.text)];
  const tags = project.tags.map(splitWords).filter((tag) => tag.length > 0);
  const available = maxPositions - title.length - name.length - tags.flat().length;
  // Each word has a character and a space.
  if (text.length < 2 * available)
    return { title, tags, name, text: withoutCollisions(text), unpositioned: [] };
  const words = separate(text);
  const positioned = words.slice(0, available).join(' ');
  const accepted = withoutCollisions(positioned);
  if (words.length <= available || accepted.length < positioned.length)
    return { title, tags, name, text: accepted, unpositioned: [] };
  // Overlaps with the positioned words, so that a phrase across the boundary is found.
  const others = selectUnpositioned(words.slice(available - maxSearchLength));
  return { title, tags, name, text: accepted, unpositioned: separate(withoutCollisions(others.join(' '))) };
}

/** Comparing all words of a text whose words are all different would take too long. */
const maxComparedWords = 3 * maxUnpositioned;

/** All different words, or if they are too many, rather those that occur several times. */
function selectUnpositioned(words: readonly string[]): string[] {
  const [known, repeated] = [new Set<string>(), new Set<string>()];
  for (const word of words) {
    if (known.size >= maxComparedWords) break;
    (known.has(word) ? repeated : known).add(word);
  }
  if (known.size <= maxUnpositioned) return [...known];
  const selected = new Set([...words.slice(0, maxSearchLength), ...repeated]);
  for (const word of known) {
    if (selected.size >= maxUnpositioned) break;
    selected.add(word);
  }
  return [...selected].slice(0, maxUnpositioned);
}

const columns = {
  ...qualify(
    'project',
    pick(projectTable.columns, 'id', 'title', 'tags', 'text', 'content_type', 'visibility', 'status'),
  ),
  ...nameColumns,
};

type SearchEntry = [project: number, words: SearchWords];

/** Projects with the words that they should have in the search now, ordered by id; at most 500. */
export async function loadSearchable(reader: Reader, condition: Sql) {
  const projects = await all(reader, columns)`from project
    join contributor on contributor.id = project.contributor
    where ${condition} and not ${isErasedSql} order by project.id limit 500`;
  return projects.map((project) => ({
    project,
    words: toSearchWords({ ...project, tags: parseTags(project), name: displayName(project) }),
  }));
}

/** The search entries that these projects should have now. */
export async function loadSearchEntries(reader: Reader, condition: Sql): Promise<SearchEntry[]> {
  const found = await loadSearchable(reader, condition);
  return found.map(({ project, words }) => [project.id, words]);
}

export const readSearchEntries = (reader: Reader, condition: Sql): AsyncGenerator<SearchEntry[]> =>
  inBatches((last) => loadSearchEntries(reader, sql`${condition} and project.id > ${last?.[0] ?? 0}`));

export const rebuildAllSearchEntries = (transaction: Transaction) =>
  rebuildSearchEntries(transaction, sql`1 = 1`);

export async function rebuildSearchEntries(transaction: Transaction, condition: Sql): Promise<void> {
  for await (const entries of readSearchEntries(transaction, condition)) {
    // Splitting a long text into words takes as long as storing them.
    await nextEventLoopTurn();
    await transaction.upsertSearchWords(entries);
  }
}

// While SQLite's full-text index collects the words of a transaction, it finds each in a hash table. The hash function
// is simple, so that a text can be made whose words all get into one slot: each word would be compared with all others.

const slotCount = 4096;
/** A long text of any language has fewer than 50. */
const maxWordsInSlot = 200;
const mainIndex = '0'.charCodeAt(0);
const space = ' '.charCodeAt(0);

/** The words before the one with which too many different words would share a slot; nearly always all. */
function withoutCollisions(text: string): string {
  if (text.length < 2 * maxWordsInSlot || countInSlot(text) <= maxWordsInSlot) return text;
  const words = separate(text);
  const fit = (end: number) => countInSlot([...new Set(words.slice(0, end))].join(' ')) <= maxWordsInSlot;
  if (fit(words.length)) return text;
  let [most, tooMany] = [0, words.length];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fit(middle)) most = middle;
    else tooMany = middle;
  }
  return words.slice(0, most).join(' ');
}

const encoder = new TextEncoder();
const bytes = new Uint8Array(1 << 22);
const counts = new Uint16Array(slotCount);

/**
 * How many words the fullest slot gets. Slots are the lowest bits of SQLite's hash: words that differ in them are in
 * different slots of larger tables too.
 */
function countInSlot(words: string): number {
  counts.fill(0);
  const { written } = encoder.encodeInto(words, bytes);
  let [hash, max] = [13, 0];
  for (let at = written - 1; at >= -1; at--) {
    const byte = at < 0 ? space : (bytes[at] ?? 0);
    hash = (hash << 3) ^ hash ^ (byte === space ? mainIndex : byte);
    if (byte !== space) continue;
    const slot = hash & (slotCount - 1);
    const count = (counts[slot] ?? 0) + 1;
    counts[slot] = count;
    if (count > max) max = count;
    hash = 13;
  }
  return max;
}
