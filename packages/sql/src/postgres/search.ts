// The format of search entries and queries on PostgreSQL. A tsvector stores at most 256 positions of a word, so
// further positions of a frequent word are stored under another lexeme. Words are letters and digits only, which
// leaves `_` free: `_word` has no position, and `word_1` holds further positions of `word`.

import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { blockSize, type MatchRange } from '../newest-matches.ts';
import type { MatchQuery, Phrase, SearchedMembers, SearchWords } from '../search.ts';

const maxPositionsPerWord = 250;

/** Each lexeme once, with all its positions: the server parses that in half of the time. */
export function formatVector({ title, tags, name, text, unpositioned }: SearchWords): string {
  const entries = new Map<string, string>();
  const occurrences = new Map<string, number>();
  let position = 0;
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      const earlier = occurrences.get(word) ?? 0;
      occurrences.set(word, earlier + 1);
      const lexeme =
        earlier < maxPositionsPerWord ? word : `${word}_${Math.floor(earlier / maxPositionsPerWord)}`;
      const entry = entries.get(lexeme);
      entries.set(lexeme, `${entry === undefined ? `${lexeme}:` : `${entry},`}${++position}${weight}`);
    }
    position++;
  };
  add(title, 'A');
  for (const tag of tags) add(tag, 'B');
  add(name, 'B');
  add(text === '' ? [] : text.split(' '), 'C');
  for (const word of unpositioned) entries.set(`_${word}`, `_${word}`);
  return [...entries.values()].join(' ');
}

/** The words of these members. The index has each of these expressions. */
export const searchedWords: Readonly<Record<SearchedMembers, Sql>> = {
  title: raw("ts_filter(words, '{a}')"),
  'title, tags and name': raw("ts_filter(words, '{a,b}')"),
  all: raw('words'),
};

/** The number of the block of ids that a project is in. */
const blockColumn = `(array[project / ${blockSize}])`;

/**
 * PostgreSQL finds all projects with a word before it sorts them. With the blocks in the same index, it finds those of a
 * range of ids.
 */
export const searchTable = [
  'create table project_search (project bigint primary key, words tsvector not null)',
  `create index project_search_by_words on project_search
     using gin (words, ${searchedWords.title.sql}, ${searchedWords['title, tags and name'].sql}, ${blockColumn})`,
];

/** Without `offset`, the planner may read all projects of the range and look up the words of each. */
export function fromMatches(
  { phrases, members, condition }: MatchQuery<unknown>,
  { from, below, isRest }: MatchRange,
): Sql {
  const query = formatQuery(phrases, members);
  const [first, end] = [from / blockSize, below / blockSize];
  const blocks = Array.from({ length: isRest ? 0 : end - first }, (_, index) => first + index);
  const isInBlock = isRest ? empty : sql`and ${raw(blockColumn)} && ${`{${blocks.join()}}`}::bigint[]`;
  return sql`from (
      select project from project_search where ${searchedWords[members]} @@ ${query}::tsquery ${isInBlock} offset 0
    ) as found join project on project.id = found.project
    where project.id >= ${from} and project.id < ${below} and ${condition}
    order by project.id desc`;
}

/** A tsquery for the phrases. Words without a position are in the text only. */
export const formatQuery = (phrases: readonly Phrase[], members: SearchedMembers): string =>
  phrases
    .map((phrase) =>
      members === 'all'
        ? `(${positionedQuery(phrase)} | ${unpositionedQuery(phrase)})`
        : positionedQuery(phrase),
    )
    .join(' & ');

function positionedQuery({ words, isPrefix }: Phrase): string {
  const terms = words.map((word, index) => {
    if (isPrefix && index === words.length - 1) return `${word}:*`;
    // A word has a position under its own lexeme if it has any.
    return words.length === 1 ? word : `(${word} | ${word}_:*)`;
  });
  return `(${terms.join(' <-> ')})`;
}

function unpositionedQuery({ words, isPrefix }: Phrase): string {
  const terms = words.map((word, index) => `_${word}${isPrefix && index === words.length - 1 ? ':*' : ''}`);
  return `(${terms.join(' & ')})`;
}
