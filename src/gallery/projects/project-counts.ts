// Stored counts of projects by visibility, status and content type, and of listed projects by tag, so that listings
// need not count rows.

import sql, { join, type Sql } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { isListed, type ProjectRow } from './project-row.ts';
import { parseTags, tagKey } from './tags.ts';
import { listedForVisitors } from './visibility.ts';

/** Recounts everything: after a bulk load this is faster than counting row by row. */
export async function recountProjects(transaction: Transaction): Promise<void> {
  await transaction.run(sql`delete from tally`);
  await transaction.run(
    sql`insert into tally (visibility, status, veil, content_type, count)
        select visibility, status, veil, content_type, count(*) from project group by visibility, status, veil, content_type`,
  );
  await transaction.run(sql`delete from tag_count`);
  await transaction.run(
    sql`insert into tag_count (tag_key, count)
        select tag_key, count(*) from tag
        where project in (select id from project where ${listedForVisitors})
        group by tag_key`,
  );
}

export type CountGroup = Pick<ProjectRow, 'visibility' | 'status' | 'veil' | 'content_type'>;

/** Collects what a transaction adds to the stored counts or subtracts from them. */
export class ProjectCountChanges {
  #groups = new Map<string, number>();
  #tags = new Map<string, number>();

  addProject(before: ProjectRow | undefined, after: ProjectRow): void {
    if (before) this.addGroup(before, -1);
    this.addGroup(after, 1);
    const keysOf = (addProject: ProjectRow | undefined) =>
      new Set(addProject && isListed(addProject) ? parseTags(addProject).map(tagKey) : []);
    const [keysBefore, keysAfter] = [keysOf(before), keysOf(after)];
    for (const key of keysBefore.symmetricDifference(keysAfter))
      this.addTag(key, keysAfter.has(key) ? 1 : -1);
  }

  addGroup({ visibility, status, veil, content_type }: CountGroup, change: number): void {
    const key = JSON.stringify([visibility, status, veil, content_type]);
    this.#groups.set(key, (this.#groups.get(key) ?? 0) + change);
  }

  addTag(key: string, change: number): void {
    this.#tags.set(key, (this.#tags.get(key) ?? 0) + change);
  }

  /**
   * Run these at the end of the transaction: every writer updates these rows, so their locks must be short. The fixed
   * order prevents deadlocks.
   */
  statements(): Sql[] {
    const sortedChanges = (counts: Map<string, number>) =>
      [...counts].filter(([, count]) => count !== 0).sort(([one], [other]) => (one < other ? -1 : 1));
    const tagStatement = ([key, count]: [string, number]) =>
      sql`insert into tag_count (tag_key, count) values (${key}, ${count})
          on conflict (tag_key) do update set count = tag_count.count + excluded.count`;
    const groupStatement = ([key, count]: [string, number]) =>
      sql`insert into tally (visibility, status, veil, content_type, count) values (${join([...JSON.parse(key), count])})
          on conflict (visibility, status, veil, content_type) do update set count = tally.count + excluded.count`;
    return [
      ...sortedChanges(this.#tags).map(tagStatement),
      ...sortedChanges(this.#groups).map(groupStatement),
    ];
  }
}
