import sql, { join } from 'sql-template-tag';
import { pick } from '../../../database/columns.ts';
import type { Transaction } from '../../../database/database.ts';
import { all, countUpTo } from '../../../database/query.ts';
import { maxNotifications } from '../../changes/notification.ts';
import type { ChangeSet } from '../../changes/transact.ts';
import { type ProjectRow, projectColumns } from '../columns.ts';
import { isPublic } from '../visibility.ts';

/** Of one person, so many that are not read. Comments that are written and deleted would else displace all others. */
const maxUnreadOfOne = 100;

const ownerColumns = pick(projectColumns, 'id', 'contributor');

/**
 * Notifies of a comment or a copy once it is public. A copy is private at first: until then, nobody else learns of it.
 * The author of the comment that is answered comes first, who may also own the project.
 */
export async function notifyOfProject(
  transaction: Transaction,
  changeSet: ChangeSet,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  if (!isPublic(after) || (before && isPublic(before))) return;
  const { id, contributor: actor, parent, root, copied_from } = after;
  const reasons = [
    ...(parent !== null && parent !== root ? [{ of: parent, kind: 'answered' as const }] : []),
    ...(root !== null ? [{ of: root, kind: 'commented' as const }] : []),
    ...(copied_from !== null ? [{ of: copied_from, kind: 'copied' as const }] : []),
  ];
  if (reasons.length === 0) return;
  const owners = await all(transaction, ownerColumns)`from project
    where id in (${join(reasons.map(({ of }) => of))})`;
  for (const { of, kind } of reasons) {
    const contributor = owners.find((owner) => owner.id === of)?.contributor;
    if (contributor === undefined || contributor === actor) continue;
    if (!(await hasManyUnread(transaction, contributor, actor)))
      changeSet.notify('project', id, { contributor, kind, actor });
  }
}

async function hasManyUnread(transaction: Transaction, contributor: number, actor: number): Promise<boolean> {
  const unread = sql`select actor from notification where contributor = ${contributor} and is_read = 0
    order by number desc limit ${maxNotifications}`;
  const ofActor = sql`from (${unread}) as unread where actor = ${actor}`;
  return (await countUpTo(maxUnreadOfOne, transaction, ofActor)) >= maxUnreadOfOne;
}
