// SQLite in one file: one connection writes and another reads, both on this thread, so that a read costs microseconds
// and its promise resolves before the next event loop turn (otherwise Bun loses pipelined responses).

import { type Database as Connection, SQLiteError } from 'bun:sqlite';
import sql, { raw, type Sql } from 'sql-template-tag';
import { Unavailable } from '../errors.ts';
import { currentSignal } from '../request-signal.ts';
import { ChangeTracker, entriesAfter } from './change-tracker.ts';
import { integer } from './columns.ts';
import type { Rebuilds } from './migrate.ts';
import type { Database, Reader, Transaction } from './open.ts';
import { type Query, select } from './query.ts';
import { changeHeadTable } from './schema.ts';
import type { Phrase, SearchAudit } from './search.ts';
import { cacheSize, openReader, SqliteReader, translateError, translateErrors } from './sqlite-connection.ts';
import { openFile, openWriter } from './sqlite-file.ts';
import { formatQuery, SqliteSearchAudit } from './sqlite-search.ts';
import { SlowReader } from './sqlite-slow-reads.ts';
import type { SqliteTransaction } from './sqlite-transaction.ts';

interface QueuedWrite {
  work(transaction: Transaction): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** The write was in a group that failed and now runs in a transaction of its own. */
  readonly isAlone?: boolean;
}

/** How many writes share a commit: they run in one go, and no read runs meanwhile. */
const maxGroupSize = 64;
/** After a group of writes, reads go first for this many times as long as the group took, if there are any. */
const readerTimeFactor = 16;
/** How long a write waits for another process's transaction. */
const lockTimeoutMs = 5000;
/** The longest delay between two attempts to begin a transaction. */
const maxRetryDelayMs = 50;

const dataVersion = { statement: sql`pragma data_version`, columns: { data_version: integer() } };
const changeHead = select(changeHeadTable.columns, sql`from change_head`);

const matchingRows = (words: string) =>
  sql`select rowid from project_search where project_search match ${words}`;

class SqliteDatabase implements Database {
  readonly maxStalenessMs = 2;
  readonly slowReader: SlowReader;
  #openedReader: SqliteReader | undefined;
  #openedWriter: SqliteTransaction | undefined;
  #queue: QueuedWrite[] = [];
  #drain: Promise<void> | undefined;
  #changes = new ChangeTracker();
  /** This process has written since the generation was read. */
  #isStale = true;
  /** How often `generation` was called: a measure of how many reads there are. */
  #generationReads = 0;
  /** SQLite's count of commits by other connections; a new connection starts with another count. */
  #dataVersion = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path: string,
    writer: SqliteTransaction,
  ) {
    this.#openedWriter = withoutBusyTimeout(writer);
    this.slowReader = new SlowReader(path);
  }

  /** Opened on the first read. */
  get #reader(): SqliteReader {
    this.#openedReader ??= new SqliteReader(openReader(this.path));
    return this.#openedReader;
  }

  /** Reopened after an error that may be the connection's own; never creates the file. */
  get #writer(): SqliteTransaction {
    this.#openedWriter ??= withoutBusyTimeout(openWriter(this.path, false));
    return this.#openedWriter;
  }

  #closeWriter(): void {
    this.#openedWriter?.close();
    this.#openedWriter = undefined;
  }

  /**
   * Closes every connection: while one of a process is open, SQLite keeps what it knew of the file, for instance that
   * it was read-only.
   */
  #releaseFile(): void {
    this.#closeWriter();
    this.#closeReader();
    this.slowReader.releaseFile();
  }

  #closeReader(): void {
    this.#openedReader?.close();
    this.#openedReader = undefined;
    this.#isStale = true;
  }

  all<Row extends object>(query: Query<Row>): Promise<Row[]> {
    return this.#reader.all(query);
  }

  first<Row extends object>(query: Query<Row>): Promise<Row | undefined> {
    return this.#reader.first(query);
  }

  /** Uses a connection of its own, because a snapshot may take long and other reads must not see it. */
  async snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const reader = new SqliteReader(openReader(this.path));
    try {
      reader.connection.run('begin');
      return await work(reader);
    } finally {
      reader.close();
    }
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const deadline = performance.now() + lockTimeoutMs;
      this.#queue.push({ work, resolve, reject, deadline, signal: currentSignal() });
      this.#drain ??= this.#drainQueue();
    });
  }

  /** Writes that arrive while others run are committed together: the disk is waited for once. */
  async #drainQueue(): Promise<void> {
    await nextEventLoopTurn();
    while (this.#queue.length) {
      if (!(await this.#beginTransaction())) continue;
      const [reads, startedAt] = [this.#generationReads, performance.now()];
      await this.#runGroup(this.#queue.splice(0, this.#queue[0]?.isAlone ? 1 : maxGroupSize));
      const endedAt = performance.now();
      await nextEventLoopTurn();
      if (this.#generationReads !== reads)
        await this.#yieldToReaders(endedAt + (endedAt - startedAt) * readerTimeFactor);
    }
    // No await between the check for an empty queue and this line.
    this.#drain = undefined;
  }

  /** Leaves the thread to reads until the deadline, or until no new read has come for two milliseconds. */
  async #yieldToReaders(deadline: number): Promise<void> {
    for (let reads = -1; reads !== this.#generationReads && performance.now() < deadline; ) {
      reads = this.#generationReads;
      await Bun.sleep(2);
    }
  }

  /**
   * Runs all writes in one transaction without savepoints: at every savepoint the full-text index would flush its
   * pending entries. If a write fails after it wrote something, everything is rolled back and each write runs alone.
   */
  async #runGroup(writes: QueuedWrite[]): Promise<void> {
    const settlers: (() => void)[] = [];
    try {
      for (const write of writes) {
        const settle = await this.#runWrite(write, writes.length === 1);
        if (!settle) {
          this.#rollBack();
          this.#queue.unshift(...writes.map((other) => ({ ...other, isAlone: true })));
          return;
        }
        settlers.push(settle);
      }
      translateErrors(() => this.#writer.connection.run('commit'));
      this.#isStale = true;
      for (const settle of settlers) settle();
    } catch (error) {
      for (const { reject } of writes) reject(translateError(error));
      this.#rollBack();
      // The file may be writable the next time.
      if (isReadOnly(error)) this.#releaseFile();
    }
  }

  /**
   * Returns what to call after the commit; undefined if the write failed halfway and shares the transaction with
   * others.
   */
  async #runWrite(write: QueuedWrite, isAlone: boolean): Promise<(() => void) | undefined> {
    const { work, resolve, reject, signal } = write;
    if (signal?.aborted) return () => reject(new Unavailable());
    const transaction = this.#writer;
    const writesBefore = transaction.writeCount;
    try {
      const result = await work(transaction);
      return () => resolve(result as never);
    } catch (error) {
      if (isAlone || isReadOnly(error)) throw error;
      const wroteNothing = transaction.writeCount === writesBefore && transaction.connection.inTransaction;
      return wroteNothing ? () => reject(error) : undefined;
    }
  }

  #rollBack(): void {
    try {
      const { connection } = this.#writer;
      if (connection.inTransaction) connection.run('rollback');
    } catch {
      this.#closeWriter();
    }
  }

  /**
   * Begins a transaction unless the queue becomes empty. Another process may hold the lock for longer than some
   * writes wait; new writes join the queue meanwhile.
   */
  async #beginTransaction(): Promise<boolean> {
    for (let delayMs = 1; this.#queue.length; delayMs = Math.min(maxRetryDelayMs, delayMs * 2)) {
      try {
        this.#writer.connection.run('begin immediate');
        return true;
      } catch (error) {
        const isLocked = isBusy(error);
        if (!isLocked) this.#releaseFile();
        const now = performance.now();
        const rejected = this.#queue.filter(({ deadline }) => !isLocked || deadline < now);
        this.#queue = this.#queue.filter((write) => !rejected.includes(write));
        for (const { reject } of rejected) reject(translateError(error));
        if (isLocked) await Bun.sleep(delayMs);
      }
    }
    return false;
  }

  /**
   * If no other process has the file open, pages are written once into the file and not to the write-ahead log first:
   * this saves a quarter of the time of a large load. If the process is killed, the rollback journal undoes the load.
   */
  async bulkLoad<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    await this.#drain;
    this.#closeReader();
    const { connection } = this.#writer;
    setJournalMode(connection, 'truncate');
    setCacheSizes(connection, 128 * 1024, 32 * 1024);
    try {
      return await this.transaction(work);
    } finally {
      setCacheSizes(connection, cacheSize, 1024);
      setJournalMode(connection, 'wal');
    }
  }

  generation(): number | undefined {
    this.#generationReads++;
    const now = performance.now();
    if (this.#isStale || now - this.#checkedAt >= this.maxStalenessMs) {
      this.#checkedAt = now;
      const version = this.#reader.firstNow(dataVersion)?.data_version ?? 0;
      if (this.#isStale || version !== this.#dataVersion) this.#refresh();
      this.#dataVersion = version;
    }
    return this.#changes.generation;
  }

  #refresh(): void {
    const reader = this.#reader;
    const generation = this.#changes.generation;
    const last = reader.firstNow(changeHead)?.last ?? 0;
    const isKnown = generation === undefined || generation === last;
    this.#changes.advance(last, isKnown ? [] : reader.allNow(entriesAfter(generation)));
    this.#isStale = false;
  }

  hasChanged(project: number, generation: number): boolean {
    return this.#changes.hasChanged(project, generation);
  }

  tableByIndex(table: string, index: string): Sql {
    return raw(`${table} indexed by ${index}`);
  }

  searchCondition(phrases: readonly Phrase[]): Sql {
    return sql`id in (${matchingRows(formatQuery(phrases))})`;
  }

  rankedMatches(phrases: readonly Phrase[]): Sql {
    const query = formatQuery(phrases);
    return sql`select rowid as project, case
        when rowid in (${matchingRows(formatQuery(phrases, 'title'))}) then 1
        when rowid in (${matchingRows(formatQuery(phrases, 'title head'))}) then 2 else 3 end as tier
      from project_search where project_search match ${query}`;
  }

  auditSearch(): SearchAudit {
    return new SqliteSearchAudit(this.path);
  }

  async close(): Promise<void> {
    await this.#drain;
    this.slowReader.close();
    this.#closeReader();
    this.#closeWriter();
  }
}

/** A wait for the lock inside SQLite would block the whole thread. */
function withoutBusyTimeout(writer: SqliteTransaction): SqliteTransaction {
  writer.connection.run('pragma busy_timeout = 0');
  return writer;
}

export async function openSqlite(path: string, rebuilds: Rebuilds): Promise<Database> {
  return new SqliteDatabase(path, await openFile(path, rebuilds));
}

/** Larger caches, in KiB, for pages and for pending full-text entries are written to disk less often. */
function setCacheSizes(connection: Connection, pageKiB: number, wordKiB: number): void {
  connection.run(`pragma cache_size = -${pageKiB}`);
  connection.run(`insert into project_search (project_search, rank) values ('hashsize', ${wordKiB * 1024})`);
}

/** Lets pending requests of this event loop turn arrive. */
const nextEventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const isBusy = (error: unknown) => error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY');

const isReadOnly = (error: unknown) =>
  error instanceof Unavailable &&
  error.cause instanceof SQLiteError &&
  error.cause.code?.startsWith('SQLITE_READONLY');

/** The mode does not change while another process has the file open. */
function setJournalMode(connection: Connection, mode: 'wal' | 'truncate'): void {
  try {
    connection.run(`pragma journal_mode = ${mode}`);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
