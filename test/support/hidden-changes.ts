import sql, { raw, type Sql } from 'sql-template-tag';
import type { Site } from './site.ts';

/** Appends changes of projects that visitors have never seen to the change log. */
export const appendHiddenChanges = (site: Site, count: number) =>
  appendChanges(site, count, sql`1000000 + n, '', 0`);

/** Appends changes of a project that visitors see. */
export const appendChangesOf = (project: number, site: Site, count: number) =>
  appendChanges(site, count, sql`${raw(String(project))}, '', 1`);

/** Appends one change of each of these projects that visitors see: 1, 2 and so on. */
export const appendChangesOfEach = (projects: number, site: Site) =>
  appendChanges(site, projects, sql`n, '', 1`);

/** `columns`: the subject, the record, and whether visitors' listings had it. */
async function appendChanges({ database }: Site, count: number, columns: Sql): Promise<void> {
  const number = raw(String(count));
  await database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into change (sequence, at, action, kind, subject, record, listed, hash)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${number})
      select last + n, 0, 'changed', 'project', ${columns}, '' from numbers, change_head`);
    await transaction.run(sql`update change_head set last = last + ${number}`);
  });
}
