// Reads that may take long happen in another thread, one after another: SQLite cannot be interrupted, and nobody
// else's answer should wait for a search through a million projects.

import type { Sql } from 'sql-template-tag';
import { Unavailable } from '../errors.ts';
import type { Reads } from './open.ts';
import type { Outcome } from './sqlite-slow-thread.ts';

interface Waiting {
  readonly query: { strings: string[]; values: unknown[] };
  readonly since: number;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** Who has waited for longer has been answered already, by the deadline of requests. */
const patience = 8000;

export class SlowReads implements Reads {
  #thread: Worker | undefined;
  #waiting: Waiting[] = [];
  #current: Waiting | undefined;

  constructor(private readonly path: string) {}

  all<Row>(query: Sql): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      const { strings, values } = query;
      this.#waiting.push({
        query: { strings, values },
        since: performance.now(),
        resolve: resolve as Waiting['resolve'],
        reject,
      });
      this.#next();
    });
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(query))[0];
  }

  close(): void {
    this.#thread?.terminate();
    this.#thread = undefined;
  }

  /** Leaves the file alone until somebody reads again; not while somebody does. */
  letGo(): void {
    if (!this.#current) this.close();
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#waiting.shift();
    if (!this.#current) return;
    if (performance.now() - this.#current.since > patience) {
      this.#settle({ unavailable: 'waited too long' });
    } else {
      this.#thread ??= this.#start();
      this.#thread.postMessage(this.#current.query);
    }
  }

  #settle(outcome: Outcome): void {
    const { resolve, reject } = this.#current as Waiting;
    this.#current = undefined;
    if ('rows' in outcome) resolve(outcome.rows);
    else if ('unavailable' in outcome) reject(new Unavailable({ cause: outcome.unavailable }));
    else reject(new Error(outcome.fault));
    this.#next();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./sqlite-slow-thread.ts', import.meta.url).href);
    thread.postMessage({ path: this.path });
    thread.onmessage = ({ data }) => this.#settle(data as Outcome);
    thread.onerror = ({ message }) => {
      this.#thread = undefined;
      if (this.#current) this.#settle({ fault: message });
    };
    return thread;
  }
}
