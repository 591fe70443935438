// SQLite in one file: one connection writes, another reads, both in this thread, so that a read costs
// microseconds and its promise is kept before the event loop turns (Bun loses pipelined answers otherwise).

import { type Database as Connection, SQLiteError } from 'bun:sqlite';
import sql, { raw, type Sql } from 'sql-template-tag';
import { Unavailable } from '../errors.ts';
import { currentSignal } from '../request-signal.ts';
import { type ChangeLogEntry, ChangeTracker, maxEntries } from './change-tracker.ts';
import type { Rebuilds } from './migrate.ts';
import type { Database, Reader, Transaction } from './open.ts';
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
  /** It was among others once, and one of them failed. */
  readonly isAlone?: boolean;
}

/** How many writes share a commit at most: they are done in one go, and nobody reads meanwhile. */
const maxGroupSize = 64;
/** How many times as long as a group of writes took, readers go first afterwards, if there are any. */
const readerTimeFactor = 16;
/** How long a write waits for another process to finish its own. */
const lockTimeoutMs = 5000;
/** How long it waits at most until it tries again. */
const maxRetryDelayMs = 50;

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
  /** We have written since the generation was looked up. */
  #isStale = true;
  /** How often readers asked what they know is still true: a measure of how many there are. */
  #generationReads = 0;
  /** The reading connection's own count of others' commits: a new connection begins anew. */
  #dataVersion = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path: string,
    writer: SqliteTransaction,
  ) {
    this.#openedWriter = withoutBusyTimeout(writer);
    this.slowReader = new SlowReader(path);
  }

  /** Opened when something is first read. */
  get #reader(): SqliteReader {
    this.#openedReader ??= new SqliteReader(openReader(this.path));
    return this.#openedReader;
  }

  /** Opened anew after a failure that may be the connection's own; never made anew. */
  get #writer(): SqliteTransaction {
    this.#openedWriter ??= withoutBusyTimeout(openWriter(this.path, false));
    return this.#openedWriter;
  }

  #closeWriter(): void {
    this.#openedWriter?.close();
    this.#openedWriter = undefined;
  }

  /** All connections of a process share what they know of a file: while one is open, it stays as it was first seen. */
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

  all<Row>(query: Sql): Promise<Row[]> {
    return this.#reader.all<Row>(query);
  }

  first<Row>(query: Sql): Promise<Row | undefined> {
    return this.#reader.first<Row>(query);
  }

  /** On a connection of its own: reads of a moment may take long, and others must not fall into them. */
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

  /** What came in while others wrote is written together: the disk is waited for once. */
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
    // In the same breath as nobody was found waiting.
    this.#drain = undefined;
  }

  /** The thread is theirs until a moment, or until nobody asks for a moment. */
  async #yieldToReaders(deadline: number): Promise<void> {
    for (let reads = -1; reads !== this.#generationReads && performance.now() < deadline; ) {
      reads = this.#generationReads;
      await Bun.sleep(2);
    }
  }

  /**
   * All in one transaction, without a savepoint for each: at every savepoint the full-text index writes what it
   * has collected. If one fails that has written something already, all is undone, and each is done by itself.
   */
  async #runGroup(writes: QueuedWrite[]): Promise<void> {
    const settlers: (() => void)[] = [];
    try {
      for (const write of writes) {
        const settle = await this.#runWrite(write, writes.length === 1);
        if (!settle) {
          this.#rollBack();
          this.#queue.unshift(...writes.map((each) => ({ ...each, isAlone: true })));
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
      // It may be written by the next time.
      if (isReadOnly(error)) this.#releaseFile();
    }
  }

  /** What is to be said after the commit; nothing, if the write has failed halfway and others are in it too. */
  async #runWrite(write: QueuedWrite, alone: boolean): Promise<(() => void) | undefined> {
    const { work, resolve, reject, signal } = write;
    if (signal?.aborted) return () => reject(new Unavailable());
    const transaction = this.#writer;
    const writesBefore = transaction.writeCount;
    try {
      const result = await work(transaction);
      return () => resolve(result as never);
    } catch (error) {
      if (alone || isReadOnly(error)) throw error;
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
   * Begins a transaction for those who wait: whether there are any left. Another process may be writing for longer
   * than some of them bear; who comes meanwhile does not wait behind them, but with them.
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
   * Where nobody else has the file open, its pages are written once, into their places, and not first into the
   * write-ahead log: a quarter of a large load's time. A kill leaves a rollback journal, which undoes it.
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
      const { data_version } = this.#reader.prepare('pragma data_version').get() as { data_version: number };
      if (this.#isStale || data_version !== this.#dataVersion) this.#refresh();
      this.#dataVersion = data_version;
    }
    return this.#changes.generation;
  }

  #refresh(): void {
    const reader = this.#reader;
    const known = this.#changes.generation;
    const { last } = reader.prepare('select last from change_head').get() as { last: number };
    const changes =
      known === undefined || known === last
        ? []
        : reader
            .prepare(
              `select sequence, kind, action, subject from change where sequence > ? and sequence <= ? limit ${maxEntries + 1}`,
            )
            .all(known, last);
    this.#changes.advance(last, changes as ChangeLogEntry[]);
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

/** Whoever waits for the lock inside SQLite keeps the whole thread waiting. */
function withoutBusyTimeout(writer: SqliteTransaction): SqliteTransaction {
  writer.connection.run('pragma busy_timeout = 0');
  return writer;
}

export async function openSqlite(path: string, rebuilds: Rebuilds): Promise<Database> {
  return new SqliteDatabase(path, await openFile(path, rebuilds));
}

/** KiB that pages, and words on their way into the full-text index, may take: with more, both are written less often. */
function setCacheSizes(connection: Connection, pageKiB: number, wordKiB: number): void {
  connection.run(`pragma cache_size = -${pageKiB}`);
  connection.run(`insert into project_search (project_search, rank) values ('hashsize', ${wordKiB * 1024})`);
}

/** When the event loop has come around: whoever asks meanwhile is there by then. */
const nextEventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const isBusy = (error: unknown) => error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY');

const isReadOnly = (error: unknown) =>
  error instanceof Unavailable &&
  error.cause instanceof SQLiteError &&
  error.cause.code?.startsWith('SQLITE_READONLY');

/** The mode stays as it is while somebody else has the file open. */
function setJournalMode(connection: Connection, mode: 'wal' | 'truncate'): void {
  try {
    connection.run(`pragma journal_mode = ${mode}`);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
