// Searching on PostgreSQL: how words are laid out in a tsvector, and how it is asked. A word keeps at most 256
// places there, so a frequent one goes on under another spelling. Words are letters and digits, so `_` is free:
// before a word it says that the word has no place, behind it that these are further places of it.

import type { Phrase, SearchWords } from './search.ts';

export const searchTable = [
  'create table project_search (project bigint primary key, words tsvector not null)',
  'create index project_search_by_words on project_search using gin (words)',
];

const placesOfAWord = 250;

export function vectorOf({ title, tags, name, text, rest }: SearchWords): string {
  const entries: string[] = [];
  const met = new Map<string, number>();
  let place = 0;
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      const times = met.get(word) ?? 0;
      met.set(word, times + 1);
      const spelling = times < placesOfAWord ? word : `${word}_${Math.floor(times / placesOfAWord)}`;
      entries.push(`${spelling}:${++place}${weight}`);
    }
    place++;
  };
  add(title, 'A');
  for (const tag of tags) add(tag, 'B');
  add(name, 'B');
  add(text, 'C');
  for (const word of rest) entries.push(`_${word}`);
  return entries.join(' ');
}

/** A tsquery: what is sought, anywhere or where the weights are. */
export function pattern(sought: readonly Phrase[], weights = ''): string {
  return sought
    .map((phrase) => (weights ? placed(phrase, weights) : `(${placed(phrase, '')} | ${unplaced(phrase)})`))
    .join(' & ');
}

function placed({ words, open }: Phrase, weights: string): string {
  const each = words.map((word, index) => {
    if (open && index === words.length - 1) return `${word}:*${weights}`;
    const once = weights ? `${word}:${weights}` : word;
    // A word alone has a first place if it has any.
    return words.length === 1 ? once : `(${once} | ${word}_:*${weights})`;
  });
  return `(${each.join(' <-> ')})`;
}

function unplaced({ words, open }: Phrase): string {
  const each = words.map((word, index) => `_${word}${open && index === words.length - 1 ? ':*' : ''}`);
  return `(${each.join(' & ')})`;
}
