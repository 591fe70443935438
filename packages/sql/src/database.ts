// The interface to both databases. Everything above it writes SQL that both understand and does not know which one it
// uses; only the files of sqlite/ and postgres/ do.

import type { Sql } from 'sql-template-tag';
import type { QueueStats } from '../../common/src/request-queue.ts';
import type { SharedMemory } from '../../common/src/shared-memory.ts';
import type { ChangeWatcher } from './change-watchers.ts';
import type { ColumnsOf, JsonMember, Query, Row, Table, Value } from './columns.ts';
import type { CopyStatements } from './copy-statements.ts';
import type { EarlierProjects } from './earlier-rows.ts';
import type { Schema } from './migration.ts';
import type { changeHeadTable, changeTable } from './own-tables.ts';
import type { MatchQuery, Phrase, SearchAudit, SearchedMembers, SearchWords } from './search.ts';

export interface Reader {
  all<Row extends object>(query: Query<Row>): Promise<Row[]>;
  first<Row extends object>(query: Query<Row>): Promise<Row | undefined>;
}

export interface Transaction extends Reader {
  readonly jsonMember: JsonMember;
  /** Ends a select whose rows no other transaction may change until this one ends. */
  readonly forUpdate: Sql;
  /** The same, but other transactions may take the same lock. */
  readonly forShare: Sql;
  /** The same as `forUpdate`, without the rows that other transactions have locked. */
  readonly forUpdateSkipLocked: Sql;
  run(statement: Sql): Promise<void>;
  /** Runs a statement and returns columns of the row that it wrote, if it wrote one. */
  runReturning<Row extends object>(columns: ColumnsOf<Row>, statement: Sql): Promise<Row | undefined>;
  /**
   * Calls back once the transaction is on disk, in the order of these calls, and never if it is rolled back. The write
   * does not wait for what the callback starts, and does not fail if the callback does.
   */
  onCommit(callback: () => unknown): void;
  /** An id for a new row, higher than any issued before, also to rows that were deleted. */
  nextId(table: Table): Promise<number>;
  nextIds(table: Table, count: number): Promise<number[]>;
  insert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Inserts rows, except those whose key is there already. */
  insertMissing<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /** Inserts rows, replacing those with the same key. */
  upsert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void>;
  /**
   * Appends to the change log, and adds to stored counts. Call it last, so that the log is in commit order. If a count
   * would exceed its limit, the transaction fails with the error of the limit.
   */
  appendChanges(changes: readonly NewChange[], counts?: readonly CountChange[]): Promise<void>;
  /** From now until the commit, `change` has all committed changes, and nobody else commits any. Returns the last. */
  lockChangeLog(): Promise<Row<typeof changeHeadTable>>;
  /** From now on, `change` has all changes committed so far. */
  waitForChanges(): Promise<void>;
  /** For projects without an entry in the search index. */
  insertSearchWords(rows: readonly [project: number, words: SearchWords][]): Promise<void>;
  /** Replaces the projects' entries in the search index. */
  upsertSearchWords(rows: readonly [project: number, words: SearchWords][]): Promise<void>;
  deleteSearchWords(projects: number[]): Promise<void>;
  /** After rows were inserted with their own ids: makes `nextId` return higher ones. */
  skipUsedIds(table: Table): Promise<void>;
  /**
   * Drops the secondary indexes of an empty table, so that a bulk load need not maintain them, except those that few rows
   * are in. Projects that are loaded meanwhile are not kept as earlier ones: positions in listings are found again.
   */
  dropIndexes(table: Pick<Table, 'name' | 'mostRows' | 'earlier'>): Promise<RestoreIndexes>;
  /** After many rows were inserted: plans of later queries take them into account. */
  updateStatistics(table: Table): Promise<void>;
}

/** Somebody who is notified of a change, unless they have muted the kind or know of it already. */
export interface Recipient {
  readonly contributor: number;
  readonly kind: string;
  /** The contributor who did it. */
  readonly actor: number | null;
}

export type NewChange = Omit<Row<typeof changeTable>, 'sequence' | 'hash'> & {
  readonly recipients?: readonly Recipient[] | undefined;
};

export interface CountLimit {
  readonly max: number;
  createError(): Error;
}

/** The difference that a transaction makes to a stored count. */
export interface CountChange {
  /** Has a key, and the column `count`. */
  readonly table: Table;
  /** The values of the key. */
  readonly row: Readonly<Record<string, Value>>;
  readonly difference: number;
  readonly limit?: CountLimit | undefined;
}

export type RestoreIndexes = () => Promise<void>;

export interface WriteOptions {
  /**
   * The work only inserts rows, with ids of its own, and reads nothing that another such work writes. So it may run at
   * the same time as others in one transaction. It is short: many of them run without a pause.
   */
  readonly isIndependent?: boolean | undefined;
}

export interface Database extends Reader {
  /** As OpenTelemetry calls it. */
  readonly system: 'sqlite' | 'postgresql';
  readonly jsonMember: JsonMember;
  /** For queries without a suitable index: they may be slow without blocking other reads. */
  readonly slowReader: Reader;
  /** All reads in `work` see the same snapshot. */
  snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /**
   * All or nothing, and on disk when the promise resolves. `work` must await nothing but the transaction, because
   * writers queue behind it. It may run twice, each time with a handle of its own, which throws when it is used after
   * the work has ended.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
  /** A transaction that loads a whole database, in a process that does nothing else meanwhile. */
  bulkLoad<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * The sequence number of the last change by any process that made anything stale, at most `maxStalenessMs` late;
   * undefined while it is not known. Data read under a generation is valid while the generation is the same.
   */
  generation(): number | undefined;
  /** Whether a project may have changed after a generation, as far as `generation` knows. */
  hasChanged(project: number, generation: number): boolean;
  /** The projects that may have changed after a generation; undefined if it is not known, or if they are too many. */
  changedSince(generation: number, limit: number): readonly number[] | undefined;
  /**
   * Calls back whenever any process has added to the change log: at once for this process, after a moment for others.
   * Returns what ends it. Changes can be read from the server that takes writes by then, but perhaps not from a replica.
   */
  watchChanges(watcher: ChangeWatcher): () => void;
  /** How late `generation` may be about writes of other servers and programs. */
  readonly maxStalenessMs: number;
  /** Writes share commits if one process makes them all; those of several wait for each other. */
  readonly hasOneWriter: boolean;
  /**
   * A table to be read in the order of one of its indexes: a planner may not see that this is faster than sorting.
   */
  tableByIndex(table: string, index: string): Sql;
  /** The condition that a row of `project` matches all phrases in these members; fast for few rows. */
  searchCondition(phrases: readonly Phrase[], members: SearchedMembers): Sql;
  /** The projects with the highest ids among those that match. */
  findMatches<Row extends { id: number }>(reader: Reader, query: MatchQuery<Row>): Promise<Row[]>;
  /** Selects each `project` that matches all phrases, through the index of words, even if the first one is enough. */
  matchingProjects(phrases: readonly Phrase[]): Sql;
  auditSearch(): SearchAudit;
  readonly copyStatements: CopyStatements;
  readonly earlierProjects: EarlierProjects;
  /** Overwrites what deleted rows have left behind, as far as the database can. Other requests go on meanwhile. */
  overwriteDeleted(): Promise<void>;
  /** The log of SQLite holds pages as they were, and what was redacted since. It returns at once. */
  emptyLogSoon(): void;
  /** Throws Unavailable if somebody has deleted or replaced the files of the database. */
  requireInPlace(): void;
  /** Throws Unavailable if a newer version has migrated the database, so that nothing is written any more. */
  requireKnownSchema(): void;
  /** For the operator's statistics. */
  stats(): DatabaseStats;
  close(): Promise<void>;
}

export interface DatabaseStats {
  /** By what they are for, such as writes. */
  readonly queues: Readonly<Record<string, QueueStats>>;
  readonly replicas?: readonly ReplicaState[];
  /** The size of the write-ahead log, on SQLite. */
  readonly walBytes?: number;
}

export interface ReplicaState {
  readonly host: string;
  readonly isInUse: boolean;
}

/** Rebuild derived data that SQL statements cannot compute, after migrations that name them. */
export type Rebuilds = Readonly<Record<string, (transaction: Transaction) => Promise<void>>>;

/** The reads that a change makes stale. `project`: the subject's project. All except `nothing` also make listings stale. */
export type Invalidation = 'nothing' | 'listings' | 'project' | 'everything';

/** By the kind and the action of a change. */
export type InvalidationRule = (kind: string, action: string) => Invalidation;

/** The rules about rows that the database gets from its caller. */
export interface DatabaseDependencies {
  readonly schema: Schema;
  readonly rebuilds: Rebuilds;
  readonly invalidationOf: InvalidationRule;
  /** Receives errors that fail no read or write: those of callbacks that follow a commit. */
  reportError(error: unknown): void;
  /** Receives what the operator should know of a database on several servers. */
  notify(message: string): void;
  /** Counts the commits of this server's processes. */
  readonly memory: SharedMemory;
  /** The addresses of PostgreSQL servers that requests may read from. */
  readonly replicas?: readonly string[];
  /** Opened by `vitrine copy`: a database that has moved, or an empty or unfinished copy. Others may not open these. */
  readonly copying?: 'from' | 'to';
  /** No new tables are made, neither where there is no file nor in an empty database. */
  readonly mustExist?: boolean;
  /**
   * A database of an earlier schema is refused, or migrated; with `keepsCopy`, a file of SQLite is copied before.
   * By default it is migrated without a copy.
   */
  readonly earlierSchema?: 'refused' | { readonly keepsCopy: boolean };
  /**
   * Runs the steps of migrations in one process at a time; others wait. `confirm` throws if it is no longer this one. Without it, a
   * connection to PostgreSQL holds a lock meanwhile, which a pooler may lose.
   */
  runAlone?(database: Database, work: (confirm: () => Promise<void>) => Promise<void>): Promise<void>;
}
