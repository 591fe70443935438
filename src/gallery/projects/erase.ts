// Takes away what a project was, for good. Its row stays, empty: its id is never given out again, and its copies
// still know that there was something.

import sql, { join } from 'sql-template-tag';
import type { Database, Transaction } from '../../database/open.ts';
import { type ChangeSet, transact } from '../changes/transact.ts';
import { dropMedia } from '../media/rows.ts';
import { locked, store } from './store.ts';
import type { Stored } from './stored.ts';
import { inTrash } from './visible.ts';

export const daysInTrash = 30;
const day = 24 * 3600 * 1_000_000;
const atOnce = 100;

const nobody = { username: '', first_name: '', last_name: '' };

export async function erase(
  transaction: Transaction,
  changeSet: ChangeSet,
  projects: Stored[],
): Promise<void> {
  if (projects.length === 0) return;
  for (const before of projects) {
    const rated = before.rating_sum - before.opening_rating_sum;
    const earned = before.earned - rated;
    await store(
      transaction,
      changeSet,
      'erased',
      before,
      {
        ...before,
        ...{ title: '', title_key: '', slug: 'untitled', text: '', tags: '', link: null },
        ...{ visibility: 'private', status: inTrash, trashed: null, trashed_by: null, trashed_status: null },
        ...{ rating_count: 0, rating_sum: 0, opening_rating_count: 0, opening_rating_sum: 0 },
        ...{
          opening_karma: 0,
          earned,
          karma: Math.max(0, earned),
          touched: Math.max(changeSet.at, before.touched + 1),
        },
      },
      nobody,
    );
  }
  const ids = projects.map(({ id }) => id);
  await dropMedia(transaction, ids);
  await transaction.run(sql`delete from rating where project in (${join(ids)})`);
  await transaction.run(sql`delete from report where project in (${join(ids)})`);
  await transaction.dropSearchWords(ids);
  await transaction.run(
    sql`update change set record = '' where kind = 'project' and subject in (${join(ids)})`,
  );
}

/** What has been in the trash for long enough. */
export async function emptyTrash(database: Database): Promise<void> {
  for (let erased = atOnce; erased === atOnce; ) {
    erased = await transact(database, null, async (transaction, changeSet) => {
      const oldest = changeSet.at - daysInTrash * day;
      const old = await locked(
        transaction,
        sql`id in (select id from project where trashed < ${oldest} order by trashed limit ${atOnce})`,
      );
      await erase(transaction, changeSet, old);
      return old.length;
    });
  }
}
