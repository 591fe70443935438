// Runs slow reads on another thread, one after another: SQLite queries cannot be interrupted, and other requests
// should not wait for a search through a million projects.

import { Unavailable } from '../errors.ts';
import type { Reader } from './open.ts';
import type { Query } from './query.ts';
import type { QueryOutcome } from './sqlite-slow-thread.ts';

interface QueuedQuery {
  readonly query: { sql: string; values: unknown[] };
  readonly queuedAt: number;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** A request that waited longer has already timed out. */
const maxWaitMs = 8000;

export class SlowReader implements Reader {
  #thread: Worker | undefined;
  #queue: QueuedQuery[] = [];
  #current: QueuedQuery | undefined;

  constructor(private readonly path: string) {}

  all<Row extends object>({ statement: { sql, values } }: Query<Row>): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      this.#queue.push({
        query: { sql, values },
        queuedAt: performance.now(),
        resolve: resolve as QueuedQuery['resolve'],
        reject,
      });
      this.#runNext();
    });
  }

  async first<Row extends object>(query: Query<Row>): Promise<Row | undefined> {
    return (await this.all(query))[0];
  }

  close(): void {
    this.#thread?.terminate();
    this.#thread = undefined;
  }

  /** Closes the file until the next read, unless a query is running. */
  releaseFile(): void {
    if (!this.#current) this.close();
  }

  #runNext(): void {
    if (this.#current) return;
    this.#current = this.#queue.shift();
    if (!this.#current) return;
    if (performance.now() - this.#current.queuedAt > maxWaitMs) {
      this.#finish({ unavailable: 'too many slow queries wait' });
    } else {
      this.#thread ??= this.#startThread();
      this.#thread.postMessage(this.#current.query);
    }
  }

  #finish(outcome: QueryOutcome): void {
    if (!this.#current) return;
    const { resolve, reject } = this.#current;
    this.#current = undefined;
    if ('rows' in outcome) resolve(outcome.rows);
    else if ('unavailable' in outcome) reject(new Unavailable(outcome.unavailable));
    else reject(new Error(outcome.fault));
    this.#runNext();
  }

  #startThread(): Worker {
    const thread = new Worker(new URL('./sqlite-slow-thread.ts', import.meta.url).href);
    thread.postMessage({ path: this.path });
    thread.onmessage = ({ data }) => this.#finish(data as QueryOutcome);
    thread.onerror = ({ message }) => {
      this.#thread = undefined;
      if (this.#current) this.#finish({ fault: message });
    };
    return thread;
  }
}
