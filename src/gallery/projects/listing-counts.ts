// Counts the projects in a listing. If the stored counts have all filtered columns, the count is a sum over few rows;
// otherwise rows are counted once and the result is cached until anything changes.

import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../database/open.ts';

const maxRemembered = 1000;

export class ListingCounts {
  #remembered = new Map<string, number>();
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
      this.#remembered.clear();
      this.#generation = generation;
    }
    const key = JSON.stringify([condition.sql, condition.values]);
    const known = generation === undefined ? undefined : this.#remembered.get(key);
    if (known !== undefined) return known;
    const row = await this.database.slowReader.first<{ count: number }>(
      sql`select count(*) as count from project where ${condition}`,
    );
    const count = row?.count ?? 0;
    if (generation === this.#generation && this.#remembered.size < maxRemembered)
      this.#remembered.set(key, count);
    return count;
  }
}
