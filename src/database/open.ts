// The seam between the two databases. Everything above it writes one SQL for both and does not know which it
// speaks to; only sqlite.ts and postgres.ts do. `openDatabase` brings the schema up to date before it answers.

import type { Sql } from 'sql-template-tag';
import { OperatorError } from '../errors.ts';
import type { Rebuilds } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import type { Table, Value } from './schema.ts';
import type { Phrase, SearchAudit, SearchWords } from './search.ts';
import { openSqlite } from './sqlite.ts';

export interface Reader {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
}

export interface Transaction extends Reader {
  /** Ends a select whose rows nobody else shall change before this transaction ends. */
  readonly forUpdate: Sql;
  /** The same, but others may hold them so as well. */
  readonly forShare: Sql;
  run(query: Sql): Promise<void>;
  /** An id for a new row: higher than any that was given out. */
  nextId(table: Table): Promise<number>;
  /** Writes rows that are not there yet; the values stand in the order of the columns. */
  insert(table: Table, rows: Value[][]): Promise<void>;
  /** Writes whole rows, replacing those with the same key. */
  upsert(table: Table, rows: Value[][]): Promise<void>;
  /**
   * Writes rows of the change log, with the next numbers in the place of theirs. Last of all, as from here to the
   * commit nobody else can take a number: so the log is in the order of commits.
   */
  appendChanges(rows: Value[][]): Promise<void>;
  /** Keeps the words by which projects are found; a project's earlier words are forgotten. */
  upsertSearchWords(rows: [project: number, words: SearchWords][]): Promise<void>;
  deleteSearchWords(projects: number[]): Promise<void>;
  /** After rows came with ids of their own: `nextId` gives higher ones. */
  skipUsedIds(table: Table): Promise<void>;
  /** Takes the secondary indexes off an empty table, so that a bulk load need not keep them in order. */
  dropIndexes(table: Table): Promise<RestoreIndexes>;
}

export type RestoreIndexes = () => Promise<void>;

export interface Database extends Reader {
  /** For what no index bounds: it may take its time without keeping other reads waiting. */
  readonly slowReader: Reader;
  /** All reads in `work` see one moment. */
  snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /**
   * All or nothing, and on disk when the promise is kept. `work` must await nothing but the transaction: writers
   * wait for each other. It may be done twice.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** A change as large as a whole gallery, by a process that does nothing else meanwhile. */
  bulkLoad<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * The number of the last change that anybody made, at most `staleness` late; undefined when it is not known just
   * now. What was read under a number is still true while the number is the same.
   */
  generation(): number | undefined;
  /** Whether a project may have changed after a generation, as far as `generation` knows. */
  hasChanged(project: number, generation: number): boolean;
  /** How late `generation` may be, in milliseconds. */
  readonly maxStalenessMs: number;
  /** A table, to be read along one of its indexes: a planner may not see that this is sooner done than sorting. */
  tableByIndex(table: string, index: string): Sql;
  /** The condition that a project has all that is sought. */
  searchCondition(phrases: readonly Phrase[]): Sql;
  /**
   * A select of each `project` that has all that is sought, with its `tier`: 1 when the title has it, 2 when title,
   * tags and contributor's name have it together, else 3.
   */
  rankedMatches(phrases: readonly Phrase[]): Sql;
  auditSearch(): SearchAudit;
  close(): Promise<void>;
}

export function openDatabase(address: string, rebuilds: Rebuilds): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(address)) return openPostgres(address, rebuilds);
  if (/^([a-z][a-z0-9+.-]*:\/\/|postgres(ql)?:|:memory:)/i.test(address)) {
    throw new OperatorError(
      `The database must be a file's path or start with postgres://, not ${address.split(':')[0]}:.`,
    );
  }
  return openSqlite(address, rebuilds);
}
