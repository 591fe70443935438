// Deletes old notifications, so that each person has a bounded number.

import sql from 'sql-template-tag';
import { all, type Database, executeAlone, exists, first, integer, nullable, pick } from '#sql';
import { maxNotifications, notificationDays } from '../../core/changes/change-kinds.ts';
import { notificationTable } from '../../core/changes/tables.ts';
import { addDays, type Instant, now } from '../../core/instant.ts';
import type { Confirm } from '../../core/jobs/jobs.ts';

/** People whose notifications are looked at together, and notifications that one transaction deletes. */
const batchSize = 500;

const personColumns = pick(notificationTable.columns, 'contributor');
const lastColumn = { last: nullable(integer(sql`max(number)`)) };

export async function sweepNotifications(database: Database, confirm: Confirm): Promise<void> {
  const oldest = addDays(now(), -notificationDays);
  for (let after = 0; ; ) {
    const people = await all(database.slowReader, personColumns)`from notification
      where contributor > ${after}
      group by contributor order by contributor limit ${batchSize}`;
    for (const { contributor } of people) await deleteOld(database, contributor, oldest, confirm);
    after = people.at(-1)?.contributor ?? Number.MAX_SAFE_INTEGER;
    if (people.length < batchSize) return;
    await confirm();
  }
}

async function deleteOld(
  database: Database,
  contributor: number,
  oldest: Instant,
  confirm: Confirm,
): Promise<void> {
  const isOld = sql`contributor = ${contributor} and (created < ${oldest} or number <= (
    select number from notification as newer where newer.contributor = ${contributor}
    order by number desc limit 1 offset ${maxNotifications}))`;
  const old = await first(database.slowReader, lastColumn)`from notification where ${isOld}`;
  const isDeleted = sql`contributor = ${contributor} and number <= ${old?.last ?? 0}`;
  const batch = sql`select number from notification where ${isDeleted} order by number limit ${batchSize}`;
  while (await exists(database, sql`from notification where ${isDeleted}`)) {
    await confirm();
    await executeAlone(database)`delete from notification
      where ${isDeleted} and number <= (select max(number) from (${batch}) as oldest)`;
  }
}
