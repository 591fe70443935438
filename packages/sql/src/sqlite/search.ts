// The format of search entries and queries on SQLite. Words are letters and digits only, which leaves `_` free: alone
// it is a position without a word, and `_word` has no position.

import { Database as Connection } from 'bun:sqlite';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { integer } from '../columns.ts';
import type { Transaction } from '../database.ts';
import type { MatchRange } from '../newest-matches.ts';
import { select } from '../query.ts';
import type { MatchQuery, Phrase, SearchAudit, SearchedMembers, SearchWords } from '../search.ts';

/**
 * `head` holds tags and name, which rank the same: fewer columns make writes faster. Words are already folded and
 * split: the tokenizer `ascii` leaves them unchanged. Each flush adds a part to the index. By itself SQLite would merge the
 * parts within the write, for 0.1 s at a time; at `crisismerge` parts of a size, it still does.
 */
export const searchTable = [
  `create virtual table project_search using fts5 (
    title, head, text, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
  )`,
  setSearchOption('automerge', 0),
  setSearchOption('crisismerge', 500),
];

export function setSearchOption(name: string, value: number): string {
  return `insert into project_search (project_search, rank) values ('${name}', ${value})`;
}

/** How much of the search index one transaction merges: it takes 7 ms. */
export const mergedPages = 24;

const totalChanges = select({ changes: integer(sql`total_changes()`) }, empty);

/** Whether there is more to merge. With a negative number of pages, all parts of the index are going to be merged. */
export async function mergeSearchIndex(transaction: Transaction, pages = mergedPages): Promise<boolean> {
  const before = await transaction.first(totalChanges);
  await transaction.run(raw(setSearchOption('merge', pages)));
  const after = await transaction.first(totalChanges);
  return (after?.changes ?? 0) - (before?.changes ?? 0) > 1;
}

/** At most as many pages as the entry fills. */
export const countPages = (row: Row) => 1 + row.reduce((sum, { length }) => sum + length, 0) / 1000;

const columns = ['title', 'head', 'text'] as const;
type Row = [title: string, head: string, text: string];

/** A row of SQLite's fts5vocab: a word at one position of one column. */
interface Word {
  readonly term: string;
  readonly doc: number;
  readonly col: (typeof columns)[number];
  readonly offset: number;
}

const intoIndex = `into project_search (rowid, ${columns.join(', ')}) values (?, ?, ?, ?)`;
export const insertEntry = `insert ${intoIndex}`;
export const upsertEntry = `insert or replace ${intoIndex}`;

export function toIndexRow({ title, tags, name, text, unpositioned }: SearchWords): Row {
  return [
    title.join(' '),
    [...tags, name].map((words) => words.join(' ')).join(' _ '),
    unpositioned.length ? `${text} ${unpositioned.map((word) => `_${word}`).join(' ')}` : text,
  ];
}

const columnNames = { title: 'title', 'title, tags and name': 'title head' } as const;

/** A full-text query for the phrases. */
export function formatQuery(phrases: readonly Phrase[], members: SearchedMembers): string {
  if (members !== 'all') return `{${columnNames[members]}} : (${phrases.map(positionedQuery).join(' AND ')})`;
  return phrases
    .map((phrase) => `(${positionedQuery(phrase)} OR ${unpositionedQuery(phrase)})`)
    .join(' AND ');
}

const positionedQuery = ({ words, isPrefix }: Phrase) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;

function unpositionedQuery({ words, isPrefix }: Phrase): string {
  const terms = words.map((word, index) => `"_${word}"${isPrefix && index === words.length - 1 ? ' *' : ''}`);
  return `(${terms.join(' AND ')})`;
}

/** SQLite's planner keeps the order of a cross join, and reads the index of words from the highest id down. */
export function fromMatches(
  { phrases, members, condition, index }: MatchQuery<unknown>,
  { from, below }: MatchRange,
): Sql {
  const project = index ? raw(`project indexed by ${index}`) : sql`project`;
  return sql`from project_search cross join ${project}
    where project_search match ${formatQuery(phrases, members)}
      and project_search.rowid >= ${from} and project_search.rowid < ${below}
      and project.id = project_search.rowid and ${condition}
    order by project_search.rowid desc`;
}

/**
 * The index cannot return one project's entry, but it can list every word with its positions. One pass over the whole
 * index computes a digest for each project.
 */
export class SqliteSearchAudit implements SearchAudit {
  #digests: Map<number, number> | undefined;

  constructor(private readonly path: string) {}

  async findMismatches(rows: readonly [project: number, words: SearchWords][]): Promise<number[]> {
    this.#digests ??= this.#readDigests();
    const digests = this.#digests;
    return rows
      .filter(([project, words]) => digests.get(project) !== digestRow(toIndexRow(words)))
      .map(([project]) => project);
  }

  async findOrphans(hasEntry: Sql): Promise<number[]> {
    return this.#withConnection((connection) =>
      connection
        .query<{ rowid: number }, []>(
          `select rowid from project_search where rowid not in (select id from project where ${hasEntry.sql})`,
        )
        .all()
        .map(({ rowid }) => rowid),
    );
  }

  #readDigests(): Map<number, number> {
    return this.#withConnection((connection) => {
      connection.run('create virtual table temp.word using fts5vocab (main, project_search, instance)');
      const digests = new Map<number, number>();
      const rows = connection.query<{ rowid: number }, []>('select rowid from project_search').all();
      for (const { rowid } of rows) digests.set(rowid, 0);
      let lastTerm = '';
      let hash = 0;
      const words = connection.query<Word, []>('select term, doc, col, offset from temp.word');
      for (const { term, doc, col, offset } of words.iterate()) {
        // Rows come grouped by term.
        if (term !== lastTerm) [lastTerm, hash] = [term, Bun.hash.xxHash32(term)];
        const before = digests.get(doc) ?? Number.NaN;
        digests.set(doc, addDigests(before, digestWord(hash, columns.indexOf(col), offset)));
      }
      return digests;
    });
  }

  #withConnection<Result>(read: (connection: Connection) => Result): Result {
    const connection = new Connection(this.path, { readonly: true });
    try {
      connection.run('pragma busy_timeout = 5000; begin');
      return read(connection);
    } finally {
      connection.close();
    }
  }
}

function digestRow(row: Row): number {
  return row.reduce(
    (total, text, column) =>
      text
        .split(' ')
        .filter(Boolean)
        .reduce(
          (subtotal, word, offset) =>
            addDigests(subtotal, digestWord(Bun.hash.xxHash32(word), column, offset)),
          total,
        ),
    0,
  );
}

const modulus = 2 ** 52;
const addDigests = (first: number, second: number) => (first + second) % modulus;

/** 52 bits for a word at its position. The sum of the digests does not depend on their order. */
function digestWord(word: number, column: number, offset: number): number {
  const slot = offset * columns.length + column + 1;
  const high = Math.imul(word ^ Math.imul(slot, 0x9e3779b1), 0x85ebca6b) >>> 12;
  const low = Math.imul((word + slot) ^ (word >>> 15), 0xc2b2ae35) >>> 0;
  return high * 2 ** 32 + low;
}
