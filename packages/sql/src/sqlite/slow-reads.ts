// Runs slow reads on another thread, one after another: SQLite queries cannot be interrupted, and other requests
// should not wait for a search through a million projects.

import { Unavailable } from '../../../common/src/errors.ts';
import type { QueueStats } from '../../../common/src/request-queue.ts';
import { WorkerThread } from '../../../common/src/worker-thread.ts';
import type { Query } from '../columns.ts';
import type { Reader } from '../database.ts';
import type { QueryOutcome, SlowQuery } from './slow-thread.ts';

const maxWaiting = 128;

export class SlowReader implements Reader {
  readonly #thread = new WorkerThread<SlowQuery, QueryOutcome>(new URL('./slow-thread.ts', import.meta.url), {
    maxWaiting,
  });

  constructor(private readonly path: string) {}

  async all<Row extends object>({ statement: { sql, values } }: Query<Row>): Promise<Row[]> {
    const outcome = await this.#thread.run({ path: this.path, sql, values });
    if (!outcome) throw new Unavailable(undefined);
    if ('unavailable' in outcome)
      throw new Unavailable(Object.assign(new Error(outcome.unavailable), { code: outcome.code }));
    return outcome.rows as Row[];
  }

  async first<Row extends object>(query: Query<Row>): Promise<Row | undefined> {
    return (await this.all(query))[0];
  }

  get stats(): QueueStats {
    return this.#thread.stats;
  }

  close(): void {
    this.#thread.end();
  }

  /** Closes the file until the next read, unless a query is running. */
  releaseFile(): void {
    if (!this.#thread.isBusy) this.close();
  }
}
