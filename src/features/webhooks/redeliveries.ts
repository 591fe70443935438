// The ranges of changes that the owner of a webhook asked to be sent again. Tries after a failure are in retry-delay.ts.

import type { FeedEntry } from '../../projects/changes/change-feed.ts';
import type { Redelivery } from './dependencies.ts';

export class Redeliveries {
  #rows: readonly Redelivery[] = [];
  /** The last change that each has sent. The rows may have been read before this was saved. */
  #reached: ReadonlyMap<number, number> = new Map();
  /** The next changes of the first. */
  entries: FeedEntry[] = [];

  get first(): Redelivery | undefined {
    return this.#rows[0];
  }

  set(rows: readonly Redelivery[]): void {
    this.#reached = new Map([...this.#reached].filter(([id]) => rows.some((row) => row.id === id)));
    this.#rows = this.#withoutFinished(rows);
  }

  record(id: number, reached: number): void {
    this.#reached = new Map([...this.#reached, [id, reached]]);
    this.#rows = this.#withoutFinished(this.#rows);
    if (this.first?.id !== id) this.entries = [];
  }

  #withoutFinished(rows: readonly Redelivery[]): Redelivery[] {
    const current = rows.map((row) => ({ ...row, after: this.#reached.get(row.id) ?? row.after }));
    return current.filter(({ after, last }) => after < last);
  }
}
