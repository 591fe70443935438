// The format of search entries and queries on PostgreSQL. A tsvector stores at most 256 positions of a word, so
// further positions of a frequent word are stored under another lexeme. Words are letters and digits only, which
// leaves `_` free: `_word` has no position, and `word_1` holds further positions of `word`.

import type { Phrase, SearchWords } from './search.ts';

export const searchTable = [
  'create table project_search (project bigint primary key, words tsvector not null)',
  'create index project_search_by_words on project_search using gin (words)',
];

const maxPositionsPerWord = 250;

export function formatVector({ title, tags, name, text, unpositioned }: SearchWords): string {
  const entries: string[] = [];
  const occurrences = new Map<string, number>();
  let position = 0;
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      const earlier = occurrences.get(word) ?? 0;
      occurrences.set(word, earlier + 1);
      const lexeme =
        earlier < maxPositionsPerWord ? word : `${word}_${Math.floor(earlier / maxPositionsPerWord)}`;
      entries.push(`${lexeme}:${++position}${weight}`);
    }
    position++;
  };
  add(title, 'A');
  for (const tag of tags) add(tag, 'B');
  add(name, 'B');
  add(text, 'C');
  for (const word of unpositioned) entries.push(`_${word}`);
  return entries.join(' ');
}

/** A tsquery for the phrases, anywhere or only in words with these weights. */
export function formatQuery(phrases: readonly Phrase[], weights = ''): string {
  return phrases
    .map((phrase) =>
      weights
        ? positionedQuery(phrase, weights)
        : `(${positionedQuery(phrase, '')} | ${unpositionedQuery(phrase)})`,
    )
    .join(' & ');
}

function positionedQuery({ words, isPrefix }: Phrase, weights: string): string {
  const terms = words.map((word, index) => {
    if (isPrefix && index === words.length - 1) return `${word}:*${weights}`;
    const term = weights ? `${word}:${weights}` : word;
    // A word has a position under its own lexeme if it has any.
    return words.length === 1 ? term : `(${term} | ${word}_:*${weights})`;
  });
  return `(${terms.join(' <-> ')})`;
}

function unpositionedQuery({ words, isPrefix }: Phrase): string {
  const terms = words.map((word, index) => `_${word}${isPrefix && index === words.length - 1 ? ':*' : ''}`);
  return `(${terms.join(' & ')})`;
}
