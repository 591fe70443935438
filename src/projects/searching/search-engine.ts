// A search engine beside the database. It only finds ids: the database says who may see these projects, searches what has changed
// since, and searches everything if the engine has no answer. See docs/decisions/0107-search-engine.md.

import type { Log } from '#common/log.ts';
import { all, type Database, type Phrase, pick, type SearchedMembers } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';

export interface SearchEngine {
  /** The last change that it has. */
  position(): Promise<EnginePosition>;
  /** The ids of matches, the highest first. */
  find(query: EngineQuery): Promise<number[]>;
}

export interface EnginePosition {
  readonly number: number;
  /** Of the change log up to that number. */
  readonly hash: string;
}

/** The engine may leave these out; the database leaves out the rest. */
export interface EngineFilter {
  /** None means all. */
  readonly types: readonly string[];
  /** Only what is public and neither archived nor in the trash. */
  readonly onlyListed: boolean;
}

export interface EngineQuery extends EngineFilter {
  readonly phrases: readonly Phrase[];
  readonly members: SearchedMembers;
  readonly limit: number;
}

/** The database has to search. */
export class NoAnswer extends Error {}

/** How many changes an engine may be behind. */
const maxBehind = 1000;
const columns = pick(changeTable.columns, 'sequence', 'hash', 'kind', 'subject');

/** The projects that have changed since. An engine that was filled before a backup was restored has no answer. */
export async function findChangedSince(
  database: Database,
  { number, hash }: EnginePosition,
): Promise<ReadonlySet<number>> {
  const [last, ...later] = await all(database, columns)`from change
    where sequence >= ${number} order by sequence limit ${maxBehind + 2}`;
  if (last?.sequence !== number || last.hash !== hash || later.length > maxBehind) throw new NoAnswer();
  return new Set(later.filter(({ kind }) => kind === 'project').map(({ subject }) => subject));
}

/** `log` is undefined in processes that leave it to another one. */
export type CreateSearchEngine = (
  address: string,
  database: Database,
  log: Pick<Log, 'info' | 'error'> | undefined,
) => Promise<SearchEngine>;

declare module '../../core/feature.ts' {
  interface Feature {
    /** Searches instead of the database. Loaded when the server starts. */
    searchEngine?(): Promise<CreateSearchEngine>;
  }
}
