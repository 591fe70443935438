// How many projects there are of each kind, and how many listed ones have a tag: kept, so that no listing counts
// rows.

import sql, { join, type Sql } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { tagKey } from './filters.ts';
import { isListed, type Stored, tagsOf } from './stored.ts';
import { visitorsList } from './visible.ts';

/** Counts all projects anew: after a bulk load that is sooner done than keeping count. */
export async function retally(transaction: Transaction): Promise<void> {
  await transaction.run(sql`delete from tally`);
  await transaction.run(
    sql`insert into tally (visibility, status, veil, content_type, count)
        select visibility, status, veil, content_type, count(*) from project group by visibility, status, veil, content_type`,
  );
  await transaction.run(sql`delete from tag_count`);
  await transaction.run(
    sql`insert into tag_count (tag_key, count)
        select tag_key, count(*) from tag
        where project in (select id from project where ${visitorsList})
        group by tag_key`,
  );
}

export type Kind = Pick<Stored, 'visibility' | 'status' | 'veil' | 'content_type'>;

/** What a transaction adds to the counts, and takes away. */
export class CountChanges {
  #kinds = new Map<string, number>();
  #tags = new Map<string, number>();

  project(before: Stored | undefined, after: Stored): void {
    if (before) this.kind(before, -1);
    this.kind(after, 1);
    const keysOf = (project: Stored | undefined) =>
      new Set(project && isListed(project) ? tagsOf(project).map(tagKey) : []);
    const [had, has] = [keysOf(before), keysOf(after)];
    for (const key of had.symmetricDifference(has)) this.tag(key, has.has(key) ? 1 : -1);
  }

  kind({ visibility, status, veil, content_type }: Kind, count: number): void {
    const key = JSON.stringify([visibility, status, veil, content_type]);
    this.#kinds.set(key, (this.#kinds.get(key) ?? 0) + count);
  }

  tag(key: string, count: number): void {
    this.#tags.set(key, (this.#tags.get(key) ?? 0) + count);
  }

  /**
   * At the end of the transaction: rows that everybody writes are held for as short as may be, and in one order, so
   * that two writers never wait for each other.
   */
  statements(): Sql[] {
    const moved = (counts: Map<string, number>) =>
      [...counts].filter(([, count]) => count !== 0).sort(([one], [other]) => (one < other ? -1 : 1));
    const tagged = ([key, count]: [string, number]) =>
      sql`insert into tag_count (tag_key, count) values (${key}, ${count})
          on conflict (tag_key) do update set count = tag_count.count + excluded.count`;
    const tallied = ([key, count]: [string, number]) =>
      sql`insert into tally (visibility, status, veil, content_type, count) values (${join([...JSON.parse(key), count])})
          on conflict (visibility, status, veil, content_type) do update set count = tally.count + excluded.count`;
    return [...moved(this.#tags).map(tagged), ...moved(this.#kinds).map(tallied)];
  }
}
