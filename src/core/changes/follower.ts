// Follows the change log for all parts of this process that act on changes: streams, and whatever else wants to know. It
// wakes up when any process has committed something, and reads each new range once for everybody.

import { Outage } from '#common/outage.ts';
import { SharedCall } from '#common/shared-call.ts';
import { all, type Database, omit, type RowOf } from '#sql';
import { findChangeHead } from './head.ts';
import { changeTable } from './tables.ts';

const loggedColumns = omit(changeTable.columns, 'record', 'hash');

export type LoggedChange = RowOf<typeof loggedColumns>;

/** All changes after one number, up to another. */
export interface ChangeRange {
  readonly after: number;
  readonly last: number;
  readonly changes: readonly LoggedChange[];
}

export interface ChangeListener {
  /**
   * Gets each range, in order. The first has no changes: it says where following begins. The next range waits until all
   * listeners have dealt with this one, so that they must not wait for anything slow.
   */
  onRange(range: ChangeRange): void | Promise<void>;
  /** The log ends before a number that was reached: an older copy of the database has taken its place. */
  onReset(): void;
}

const maxChanges = 500;
const retryMs = 1000;

export class ChangeFollower {
  readonly #listeners = new Set<ChangeListener>();
  readonly #reading = new SharedCall(() => this.#read());
  #stopWatching: (() => void) | undefined;
  #last: number | undefined;
  readonly #outage: Outage;

  constructor(
    private readonly database: Database,
    logError: (error: unknown) => void,
  ) {
    this.#outage = new Outage(logError);
  }

  /** The last number that the listeners know; undefined until following has begun. */
  get last(): number | undefined {
    return this.#last;
  }

  /** Returns what ends it. Nothing is read while nobody listens. */
  follow(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    this.#stopWatching ??= this.database.watchChanges(() => this.#wake());
    this.#wake();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = undefined;
      this.#last = undefined;
    };
  }

  #wake(): void {
    void this.#reading.run();
  }

  async #read(): Promise<void> {
    try {
      await this.#readNew();
      this.#outage.end();
    } catch (error) {
      this.#outage.begin(error);
      setTimeout(() => this.#wake(), retryMs).unref();
    }
  }

  async #readNew(): Promise<void> {
    if (this.#last === undefined) await this.#begin();
    for (let hasMore = true; hasMore && this.#last !== undefined; ) {
      const after = this.#last;
      const changes = await all(this.database, loggedColumns)`from change
        where sequence > ${after} order by sequence limit ${maxChanges}`;
      // All listeners have left meanwhile: the next one begins at the head, however late it comes.
      if (this.#last === undefined) return;
      const last = changes.at(-1)?.sequence;
      if (last === undefined) return this.#checkEnd(after);
      const startedAt = performance.now();
      await this.#tell({ after, last, changes });
      // Requests get at least half of the time.
      await Bun.sleep(performance.now() - startedAt);
      hasMore = changes.length === maxChanges;
    }
  }

  async #begin(): Promise<void> {
    const { last } = await findChangeHead(this.database);
    if (this.#listeners.size > 0) await this.#tell({ after: last, last, changes: [] });
  }

  async #checkEnd(reached: number): Promise<void> {
    const { last } = await findChangeHead(this.database);
    if (last >= reached) return;
    for (const listener of this.#listeners) listener.onReset();
    await this.#begin();
  }

  async #tell(range: ChangeRange): Promise<void> {
    this.#last = range.last;
    await Promise.all([...this.#listeners].map((listener) => listener.onRange(range)));
  }
}
