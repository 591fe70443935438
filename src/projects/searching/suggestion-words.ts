// The words to which a search without results may be corrected: those of the titles and tags of listed projects. A
// write only adds words. So a word is offered only after a search for it, and the sweep deletes those without a project.

import sql, { join } from 'sql-template-tag';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { all, type Database, executeAlone, existEach, pick, type SearchWords, type Transaction } from '#sql';
import { inBatches } from '../../core/chunks.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import { splitWords } from '../../core/words.ts';
import type { ProjectRow } from '../project.ts';
import { projectsWith } from '../reading/find-projects.ts';
import { projectTable, suggestionWordTable } from '../tables.ts';
import { parseTags } from '../tags.ts';
import { isListed, isListedSql } from '../visibility/visible-to.ts';

type ListedColumns = Pick<ProjectRow, 'content_type' | 'visibility' | 'status' | 'thread_visibility'>;

/** Comments are left out: few have a title, and it names no work. */
export const offersWords = (project: ListedColumns): boolean =>
  project.content_type !== 'comment' && isListed(project);
const offersWordsSql = sql`content_type <> 'comment' and ${isListedSql}`;

const suggestible = /^[\p{L}\p{M}]{3,24}$/v;

/** Letters only, and not the pairs of characters of scripts without spaces. */
export const isSuggestible = (word: string): boolean => suggestible.test(word);

const maxWordsPerProject = 50;

export const toSuggestionWords = ({ title, tags }: Pick<SearchWords, 'title' | 'tags'>): string[] =>
  [...title, ...tags.flat()].slice(0, maxWordsPerProject);

export const splitSuggestionWords = (project: Pick<ProjectRow, 'title' | 'tags'>): string[] =>
  toSuggestionWords({ title: splitWords(project.title), tags: parseTags(project).map(splitWords) });

export const reverseWord = (word: string): string => [...word].reverse().join('');

/** Loads of many projects add each word once, as long as it is among the known ones. */
const maxKnownWords = 100_000;

export async function addSuggestionWords(
  transaction: Transaction,
  words: readonly string[],
  known = new Set<string>(),
): Promise<void> {
  const newWords = [...new Set(words.filter((word) => !known.has(word) && isSuggestible(word)))];
  if (newWords.length === 0) return;
  if (known.size > maxKnownWords) known.clear();
  for (const word of newWords) known.add(word);
  await transaction.insertMissing(
    suggestionWordTable,
    newWords.map((word) => ({ word, reversed: reverseWord(word) })),
  );
}

const columns = pick(projectTable.columns, 'id', 'title', 'tags');

/** For the migration. */
export async function addAllSuggestionWords(transaction: Transaction): Promise<void> {
  const known = new Set<string>();
  for await (const projects of readTable(transaction, projectTable, columns, offersWordsSql)) {
    await addSuggestionWords(transaction, projects.flatMap(splitSuggestionWords), known);
    await nextEventLoopTurn();
  }
}

const wordColumn = pick(suggestionWordTable.columns, 'word');
const wordsPerBatch = 100;

/** Deletes words that no listed project has. A word that gets a project meanwhile may be lost until its next use. */
export async function deleteUnusedWords(database: Database): Promise<void> {
  const load = (last?: { word: string }) => all(database.slowReader, wordColumn)`from suggestion_word
    where word > ${last?.word ?? ''} order by word limit ${wordsPerBatch}`;
  for await (const rows of inBatches(load)) {
    const areUsed = await existEach(
      database.slowReader,
      rows.map(({ word }) => {
        const projects = projectsWith(database, { words: [word], isPrefix: false });
        return sql`from ${projects} and ${isListedSql}`;
      }),
    );
    const unused = rows.flatMap(({ word }, index) => (areUsed[index] ? [] : [word]));
    if (unused.length)
      await executeAlone(database)`delete from suggestion_word where word in (${join(unused)})`;
  }
}
