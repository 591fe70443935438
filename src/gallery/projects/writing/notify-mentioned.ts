// Notifies the people whom a text names, once it is public: of each text once.

import { join } from 'sql-template-tag';
import { integer } from '../../../database/columns.ts';
import { all } from '../../../database/query.ts';
import type { Write } from '../../changes/transact.ts';
import { isFindableBy } from '../../contributors/find.ts';
import { findMentions } from '../../mentions/mention.ts';
import { anonymous } from '../../viewer.ts';
import type { ProjectRow } from '../project.ts';
import { isPublic } from '../visibility.ts';
import { hasManyUnread } from './many-unread.ts';

const contributorColumn = { contributor: integer() };

/** Who may not see the project does not see the notification: a comment may be in a thread that is hidden. */
export async function notifyMentioned(
  { transaction, changeSet }: Write,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  const textBefore = before && isPublic(before) ? before.text : '';
  if (!isPublic(after) || textBefore === after.text || !after.text.includes('@')) return;
  const { id, contributor: actor } = after;
  // Whoever is found by nobody is not named: see mention.ts.
  const isFindable = isFindableBy(anonymous);
  const [known = [], named = []] = await findMentions(transaction, isFindable, [textBefore, after.text]);
  const others = new Set(named.map(({ contributor }) => contributor.id));
  for (const contributor of [actor, ...known.map((mention) => mention.contributor.id)])
    others.delete(contributor);
  if (others.size === 0) return;
  // They know of it: of a comment on their project, also if they are named in it later.
  const told = await all(transaction, contributorColumn)`from notification
    where contributor in (${join([...others])}) and kind in ('commented', 'answered', 'copied') and subject = ${id}`;
  for (const { contributor } of told) others.delete(contributor);
  for (const contributor of others) {
    if (!(await hasManyUnread(transaction, contributor, actor)))
      changeSet.notify('project', id, { contributor, kind: 'mentioned', actor });
  }
}
