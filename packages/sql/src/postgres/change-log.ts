// Follows the change log, and numbers the changes in its queue: a process does this for itself and for all others.

import type { SQL } from 'bun';
import sql from 'sql-template-tag';
import { Unavailable } from '../../../common/src/errors.ts';
import { RequestLifetime } from '../../../common/src/request-lifetime.ts';
import { SharedCall } from '../../../common/src/shared-call.ts';
import { timeLimits } from '../../../common/src/time-limits.ts';
import { ChangeTracker, entriesAfter, maxEntries } from '../change-tracker.ts';
import { ChangeWatchers } from '../change-watchers.ts';
import type { DatabaseDependencies } from '../database.ts';
import { changeHeadTable } from '../own-tables.ts';
import { select } from '../query.ts';
import { ChangeNotifications, checkIntervalMs } from './change-notifications.ts';
import { beginning, numberChanges, numberIfFree } from './change-queue.ts';
import type { Client, PostgresPool } from './pool.ts';
import { type ChangeLog, PostgresReader } from './transaction.ts';
import { toWalPosition, type WalPosition, walPositionQuery } from './wal-position.ts';

/** How often the database is asked while notifications are not heard. */
const pollIntervalMs = 500;
/** More than any log has changes. */
const logOffset = 2 ** 42;

/** As `changeHead`, with a parameter: the client prepares only statements with parameters. */
export const preparedChangeHead = select(changeHeadTable.columns, sql`from change_head where last >= ${0}`);

interface ChangeLogDependencies extends Pick<DatabaseDependencies, 'memory' | 'invalidationOf' | 'replicas'> {
  /** Opens a connection for notifications, if they can come. */
  listen(onClose: () => void): SQL | undefined;
}

export class PostgresChangeLog implements ChangeLog {
  /** How far the server had come after what is known here; undefined until it is known. */
  position: WalPosition | undefined;
  #changes: ChangeTracker;
  /** How often another server may have taken the place of the one before. */
  restarts = 0;
  readonly #timer = setInterval(() => this.#poll(), pollIntervalMs).unref();
  readonly #notifications: ChangeNotifications;
  readonly #refreshing = new SharedCall(() => this.#refresh());
  readonly watchers = new ChangeWatchers(() => this.#look());
  /** See `numberChanges`. */
  oldest = beginning;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  /** How many commits all workers have made, and this one. */
  readonly #commits: BigInt64Array;
  #ownCommits = 0n;
  /** How many writes of this process have begun and are not numbered. */
  #writes = 0;
  /** How many commits of other workers the generation knows. */
  #knownCommits = 0n;

  constructor(
    /** Has one connection, so that a query sees what the queries before it have written. */
    private readonly pool: PostgresPool,
    private readonly maxStalenessMs: number,
    private readonly deps: ChangeLogDependencies,
  ) {
    this.#notifications = new ChangeNotifications(deps.listen, () => this.refresh());
    this.#commits = deps.memory.open('commits', 1);
    this.#changes = new ChangeTracker(deps.invalidationOf);
  }

  /**
   * Refreshed while it is read, at most every fifth of `maxStalenessMs`. A result counts from the moment when it was
   * requested.
   */
  generation(): number | undefined {
    const now = performance.now();
    const isStale = this.#commitsOfOthers !== this.#knownCommits;
    if (isStale || now - this.#requestedAt >= this.maxStalenessMs / 5) {
      this.#requestedAt = now;
      this.refresh();
    }
    if (isStale) return undefined;
    return this.isConfirmed ? this.#changes.generation : undefined;
  }

  /** Whether everything here is at most `maxStalenessMs` old. */
  get isConfirmed(): boolean {
    return performance.now() - this.#confirmedAt < this.maxStalenessMs;
  }

  /** Runs a write, waits until it is numbered, and tells the other workers. */
  async trackWrite<Result>(write: () => Promise<{ result: Result; isKnown: boolean }>): Promise<Result> {
    this.#writes++;
    try {
      const { result, isKnown } = await write();
      if (!isKnown) await this.refresh();
      Atomics.add(this.#commits, 0, 1n);
      this.#ownCommits++;
      return result;
    } finally {
      this.#writes--;
    }
  }

  /**
   * A write that is alone need not commit again to be numbered, and reads by itself what has changed, unless somebody else
   * numbers changes now. Others wait for its numbers until its commit. Call the result after it: whether all is known.
   */
  async numberWithin(client: Client): Promise<(() => boolean) | undefined> {
    if (this.#writes > 1) return undefined;
    const [[numbered], takeIn] = await Promise.all([
      client.query(numberIfFree, [this.oldest, this.#notifications.sender, 'no']),
      this.#readChanges(client),
    ]);
    return () => {
      if (!numbered) return false;
      this.oldest = String(numbered.oldest);
      return takeIn();
    };
  }

  get #commitsOfOthers(): bigint {
    return Atomics.load(this.#commits, 0) - this.#ownCommits;
  }

  /** The log of another server may lack changes of the last one, and give their numbers to others. */
  restart(): void {
    this.restarts++;
    this.#changes = new ChangeTracker(this.deps.invalidationOf, this.restarts * logOffset);
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
    this.oldest = beginning;
    this.position = undefined;
    this.#notifications.restart();
  }

  /** Also numbers what a killed process has left. Replicas are looked at more often than this. */
  #poll(): void {
    this.#notifications.listen();
    const isAwaited = this.#notifications.areHeard && !this.deps.replicas?.length;
    if (!isAwaited || performance.now() - this.#refreshedAt >= checkIntervalMs) this.refresh();
  }

  /** For those who watch. Other workers of this server say without the database that they have written. */
  #look(): void {
    if (!this.#notifications.areHeard || this.#commitsOfOthers !== this.#knownCommits) this.generation();
  }

  async number(): Promise<void> {
    if (!(await this.refresh())) throw new Unavailable('the changes cannot be numbered');
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#notifications.stop();
    this.watchers.stop();
  }

  /**
   * Numbers what waits in the queue, and reads what has changed. Calls during a running refresh share the next one.
   * False if it fails.
   */
  refresh(): Promise<boolean> {
    return this.#refreshing.run();
  }

  async #refresh(): Promise<boolean> {
    this.#refreshedAt = performance.now();
    // Several requests wait for it: it does not end with the first of them.
    const lifetime = new RequestLifetime(timeLimits.changeLog, { hasPriority: true });
    try {
      const read = () => Promise.all([this.#readChanges(this.pool), this.#numberChanges()]);
      const [takeIn] = await lifetime.withinTimeLimit(read);
      if (takeIn()) return true;
    } catch {
      // Unknown until the server responds again. A write that waits for this has been committed.
    }
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
    this.oldest = beginning;
    return false;
  }

  async #numberChanges(): Promise<void> {
    const check = this.#notifications.beginCheck() ? 'yes' : 'no';
    const [row] = await this.pool.query(numberChanges, [this.oldest, this.#notifications.sender, check]);
    this.oldest = String(row?.oldest);
  }

  /** The result takes them in, unless another server has the change log by then. */
  async #readChanges(client: Client): Promise<() => boolean> {
    const reader = new PostgresReader(client);
    const now = performance.now();
    const commits = this.#commitsOfOthers;
    const tracker = this.#changes;
    const { lastSequence } = tracker;
    const changes = lastSequence === undefined ? [] : await reader.all(entriesAfter(lastSequence));
    if (
      lastSequence !== undefined &&
      changes.length === 0 &&
      (await readLastSequence(reader)) < lastSequence
    ) {
      // Somebody has restored a backup, or another server behind the same address lacks changes.
      this.restart();
      return this.#readChanges(client);
    }
    const isComplete = lastSequence !== undefined && changes.length <= maxEntries;
    const last = isComplete ? (changes.at(-1)?.sequence ?? lastSequence) : await readLastSequence(reader);
    const position = this.deps.replicas?.length ? await this.#readPosition(client) : undefined;
    return () => {
      if (tracker !== this.#changes) return false;
      // Two reads at the same time may end in any order.
      if (last >= (tracker.lastSequence ?? 0)) {
        tracker.advance(last, changes);
        this.position = position;
      }
      this.#confirmedAt = now;
      this.#knownCommits = commits;
      this.watchers.report(tracker.lastSequence);
      return true;
    };
  }

  /** Behind one address, another server may have been promoted. */
  async #readPosition(client: Client): Promise<WalPosition> {
    const [row = {}] = await client.query(`${walPositionQuery} where $1 = 1`, [1]);
    const position = toWalPosition(row);
    if (this.position && this.position.timeline !== position.timeline) this.restart();
    return position;
  }

  hasChanged(project: number, generation: number): boolean {
    return this.#changes.hasChanged(project, generation);
  }

  changedSince(generation: number, limit: number): number[] | undefined {
    return this.#changes.changedSince(generation, limit);
  }
}

async function readLastSequence(reader: PostgresReader): Promise<number> {
  const head = await reader.first(preparedChangeHead);
  if (!head) throw new Error('change_head is empty');
  return head.last;
}
