// The search data of both databases. Words arrive folded and split and contain letters and digits only;
// both databases take them unchanged and so find the same.

import type { Sql } from 'sql-template-tag';
import type { ColumnsOf } from './columns.ts';

/** The table of the search index. */
export const searchTableName = 'project_search';

/** The words of a project in order. A phrase never spans two members or two tags. */
export interface SearchWords {
  readonly title: readonly string[];
  readonly tags: readonly (readonly string[])[];
  readonly name: readonly string[];
  /** With a space between two words: most of the words are here. */
  readonly text: string;
  /** Words of a very long text that have no position: a phrase matches them in any order. */
  readonly unpositioned: readonly string[];
}

/** The words must follow one another; with `isPrefix`, the last one may be the beginning of a word. */
export interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** Where words are searched for: tags and name rank the same. */
export type SearchedMembers = 'title' | 'title, tags and name' | 'all';

export interface MatchQuery<Row> {
  readonly columns: ColumnsOf<Row>;
  readonly phrases: readonly Phrase[];
  readonly members: SearchedMembers;
  /** About the project. */
  readonly condition: Sql;
  /** An index that has all columns and contains all projects that meet the condition. */
  readonly index: string | undefined;
  readonly limit: number;
  /** The highest id of a project. */
  readonly highestId: number;
  /** No further range of ids is searched once this is true. */
  isOver(): boolean;
}

/** How many words of a project can have a position. PostgreSQL allows 16,383; the gaps between members need some. */
export const maxPositions = 16_000;

/** How many words of a project can be stored without a position. SQLite writes all words of a project in one go. */
export const maxUnpositioned = 6000;

/** Compares the search index with what it should hold; correct only while nothing is written. */
export interface SearchAudit {
  /** Those of the projects whose entry is missing or differs from these words. */
  findMismatches(rows: readonly [project: number, words: SearchWords][]): Promise<number[]>;
  /** Projects that have an entry although they do not exist any more or do not meet the condition, which is literal text. */
  findOrphans(hasEntry: Sql): Promise<number[]>;
}
