// Notifies followers of new projects: each of them at most once a day.

import sql, { join, type Sql } from 'sql-template-tag';
import { all, integer } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import { addDays } from '../../core/instant.ts';
import type { ProjectRow } from '../../projects/project.ts';
import { parseTags, tagKey } from '../../projects/tags.ts';
import { isListed, isListedSql } from '../../projects/visibility/visible-to.ts';

/** Followers of a person, and of each tag, who are notified: the latest ones. */
const maxNotified = 1000;

const followerColumn = { contributor: integer() };

/** Comments do not count. */
const isFirstListing = (before: ProjectRow | undefined, after: ProjectRow): boolean =>
  after.content_type !== 'comment' && isListed(after) && (before?.never_listed ?? 1) > after.never_listed;

export async function notifyFollowers(
  { transaction, changeSet }: Write,
  before: ProjectRow | undefined,
  project: ProjectRow,
): Promise<void> {
  if (!isFirstListing(before, project)) return;
  const { id, contributor: actor } = project;
  const followers = [
    latest(sql`followed_contributor where followed = ${actor}`),
    ...parseTags(project).map((tag) => latest(sql`followed_tag where tag_key = ${tagKey(tag)}`)),
  ];
  // A project that is hidden since does not count: somebody could use up the day of others with it.
  const isNotified = sql`exists (select 1 from notification
    where notification.contributor = follower.contributor and kind = 'followed'
      and notification.created > ${addDays(changeSet.at, -1)}
      and exists (select 1 from project where project.id = notification.subject and ${isListedSql}))`;
  const rows = await all(transaction, followerColumn)`from (${join(followers, ' union ')}) as follower
    where contributor <> ${actor} and not ${isNotified}`;
  for (const { contributor } of rows)
    changeSet.notify('project', id, { contributor, kind: 'followed', actor });
}

const latest = (from: Sql): Sql =>
  sql`select contributor from (
    select contributor from ${from} order by created desc, contributor desc limit ${maxNotified}) as latest`;
