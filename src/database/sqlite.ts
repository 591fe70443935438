// SQLite in one file: one connection writes, another reads, both in this thread, so that a read costs
// microseconds and its promise is kept before the event loop turns (Bun loses pipelined answers otherwise).

import { type Database as Connection, SQLiteError } from 'bun:sqlite';
import sql, { raw, type Sql } from 'sql-template-tag';
import { Unavailable } from '../errors.ts';
import { currentSignal } from '../request-signal.ts';
import { Freshness, type Logged, mostAtOnce } from './freshness.ts';
import type { Refills } from './migrate.ts';
import type { Database, Reads, Transaction } from './open.ts';
import type { Phrase, SearchAudit } from './search.ts';
import { attempt, cacheSize, openReader, Statements, translated } from './sqlite-connection.ts';
import { openFile, openWriter } from './sqlite-file.ts';
import { pattern, SqliteSearchAudit } from './sqlite-search.ts';
import { SlowReads } from './sqlite-slow-reads.ts';
import type { SqliteTransaction } from './sqlite-transaction.ts';

interface Waiting {
  work(transaction: Transaction): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  /** It was among others once, and one of them failed. */
  readonly alone?: boolean;
}

/** How many writes share a commit at most: they are done in one go, and nobody reads meanwhile. */
const mostTogether = 64;
/** How many times as long as a group of writes took, readers go first afterwards, if there are any. */
const readersShare = 16;
/** How long a write waits for another process to finish its own. */
const patience = 5000;
/** How long it waits at most until it tries again. */
const longestPause = 50;

const matching = (words: string) => sql`select rowid from project_search where project_search match ${words}`;

class SqliteDatabase implements Database {
  readonly staleness = 2;
  readonly slow: SlowReads;
  #reader: Statements | undefined;
  #writer: SqliteTransaction | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #freshness = new Freshness();
  /** We have written since the generation was looked up. */
  #moved = true;
  /** How often readers asked what they know is still true: a measure of how many there are. */
  #asked = 0;
  /** The reading connection's own count of others' commits: a new connection begins anew. */
  #dataVersion = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path: string,
    writer: SqliteTransaction,
  ) {
    this.#writer = impatient(writer);
    this.slow = new SlowReads(path);
  }

  /** Opened when something is first read. */
  get #reads(): Statements {
    this.#reader ??= new Statements(openReader(this.path));
    return this.#reader;
  }

  /** Opened anew after a failure that may be the connection's own; never made anew. */
  get #writes(): SqliteTransaction {
    this.#writer ??= impatient(openWriter(this.path, false));
    return this.#writer;
  }

  #closeWriter(): void {
    this.#writer?.close();
    this.#writer = undefined;
  }

  /** All connections of a process share what they know of a file: while one is open, it stays as it was first seen. */
  #letGo(): void {
    this.#closeWriter();
    this.#closeReader();
    this.slow.letGo();
  }

  #closeReader(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#moved = true;
  }

  all<Row>(query: Sql): Promise<Row[]> {
    return this.#reads.all<Row>(query);
  }

  first<Row>(query: Sql): Promise<Row | undefined> {
    return this.#reads.first<Row>(query);
  }

  /** On a connection of its own: reads of a moment may take long, and others must not fall into them. */
  async snapshot<Result>(work: (reads: Reads) => Promise<Result>): Promise<Result> {
    const reads = new Statements(openReader(this.path));
    try {
      reads.connection.run('begin');
      return await work(reads);
    } finally {
      reads.close();
    }
  }

  change<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const until = performance.now() + patience;
      this.#waiting.push({ work, resolve, reject, until, signal: currentSignal() });
      this.#writing ??= this.#write();
    });
  }

  /** What came in while others wrote is written together: the disk is waited for once. */
  async #write(): Promise<void> {
    await turn();
    while (this.#waiting.length) {
      if (!(await this.#begin())) continue;
      const [asked, began] = [this.#asked, performance.now()];
      await this.#together(this.#waiting.splice(0, this.#waiting[0]?.alone ? 1 : mostTogether));
      const ended = performance.now();
      await turn();
      if (this.#asked !== asked) await this.#readersFirst(ended + (ended - began) * readersShare);
    }
    // In the same breath as nobody was found waiting.
    this.#writing = undefined;
  }

  /** The thread is theirs until a moment, or until nobody asks for a moment. */
  async #readersFirst(until: number): Promise<void> {
    for (let asked = -1; asked !== this.#asked && performance.now() < until; ) {
      asked = this.#asked;
      await Bun.sleep(2);
    }
  }

  /**
   * All in one transaction, without a savepoint for each: at every savepoint the full-text index writes what it
   * has collected. If one fails that has written something already, all is undone, and each is done by itself.
   */
  async #together(writes: Waiting[]): Promise<void> {
    const done: (() => void)[] = [];
    try {
      for (const write of writes) {
        const settle = await this.#perform(write, writes.length === 1);
        if (!settle) {
          this.#rollBack();
          this.#waiting.unshift(...writes.map((each) => ({ ...each, alone: true })));
          return;
        }
        done.push(settle);
      }
      attempt(() => this.#writes.connection.run('commit'));
      this.#moved = true;
      for (const settle of done) settle();
    } catch (error) {
      for (const { reject } of writes) reject(translated(error));
      this.#rollBack();
      // It may be written by the next time.
      if (isReadOnly(error)) this.#letGo();
    }
  }

  /** What is to be said after the commit; nothing, if the write has failed halfway and others are in it too. */
  async #perform(write: Waiting, alone: boolean): Promise<(() => void) | undefined> {
    const { work, resolve, reject, signal } = write;
    if (signal?.aborted) return () => reject(new Unavailable());
    const transaction = this.#writes;
    const before = transaction.writes;
    try {
      const result = await work(transaction);
      return () => resolve(result as never);
    } catch (error) {
      if (alone || isReadOnly(error)) throw error;
      const untouched = transaction.writes === before && transaction.connection.inTransaction;
      return untouched ? () => reject(error) : undefined;
    }
  }

  #rollBack(): void {
    try {
      const { connection } = this.#writes;
      if (connection.inTransaction) connection.run('rollback');
    } catch {
      this.#closeWriter();
    }
  }

  /**
   * Begins a transaction for those who wait: whether there are any left. Another process may be writing for longer
   * than some of them bear; who comes meanwhile does not wait behind them, but with them.
   */
  async #begin(): Promise<boolean> {
    for (let pause = 1; this.#waiting.length; pause = Math.min(longestPause, pause * 2)) {
      try {
        this.#writes.connection.run('begin immediate');
        return true;
      } catch (error) {
        const busy = isBusy(error);
        if (!busy) this.#letGo();
        const now = performance.now();
        const refused = this.#waiting.filter(({ until }) => !busy || until < now);
        this.#waiting = this.#waiting.filter((write) => !refused.includes(write));
        for (const { reject } of refused) reject(translated(error));
        if (busy) await Bun.sleep(pause);
      }
    }
    return false;
  }

  /**
   * Where nobody else has the file open, its pages are written once, into their places, and not first into the
   * write-ahead log: a quarter of a large load's time. A kill leaves a rollback journal, which undoes it.
   */
  async load<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    await this.#writing;
    this.#closeReader();
    const { connection } = this.#writes;
    journal(connection, 'truncate');
    allow(connection, 128 * 1024, 32 * 1024);
    try {
      return await this.change(work);
    } finally {
      allow(connection, cacheSize, 1024);
      journal(connection, 'wal');
    }
  }

  generation(): number | undefined {
    this.#asked++;
    const now = performance.now();
    if (this.#moved || now - this.#askedAt >= this.staleness) {
      this.#askedAt = now;
      const { data_version } = this.#reads.prepare('pragma data_version').get() as { data_version: number };
      if (this.#moved || data_version !== this.#dataVersion) this.#look();
      this.#dataVersion = data_version;
    }
    return this.#freshness.generation;
  }

  #look(): void {
    const reads = this.#reads;
    const known = this.#freshness.generation;
    const { last } = reads.prepare('select last from change_head').get() as { last: number };
    const changes =
      known === undefined || known === last
        ? []
        : reads
            .prepare(
              `select sequence, kind, action, subject from change where sequence > ? and sequence <= ? limit ${mostAtOnce + 1}`,
            )
            .all(known, last);
    this.#freshness.advance(last, changes as Logged[]);
    this.#moved = false;
  }

  changed(project: number, generation: number): boolean {
    return this.#freshness.changed(project, generation);
  }

  along(table: string, index: string): Sql {
    return raw(`${table} indexed by ${index}`);
  }

  search(sought: readonly Phrase[]): Sql {
    return sql`id in (${matching(pattern(sought))})`;
  }

  ranked(sought: readonly Phrase[]): Sql {
    const found = pattern(sought);
    return sql`select rowid as project, case
        when rowid in (${matching(pattern(sought, 'title'))}) then 1
        when rowid in (${matching(pattern(sought, 'title head'))}) then 2 else 3 end as tier
      from project_search where project_search match ${found}`;
  }

  auditSearch(): SearchAudit {
    return new SqliteSearchAudit(this.path);
  }

  async close(): Promise<void> {
    await this.#writing;
    this.slow.close();
    this.#closeReader();
    this.#closeWriter();
  }
}

/** Whoever waits for the lock inside SQLite keeps the whole thread waiting. */
function impatient(writer: SqliteTransaction): SqliteTransaction {
  writer.connection.run('pragma busy_timeout = 0');
  return writer;
}

export async function openSqlite(path: string, refills: Refills): Promise<Database> {
  return new SqliteDatabase(path, await openFile(path, refills));
}

/** KiB that pages, and words on their way into the full-text index, may take: with more, both are written less often. */
function allow(connection: Connection, pages: number, words: number): void {
  connection.run(`pragma cache_size = -${pages}`);
  connection.run(`insert into project_search (project_search, rank) values ('hashsize', ${words * 1024})`);
}

/** When the event loop has come around: whoever asks meanwhile is there by then. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const isBusy = (error: unknown) => error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY');

const isReadOnly = (error: unknown) =>
  error instanceof Unavailable &&
  error.cause instanceof SQLiteError &&
  error.cause.code?.startsWith('SQLITE_READONLY');

/** The mode stays as it is while somebody else has the file open. */
function journal(connection: Connection, mode: 'wal' | 'truncate'): void {
  try {
    connection.run(`pragma journal_mode = ${mode}`);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
