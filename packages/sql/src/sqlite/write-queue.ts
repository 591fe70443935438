// The writes to SQLite, one after another on one connection. Writes that arrive while others run share a commit.

import { SQLiteError } from 'bun:sqlite';
import { Unavailable } from '../../../common/src/errors.ts';
import { nextEventLoopTurn } from '../../../common/src/event-loop.ts';
import {
  currentLifetime,
  type RequestLifetime,
  runOutsideRequests,
} from '../../../common/src/request-lifetime.ts';
import type { QueueStats } from '../../../common/src/request-queue.ts';
import { timeLimits } from '../../../common/src/time-limits.ts';
import type { Transaction } from '../database.ts';
import type { Schema } from '../migration.ts';
import { isBusy, type SqliteReader, translateError, translateErrors } from './connection.ts';
import { openWriter } from './file.ts';
import { mergedPages, mergeSearchIndex } from './search.ts';
import { SqliteTransaction } from './transaction.ts';

interface QueuedWrite {
  work(transaction: Transaction): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
  readonly queuedAt: number;
  readonly request: RequestLifetime | undefined;
  /** For the trace of the request. */
  endWait?(): void;
  /** Runs in a transaction of its own, for example because the write was in a group that failed. */
  readonly mustRunAlone?: boolean;
}

/** How many writes share a commit: they run in one go, and no read runs meanwhile. */
const maxGroupSize = 64;
/** After this time, further writes wait for the next group. */
const maxGroupMs = 10;
/** After a group of writes, reads go first for this many times as long as the group took, if there are any. */
const readerTimeFactor = 16;
/** The longest delay between two attempts to begin a transaction. */
const maxRetryDelayMs = 50;
/** How often a page of the search index is merged, each time into a part that is about four times as large. */
const mergesPerPage = 6;
/**
 * Merging waits until no write has come for so long. A client that sends one after another makes no such pause, and many parts
 * at once are merged in less time than few again and again.
 */
const pauseMs = 5;
/** If there is more to merge, merging takes turns with other writes until nothing is left. */
const manyUnmergedPages = 1500;
/** If there is more still, merging goes before other writes, so that the search index stays in few parts. */
const maxUnmergedPages = 3000;

interface WriteQueueDependencies {
  readonly schema: Schema;
  /** How many reads there were so far on this thread. */
  readCount(): number;
  onCommit(): void;
  /** Receives the errors of callbacks that follow a commit. */
  reportError(error: unknown): void;
  /** Closes the connections that read. */
  releaseFile(): void;
  /** Throws if the file is not where it was. */
  requireInPlace(): void;
  /** Throws if a newer version has migrated the file. Called in a transaction. */
  requireKnownSchema(writer: SqliteReader): Promise<void>;
}

export class SqliteWriteQueue {
  #openedWriter: SqliteReader | undefined;
  #queue: QueuedWrite[] = [];
  #draining: Promise<void> | undefined;
  /** How many pages of the search index may have to be merged: not 0 until nothing is left, whoever wrote it. */
  #unmergedPages = 0;
  #takesTurns = false;
  #hasMerged = false;
  #isFinishing = false;
  #endPause: (() => void) | undefined;
  #started = 0;
  #waitedMs = 0;

  constructor(
    private readonly path: string,
    writer: SqliteReader,
    private readonly deps: WriteQueueDependencies,
  ) {
    this.#openedWriter = withoutBusyTimeout(writer);
  }

  /** Opened again after an error that may come from the connection; never creates the file. */
  get writer(): SqliteReader {
    this.#openedWriter ??= withoutBusyTimeout(openWriter(this.path, false));
    return this.#openedWriter;
  }

  get stats(): QueueStats {
    return { waiting: this.#queue.length, started: this.#started, waitedMs: this.#waitedMs };
  }

  /** Waits until no write is left. Merging stops until something is written again. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.#endPause?.();
    await this.#draining;
    this.#isFinishing = false;
  }

  close(): void {
    this.#openedWriter?.close();
    this.#openedWriter = undefined;
  }

  /**
   * Closes every connection: as long as this process has any connection open, SQLite keeps what it knows about the
   * file, for example that it was read-only.
   */
  #releaseFile(): void {
    this.close();
    this.deps.releaseFile();
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#add(work, false);
  }

  /** In no group with other writes. */
  transactionAlone<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#add(work, true);
  }

  #add<Result>(work: (transaction: Transaction) => Promise<Result>, mustRunAlone: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const queuedAt = performance.now();
      const request = currentLifetime();
      const endWait = request?.trace?.start('wait');
      this.#queue.push({ work, resolve, reject, queuedAt, request, endWait, mustRunAlone });
      this.#endPause?.();
      this.#draining ??= runOutsideRequests(() => this.#drainQueue());
    });
  }

  /** Writes that arrive while others run are committed together: the disk is waited for once. */
  async #drainQueue(): Promise<void> {
    await nextEventLoopTurn();
    for (;;) {
      if (!this.#queue.length && this.#canMerge()) await this.#pause();
      this.#hasMerged = this.#mergesNext();
      if (this.#hasMerged) this.#queue.unshift(this.#newMerge());
      if (!this.#queue.length) break;
      if (!(await this.#beginTransaction())) continue;
      const [reads, startedAt] = [this.deps.readCount(), performance.now()];
      await this.#runGroup();
      const endedAt = performance.now();
      await nextEventLoopTurn();
      if (this.deps.readCount() !== reads)
        await this.#yieldToReaders(endedAt + (endedAt - startedAt) * readerTimeFactor);
    }
    // No await between the check for an empty queue and this line.
    this.#draining = undefined;
  }

  /** Ends early when a write comes. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = undefined;
    await nextEventLoopTurn();
  }

  /** Leaves the thread to reads until the deadline, or until no new read has come for two milliseconds. */
  async #yieldToReaders(deadline: number): Promise<void> {
    for (let reads = -1; reads !== this.deps.readCount() && performance.now() < deadline; ) {
      reads = this.deps.readCount();
      await Bun.sleep(2);
    }
  }

  /**
   * Runs the next writes in one transaction without savepoints: at every savepoint the full-text index would flush its
   * pending entries. If a write fails after it wrote something, everything is rolled back and each write runs alone.
   */
  async #runGroup(): Promise<void> {
    const writes: QueuedWrite[] = [];
    const settlers: (() => void)[] = [];
    try {
      for (const write of this.#takeGroup()) {
        writes.push(write);
        const isAlone = write.mustRunAlone || (writes.length === 1 && this.#queue.length === 0);
        const settle = await this.#runWrite(write, isAlone);
        if (!settle) {
          this.#rollBack();
          this.#queue.unshift(...writes.map((other) => ({ ...other, mustRunAlone: true })));
          return;
        }
        settlers.push(settle);
      }
      translateErrors(() => this.writer.connection.run('commit'));
      this.deps.onCommit();
      for (const settle of settlers) settle();
    } catch (error) {
      for (const { reject } of writes) reject(translateError(error));
      this.#rollBack();
      // The file may be writable the next time.
      if (isReadOnly(error)) this.#releaseFile();
    }
  }

  *#takeGroup(): Generator<QueuedWrite> {
    const endsAt = performance.now() + maxGroupMs;
    for (let size = 0; size < maxGroupSize && performance.now() < endsAt; size++) {
      const write = this.#queue[0];
      if (!write || (write.mustRunAlone && size > 0)) return;
      this.#queue.shift();
      this.#started++;
      this.#waitedMs += performance.now() - write.queuedAt;
      write.endWait?.();
      yield write;
      if (write.mustRunAlone) return;
    }
  }

  /**
   * Returns what to call after the commit; undefined if the write failed halfway and shares the transaction with
   * others.
   */
  async #runWrite(write: QueuedWrite, isAlone: boolean): Promise<(() => void) | undefined> {
    const { work, resolve, reject, request } = write;
    try {
      // Until the commit of the group, no timer runs.
      request?.beginCommit();
    } catch (error) {
      return () => reject(error);
    }
    const { writer } = this;
    const transaction = new SqliteTransaction(writer, this.deps.schema);
    const { lifetime } = transaction;
    try {
      const result = await lifetime.run(() => work(transaction));
      return () => {
        lifetime.runCallbacks(this.deps.reportError);
        resolve(result as never);
        this.#unmergedPages += transaction.indexedPages * mergesPerPage;
        this.#takesTurns ||= this.#unmergedPages > manyUnmergedPages;
      };
    } catch (error) {
      if (isAlone || isReadOnly(error)) throw error;
      const hasWritten = transaction.hasWritten || !writer.connection.inTransaction;
      return hasWritten ? undefined : () => reject(error);
    }
  }

  #canMerge(): boolean {
    return this.#unmergedPages > 0 && !this.#isFinishing;
  }

  #mergesNext(): boolean {
    const isTurn = this.#takesTurns && !this.#hasMerged;
    return this.#canMerge() && (!this.#queue.length || isTurn || this.#unmergedPages > maxUnmergedPages);
  }

  /** Merges a little of the search index. */
  #newMerge(): QueuedWrite {
    return {
      work: (transaction) => mergeSearchIndex(transaction),
      resolve: (hasMore: boolean) => {
        this.#unmergedPages = hasMore ? Math.max(1, this.#unmergedPages - mergedPages) : 0;
        this.#takesTurns &&= hasMore;
      },
      // The next write that changes the index tries again.
      reject: () => {
        this.#unmergedPages = 0;
      },
      queuedAt: performance.now(),
      request: undefined,
      mustRunAlone: true,
    };
  }

  #rollBack(): void {
    try {
      const { connection } = this.writer;
      if (connection.inTransaction) connection.run('rollback');
    } catch {
      this.close();
    }
  }

  /**
   * Begins a transaction unless the queue becomes empty. Another process may hold the lock for longer than some
   * writes wait; new writes join the queue meanwhile.
   */
  async #beginTransaction(): Promise<boolean> {
    for (let delayMs = 1; this.#queue.length; delayMs = Math.min(maxRetryDelayMs, delayMs * 2)) {
      try {
        this.deps.requireInPlace();
        this.writer.connection.run('begin immediate');
        await this.deps.requireKnownSchema(this.writer);
        return true;
      } catch (error) {
        this.#rollBack();
        const isLocked = isBusy(error);
        // A deleted file lives as long as it is open.
        if (!isLocked && !(error instanceof Unavailable)) this.#releaseFile();
        const now = performance.now();
        const rejected = this.#queue.filter(({ queuedAt }) => !isLocked || queuedAt + timeLimits.lock < now);
        this.#queue = this.#queue.filter((write) => !rejected.includes(write));
        for (const { reject, endWait } of rejected) {
          endWait?.();
          reject(translateError(error));
        }
        if (isLocked) await Bun.sleep(delayMs);
      }
    }
    return false;
  }
}

/** A wait for the lock inside SQLite would block the whole thread. */
function withoutBusyTimeout(writer: SqliteReader): SqliteReader {
  writer.connection.run('pragma busy_timeout = 0');
  return writer;
}

const isReadOnly = (error: unknown) =>
  error instanceof Unavailable &&
  error.cause instanceof SQLiteError &&
  error.cause.code?.startsWith('SQLITE_READONLY');
