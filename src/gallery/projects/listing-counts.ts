// Counts the projects in a listing. If the stored counts have all filtered columns, the count is a sum over few rows;
// otherwise rows are counted once and the result is cached until anything changes.

import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../database/open.ts';

const maxRemembered = 1000;

export class ListingCounts {
  #cached = new Map<string, number>();
  #generation: number | undefined;

  constructor(private readonly database: Database) {}

  async sumStored(condition: Sql): Promise<number> {
    const row = await this.database.first<{ count: number | null }>(
      sql`select sum(count) as count from tally where ${condition}`,
    );
    return row?.count ?? 0;
  }

  async countRows(condition: Sql): Promise<number> {
    const generation = this.database.generation();
    if (generation !== this.#generation) {
      this.#cached.clear();
      this.#generation = generation;
    }
    const key = JSON.stringify([condition.sql, condition.values]);
    const cached = generation === undefined ? undefined : this.#cached.get(key);
    if (cached !== undefined) return cached;
    const row = await this.database.slowReader.first<{ count: number }>(
      sql`select count(*) as count from project where ${condition}`,
    );
    const count = row?.count ?? 0;
    if (generation === this.#generation && this.#cached.size < maxRemembered) this.#cached.set(key, count);
    return count;
  }
}
