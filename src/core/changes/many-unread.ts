// Whether somebody has so many unread notifications of one person that they get no more of them.

import sql from 'sql-template-tag';
import { countUpTo, type Transaction } from '#sql';
import { maxNotifications } from './change-kinds.ts';

/** Of one person, so many that are not read. Comments that are written and deleted would else displace all others. */
const maxUnreadOfOne = 100;

export async function hasManyUnread(
  transaction: Transaction,
  contributor: number,
  actor: number,
): Promise<boolean> {
  const unread = sql`select actor from notification where contributor = ${contributor} and is_read = 0
    order by number desc limit ${maxNotifications}`;
  const ofActor = sql`from (${unread}) as unread where actor = ${actor}`;
  return (await countUpTo(maxUnreadOfOne, transaction, ofActor)) >= maxUnreadOfOne;
}
