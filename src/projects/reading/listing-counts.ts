// Counts the projects in a listing. If the stored counts have all filtered columns, the count is a sum over few rows. The
// result is cached until anything changes.

import sql, { type Sql } from 'sql-template-tag';
import { count, type Database, integer, nullable, select } from '#sql';

const maxCached = 1000;

const storedCount = { count: nullable(integer(sql`sum(count)`)) };

export class ListingCounts {
  #cached = new Map<string, number>();
  #generation: number | undefined;

  constructor(private readonly database: Database) {}

  /** `from` begins with "from". */
  sumStored(from: Sql): Promise<number> {
    return this.#find(from, async () => (await this.database.first(select(storedCount, from)))?.count ?? 0);
  }

  /** `from` begins with "from". */
  countRows(from: Sql): Promise<number> {
    return this.#find(from, () => count(this.database.slowReader, from));
  }

  async #find(from: Sql, compute: () => Promise<number>): Promise<number> {
    const generation = this.database.generation();
    if (generation !== this.#generation) {
      this.#cached.clear();
      this.#generation = generation;
    }
    const key = JSON.stringify([from.sql, from.values]);
    const cached = generation === undefined ? undefined : this.#cached.get(key);
    if (cached !== undefined) return cached;
    const rows = await compute();
    if (generation === this.#generation && this.#cached.size < maxCached) this.#cached.set(key, rows);
    return rows;
  }
}
