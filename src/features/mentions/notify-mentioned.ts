// Notifies the people whom a text names, once it is public: of each text once.

import { join } from 'sql-template-tag';
import { all, integer } from '#sql';
import { hasManyUnread } from '../../core/changes/many-unread.ts';
import type { Write } from '../../core/changes/transact.ts';
import { isFindableBy } from '../../core/contributors/find-contributors.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import type { ProjectRow } from '../../projects/project.ts';
import { isPublic } from '../../projects/visibility/visible-to.ts';
import { findMentions } from './mention.ts';

const contributorColumn = { contributor: integer() };

/** The notification is shown only to people who may see the project: a comment may be in a hidden thread. */
export async function notifyMentioned(
  { transaction, changeSet }: Write,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  const textBefore = before && isPublic(before) ? before.text : '';
  if (!isPublic(after) || textBefore === after.text || !after.text.includes('@')) return;
  const { id, contributor: actor } = after;
  // People who may not be found are not named: see mention.ts.
  const isFindable = isFindableBy(anonymous);
  const [known = [], named = []] = await findMentions(transaction, isFindable, [textBefore, after.text]);
  const others = new Set(named.map(({ contributor }) => contributor.id));
  for (const contributor of [actor, ...known.map((mention) => mention.contributor.id)])
    others.delete(contributor);
  if (others.size === 0) return;
  // A comment on their project has notified them, also if it names them later.
  const alreadyNotified = await all(transaction, contributorColumn)`from notification
    where contributor in (${join([...others])}) and kind in ('commented', 'answered', 'copied') and subject = ${id}`;
  for (const { contributor } of alreadyNotified) others.delete(contributor);
  for (const contributor of others) {
    if (!(await hasManyUnread(transaction, contributor, actor)))
      changeSet.notify('project', id, { contributor, kind: 'mentioned', actor });
  }
}
