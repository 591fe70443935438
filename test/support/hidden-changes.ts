import sql, { raw } from 'sql-template-tag';
import type { Site } from './site.ts';

/** Appends changes of projects that visitors have never seen to the change log. */
export async function appendHiddenChanges({ database }: Site, count: number): Promise<void> {
  const number = raw(String(count));
  await database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into change (sequence, at, action, kind, subject, record, listed)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${number})
      select last + n, 0, 'changed', 'project', 1000000 + n, '', 0 from numbers, change_head`);
    await transaction.run(sql`update change_head set last = last + ${number}`);
  });
}
