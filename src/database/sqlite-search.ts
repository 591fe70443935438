// Searching on SQLite: how words are laid out in its full-text index, and how it is asked. Words are letters and
// digits, so `_` is free: alone it is a place that no word has, and before a word it says that the word has none.

import type { Phrase, SearchWords } from './search.ts';

/**
 * `head` is the tags and the name, which weigh the same: fewer columns, faster writes. The words are folded and
 * parted already: `ascii` takes them as they are.
 */
export const searchTable = [
  `create virtual table project_search using fts5 (
    title, head, text, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
  )`,
];

const columns = ['title', 'head', 'text'] as const;
type Row = [title: string, head: string, text: string];

export const putEntry = `insert or replace into project_search (rowid, ${columns.join(', ')}) values (?, ?, ?, ?)`;

export function rowOf({ title, tags, name, text, rest }: SearchWords): Row {
  const placed = text.join(' ');
  return [
    title.join(' '),
    [...tags, name].map((words) => words.join(' ')).join(' _ '),
    rest.length ? `${placed} ${rest.map((word) => `_${word}`).join(' ')}` : placed,
  ];
}

/** A pattern of the index: what is sought, anywhere or in some columns only. */
export function pattern(sought: readonly Phrase[], within?: string): string {
  if (within) return `{${within}} : (${sought.map(placed).join(' AND ')})`;
  return sought.map((phrase) => `(${placed(phrase)} OR ${unplaced(phrase)})`).join(' AND ');
}

const placed = ({ words, open }: Phrase) => `"${words.join(' ')}"${open ? ' *' : ''}`;

function unplaced({ words, open }: Phrase): string {
  const each = words.map((word, index) => `"_${word}"${open && index === words.length - 1 ? ' *' : ''}`);
  return `(${each.join(' AND ')})`;
}
