// Tells those who watch the change log that it has grown. The database looks for changes of other processes only while
// somebody watches.

import { runOutsideRequests } from '../../common/src/request-lifetime.ts';

/** How often the database is looked at while somebody watches. */
const intervalMs = 20;

/** Gets the number of the last change. It must not throw. */
export type ChangeWatcher = (last: number) => void;

export class ChangeWatchers {
  readonly #watchers = new Set<ChangeWatcher>();
  #timer: Timer | undefined;
  #last: number | undefined;

  /** `look` looks for changes if there may be any, and calls `report`. */
  constructor(private readonly look: () => void) {}

  get isEmpty(): boolean {
    return this.#watchers.size === 0;
  }

  /** Returns what ends it. */
  add(watcher: ChangeWatcher): () => void {
    this.#watchers.add(watcher);
    this.#timer ??= runOutsideRequests(() => setInterval(this.look, intervalMs).unref());
    return () => {
      this.#watchers.delete(watcher);
      if (this.isEmpty) this.stop();
    };
  }

  /** The watchers' work is not part of the request that has found the change. */
  report(last: number | undefined): void {
    if (last === undefined || last === this.#last) return;
    this.#last = last;
    runOutsideRequests(() => {
      for (const watcher of this.#watchers) watcher(last);
    });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
