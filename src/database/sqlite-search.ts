// Searching on SQLite: how words are laid out in its full-text index, and how it is asked. Words are letters and
// digits, so `_` is free: alone it is a place that no word has, and before a word it says that the word has none.

import { Database as Connection } from 'bun:sqlite';
import type { Phrase, SearchAudit, SearchWords } from './search.ts';

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

/** What the index holds of a project cannot be read back, but every word of it with its place can, from the whole. */
export class SqliteSearchAudit implements SearchAudit {
  #found: Map<number, number> | undefined;

  constructor(private readonly path: string) {}

  async misfiled(rows: readonly [project: number, words: SearchWords][]): Promise<number[]> {
    this.#found ??= this.#read();
    const found = this.#found;
    return rows
      .filter(([project, words]) => found.get(project) !== digestOf(rowOf(words)))
      .map(([project]) => project);
  }

  async strays(): Promise<number[]> {
    return this.#open((connection) =>
      connection
        .query(
          'select rowid from project_search where rowid not in (select id from project where status <> 4 or trashed is not null)',
        )
        .values()
        .map(([project]) => project as number),
    );
  }

  #read(): Map<number, number> {
    return this.#open((connection) => {
      connection.run('create virtual table temp.word using fts5vocab (main, project_search, instance)');
      const found = new Map<number, number>();
      for (const [project] of connection.query('select rowid from project_search').values())
        found.set(project as number, 0);
      let known = '';
      let hash = 0;
      const words = connection.query('select term, doc, col, offset from temp.word');
      for (const row of words.iterate()) {
        const { term, doc, col, offset } = row as { term: string; doc: number; col: string; offset: number };
        // They come word by word.
        if (term !== known) [known, hash] = [term, Bun.hash.xxHash32(term)];
        const before = found.get(doc) ?? Number.NaN;
        found.set(doc, sum(before, digest(hash, columns.indexOf(col as (typeof columns)[number]), offset)));
      }
      return found;
    });
  }

  #open<Result>(read: (connection: Connection) => Result): Result {
    const connection = new Connection(this.path, { readonly: true });
    try {
      connection.run('pragma busy_timeout = 5000; begin');
      return read(connection);
    } finally {
      connection.close();
    }
  }
}

function digestOf(row: Row): number {
  return row.reduce(
    (total, text, column) =>
      text
        .split(' ')
        .filter(Boolean)
        .reduce((so, word, offset) => sum(so, digest(Bun.hash.xxHash32(word), column, offset)), total),
    0,
  );
}

const modulus = 2 ** 52;
const sum = (first: number, second: number) => (first + second) % modulus;

/** 52 bits for a word in its place, whose sum does not depend on the order in which they are met. */
function digest(word: number, column: number, offset: number): number {
  const place = offset * columns.length + column + 1;
  const high = Math.imul(word ^ Math.imul(place, 0x9e3779b1), 0x85ebca6b) >>> 12;
  const low = Math.imul((word + place) ^ (word >>> 15), 0xc2b2ae35) >>> 0;
  return high * 2 ** 32 + low;
}
