// SQLite in one file: one connection writes and another reads, both on this thread, so that a read costs microseconds
// and its promise resolves before the next event loop turn (otherwise Bun loses pipelined responses).

import type { Database as Connection } from 'bun:sqlite';
import { statSync } from 'node:fs';
import sql, { raw, type Sql } from 'sql-template-tag';
import { Unavailable } from '../../../common/src/errors.ts';
import { ChangeTracker, changeHead, entriesAfter } from '../change-tracker.ts';
import { ChangeWatchers } from '../change-watchers.ts';
import { integer, type Query } from '../columns.ts';
import type { Database, DatabaseDependencies, DatabaseStats, Reader, Transaction } from '../database.ts';
import type { Schema } from '../migration.ts';
import { findNewestMatches } from '../newest-matches.ts';
import { SchemaGuard } from '../schema-guard.ts';
import type { Phrase, SearchedMembers } from '../search.ts';
import { cacheSize, isBusy, jsonMember, openReader, SqliteReader, translateErrors } from './connection.ts';
import { copyStatementsFor } from './copy.ts';
import { sqliteEarlierProjects } from './earlier-rows.ts';
import { openFile } from './file.ts';
import {
  formatQuery,
  fromMatches,
  mergedPages,
  mergeSearchIndex,
  SqliteSearchAudit,
  setSearchOption,
} from './search.ts';
import { SlowReader } from './slow-reads.ts';
import { cutWriteAheadLog, emptyWriteAheadLog } from './write-ahead-log.ts';
import { SqliteWriteQueue } from './write-queue.ts';

const dataVersion = { statement: sql`pragma data_version`, columns: { data_version: integer() } };

const schemaVersion = { statement: sql`pragma schema_version`, columns: { schema_version: integer() } };

const hasPrefix = (phrases: readonly Phrase[]) => phrases.some(({ isPrefix }) => isPrefix);

class SqliteDatabase implements Database {
  readonly system = 'sqlite';
  readonly jsonMember = jsonMember;
  readonly maxStalenessMs = 2;
  readonly hasOneWriter = true;
  get copyStatements() {
    return copyStatementsFor(this.#schema);
  }
  readonly earlierProjects = sqliteEarlierProjects;
  readonly slowReader: SlowReader;
  #openedReader: SqliteReader | undefined;
  #writes: SqliteWriteQueue;
  #changes: ChangeTracker;
  /** How many commits this server's processes have made. */
  #commits: BigInt64Array;
  /** Those of which the generation knows; none after a connection was closed. */
  #knownCommits = -1n;
  /** How often `generation` was called: a measure of how many reads there are. */
  #generationReads = 0;
  /** SQLite's count of commits by other connections; a new connection starts with another count. */
  #dataVersion = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #emptying: Timer | undefined;
  readonly #identity: string | undefined;
  readonly #schema: Schema;
  readonly #schemaGuard: SchemaGuard;
  /** SQLite's count of changes of the schema, when it was looked at. */
  #schemaVersion: number | undefined;
  readonly #watchers = new ChangeWatchers(() => this.#look());

  constructor(
    private readonly path: string,
    writer: SqliteReader,
    { schema, invalidationOf, reportError, notify, memory }: DatabaseDependencies,
  ) {
    this.#schema = schema;
    this.#schemaGuard = new SchemaGuard(schema, notify);
    this.#commits = memory.open('commits', 1);
    this.#changes = new ChangeTracker(invalidationOf);
    this.#identity = identify(path);
    this.slowReader = new SlowReader(path);
    this.#writes = new SqliteWriteQueue(path, writer, {
      schema,
      readCount: () => this.#generationReads,
      onCommit: () => {
        Atomics.add(this.#commits, 0, 1n);
        if (!this.#watchers.isEmpty) this.#look();
      },
      reportError,
      requireInPlace: () => this.requireInPlace(),
      requireKnownSchema: (writer) => this.#checkSchema(writer),
      releaseFile: () => {
        this.#closeReader();
        this.slowReader.releaseFile();
      },
    });
  }

  get #isSearched(): boolean {
    return this.#schema.tables().some(({ isSearched }) => isSearched);
  }

  /** Opened on the first read. */
  get #reader(): SqliteReader {
    this.#openedReader ??= new SqliteReader(openReader(this.path));
    return this.#openedReader;
  }

  #closeReader(): void {
    this.#openedReader?.close();
    this.#openedReader = undefined;
    this.#knownCommits = -1n;
  }

  // Async, so that a file that cannot be opened rejects the promise.
  async all<Row extends object>(query: Query<Row>): Promise<Row[]> {
    return this.#reader.allNow(query);
  }

  async first<Row extends object>(query: Query<Row>): Promise<Row | undefined> {
    return this.#reader.firstNow(query);
  }

  /** Uses a connection of its own, because a snapshot may take long and other reads must not see it. */
  async snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const reader = new SqliteReader(openReader(this.path));
    try {
      translateErrors(() => reader.connection.run('begin'));
      return await work(reader);
    } finally {
      reader.close();
    }
  }

  transaction: Database['transaction'] = (work) => this.#writes.transaction(work);

  /**
   * If no other process has the file open, pages are written once into the file and not to the write-ahead log first:
   * this saves a quarter of the time of a large load. If the process is killed, the rollback journal undoes the load.
   */
  async bulkLoad<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    await this.#writes.finish();
    this.#closeReader();
    const { connection } = this.#writes.writer;
    setJournalMode(connection, 'truncate');
    connection.run(`pragma cache_size = -${loadCacheSize}`);
    // Creating an index sorts a million rows.
    connection.run('pragma temp_store = file');
    try {
      // What it reads, such as a file, comes once: it cannot run again after a group that has failed.
      return await this.#writes.transactionAlone(async (transaction) => {
        if (!this.#isSearched) return work(transaction);
        await transaction.run(raw(setSearchOption('automerge', 16)));
        const result = await work(transaction);
        await transaction.run(raw(setSearchOption('automerge', 0)));
        while (await mergeSearchIndex(transaction, 10_000));
        return result;
      });
    } catch (error) {
      // Beside a running server it has written to the write-ahead log, which would keep a full disk full.
      releaseLog(this.path, connection);
      throw error;
    } finally {
      connection.run('pragma temp_store = memory');
      connection.run(`pragma cache_size = -${cacheSize}`);
      setJournalMode(connection, 'wal');
    }
  }

  generation(): number | undefined {
    this.#generationReads++;
    return this.#findGeneration();
  }

  #findGeneration(): number | undefined {
    const now = performance.now();
    const commits = Atomics.load(this.#commits, 0);
    const isStale = commits !== this.#knownCommits;
    if (isStale || now - this.#checkedAt >= this.maxStalenessMs) {
      this.#checkedAt = now;
      const version = this.#reader.firstNow(dataVersion)?.data_version ?? 0;
      if (isStale || version !== this.#dataVersion) this.#refresh();
      this.#dataVersion = version;
      this.#knownCommits = commits;
    }
    return this.#changes.generation;
  }

  #refresh(): void {
    const reader = this.#reader;
    const { lastSequence } = this.#changes;
    const last = reader.firstNow(changeHead)?.last ?? 0;
    const hasNothingToRead = lastSequence === undefined || lastSequence === last;
    this.#changes.advance(last, hasNothingToRead ? [] : reader.allNow(entriesAfter(lastSequence)));
    this.#checkSchema(reader).catch(() => {});
    this.#watchers.report(last);
  }

  watchChanges: Database['watchChanges'] = (watcher) => this.#watchers.add(watcher);

  #look(): void {
    try {
      this.#findGeneration();
    } catch {
      // A file that cannot be read now is looked at again.
    }
  }

  hasChanged: Database['hasChanged'] = (...change) => this.#changes.hasChanged(...change);
  changedSince: Database['changedSince'] = (...since) => this.#changes.changedSince(...since);
  tableByIndex: Database['tableByIndex'] = (table, index) => raw(`${table} indexed by ${index}`);

  searchCondition(phrases: readonly Phrase[], members: SearchedMembers): Sql {
    const query = formatQuery(phrases, members);
    // For each query, SQLite collects all projects with a beginning of a word.
    if (hasPrefix(phrases))
      return sql`id in (select rowid from project_search where project_search match ${query})`;
    // Without the limit, SQLite makes it a join and reads all matches.
    return sql`exists (
      select 1 from project_search where rowid = project.id and project_search match ${query} limit 1
    )`;
  }

  findMatches: Database['findMatches'] = (reader, query) =>
    findNewestMatches(reader, query, {
      maxRanges: hasPrefix(query.phrases) ? 0 : Number.POSITIVE_INFINITY,
      from: (range) => fromMatches(query, range),
    });

  matchingProjects: Database['matchingProjects'] = (phrases) =>
    sql`select rowid as project from project_search where project_search match ${formatQuery(phrases, 'all')}`;

  /**
   * Deleted rows are overwritten at once, but their words stay in the search index until its parts are merged, and the
   * write-ahead log holds older pages until it is emptied.
   */
  async overwriteDeleted(): Promise<void> {
    if (this.#schema.tables().some(({ earlier }) => earlier))
      await this.transaction((transaction) => transaction.run(sql`delete from earlier_project`));
    const merge = (pages?: number) => this.transaction((transaction) => mergeSearchIndex(transaction, pages));
    let hasMore = this.#isSearched && (await merge(-mergedPages));
    while (hasMore) {
      await Bun.sleep(mergePauseMs);
      hasMore = await merge();
    }
    await this.#writes.finish();
    emptyWriteAheadLog(this.#writes.writer.connection);
  }

  /** In an empty transaction, because no other one may run meanwhile. */
  emptyLogSoon(): void {
    const work = async (transaction: Transaction) =>
      transaction.onCommit(() => {
        if (!emptyWriteAheadLog(this.#writes.writer.connection)) this.emptyLogSoon();
      });
    this.#emptying ??= setTimeout(() => {
      this.#emptying = undefined;
      this.transaction(work).catch(() => this.emptyLogSoon());
    }, emptyingDelayMs).unref();
  }

  /** What would be written to a file that was deleted would be gone when the server stops. */
  requireInPlace(): void {
    if (identify(this.path) === this.#identity) return;
    throw new Unavailable(
      `the file ${this.path} was deleted or replaced while the server had it open: bring it back and restart the server`,
    );
  }

  requireKnownSchema(): void {
    this.#schemaGuard.requireKnownSchema();
  }

  async #checkSchema(writer: SqliteReader): Promise<void> {
    const version = writer.firstNow(schemaVersion)?.schema_version;
    if (version !== this.#schemaVersion) await this.#schemaGuard.check(writer);
    this.#schemaVersion = version;
    this.requireKnownSchema();
  }

  stats(): DatabaseStats {
    return {
      queues: { slow_reads: this.slowReader.stats, writes: this.#writes.stats },
      walBytes: statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    };
  }

  auditSearch: Database['auditSearch'] = () => new SqliteSearchAudit(this.path);

  async close(): Promise<void> {
    this.#watchers.stop();
    await this.#writes.finish();
    clearTimeout(this.#emptying);
    this.slowReader.close();
    this.#closeReader();
    this.#writes.close();
  }
}

export const openSqlite = async (path: string, deps: DatabaseDependencies): Promise<Database> =>
  new SqliteDatabase(path, await openFile(path, deps), deps);

/** Of the file at the path; undefined if there is none. */
function identify(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** KiB: a load writes to many places of the file. */
const loadCacheSize = 32 * 1024;

const mergePauseMs = 20;
const emptyingDelayMs = 500;

/** The file may be in use, or gone: the error that was before is the one to report. */
function releaseLog(path: string, connection: Connection): void {
  try {
    cutWriteAheadLog(path, connection);
    emptyWriteAheadLog(connection);
  } catch {}
}

/** The mode does not change while another process has the file open. */
function setJournalMode(connection: Connection, mode: 'wal' | 'truncate'): void {
  try {
    connection.run(`pragma journal_mode = ${mode}`);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
