// Counts the projects in a listing. If the stored counts have all filtered columns, the count is a sum over few rows;
// otherwise rows are counted once and the result is cached until anything changes.

import sql, { type Sql } from 'sql-template-tag';
import { integer, nullable } from '../../../database/columns.ts';
import type { Database } from '../../../database/database.ts';
import { count, select } from '../../../database/query.ts';

const maxCached = 1000;

const storedCount = { count: nullable(integer(sql`sum(count)`)) };

export class ListingCounts {
  #cached = new Map<string, number>();
  #generation: number | undefined;

  constructor(private readonly database: Database) {}

  /** `from` begins with "from". */
  async sumStored(from: Sql): Promise<number> {
    const row = await this.database.first(select(storedCount, from));
    return row?.count ?? 0;
  }

  /** `from` begins with "from". */
  async countRows(from: Sql): Promise<number> {
    const generation = this.database.generation();
    if (generation !== this.#generation) {
      this.#cached.clear();
      this.#generation = generation;
    }
    const key = JSON.stringify([from.sql, from.values]);
    const cached = generation === undefined ? undefined : this.#cached.get(key);
    if (cached !== undefined) return cached;
    const rows = await count(this.database.slowReader, from);
    if (generation === this.#generation && this.#cached.size < maxCached) this.#cached.set(key, rows);
    return rows;
  }
}
