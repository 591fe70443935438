// Updates the visibility of a project's comments when the project's own visibility or status changes.

import sql, { type Sql } from 'sql-template-tag';
import { all, execute, integer, pick, type Transaction } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import { type ProjectRow, projectColumns } from '../project.ts';
import { tagCountTable } from '../tables.ts';
import { listedThread, threadVisibility, threadVisibilitySql } from '../visibility/thread-visibility.ts';
import { isListed, isListedInListedThread, isListedSql } from '../visibility/visible-to.ts';
import { adjustContributorCount, adjustTagCount, moveProjectCount } from './project-counts.ts';
import { nextVersionSql } from './version.ts';

const count = integer(sql`count(*)`);
const groupColumns = {
  ...pick(projectColumns, 'contributor', 'visibility', 'status', 'thread_visibility', 'content_type'),
  count,
};
const tagColumns = { ...tagCountTable.columns, count };

export async function updateThreadVisibility(
  { transaction, changeSet }: Write,
  before: ProjectRow,
  after: ProjectRow,
): Promise<void> {
  const threadLevel = threadVisibility(after);
  if (threadLevel === threadVisibility(before)) return;
  const groups = await all(transaction, groupColumns)`from project where root = ${after.id}
    group by contributor, visibility, status, thread_visibility, content_type`;
  if (groups.length === 0) return;
  const listedChange =
    Number(threadLevel === listedThread) - Number(threadVisibility(before) === listedThread);
  if (listedChange !== 0) {
    const tags = await all(transaction, tagColumns)`from tag
      where project in (select id from project where root = ${after.id} and ${isListedInListedThread})
      group by tag_key order by tag_key`;
    for (const { tag_key, count } of tags) adjustTagCount(changeSet, tag_key, listedChange * count);
    for (const group of groups)
      if (isListed({ ...group, thread_visibility: listedThread }))
        adjustContributorCount(changeSet, group.contributor, listedChange * group.count);
  }
  await execute(transaction)`update project set thread_visibility = ${threadLevel},
      record_modified = ${nextVersionSql(changeSet.at)} where root = ${after.id}`;
  if (listedChange !== 0) await updateTags(transaction, sql`root = ${after.id}`);
  for (const group of groups)
    moveProjectCount(changeSet, group.count, group, { ...group, thread_visibility: threadLevel });
  changeSet.add({ action: 'veiled', kind: 'thread', subject: after.id, owner: after.contributor });
}

/** For the comments that meet the condition. */
async function updateTags(transaction: Transaction, condition: Sql): Promise<void> {
  const listedCreated = sql`(select created from project where id = tag.project and ${isListedSql})`;
  await execute(transaction)`update tag set listed_created = ${listedCreated}
    where project in (select id from project where ${condition})
      and listed_created is distinct from ${listedCreated}`;
}

/** The project that a comment's thread belongs to, if that of the project or comment it replies to is right. */
export const rootSql = sql`(
  select case p.content_type when 'comment' then p.root else p.id end from project p where p.id = project.parent
)`;

/**
 * The project that the thread of each comment belongs to, found from the projects down to the last replies: it does not
 * take longer if replies go deep. Comments that reply to each other in a circle belong to no project.
 */
const rootsSql = sql`(
  with recursive thread (id, root) as (
    select reply.id, p.id from project p join project reply on reply.parent = p.id
    where p.content_type <> 'comment' and reply.content_type = 'comment'
    union all
    select reply.id, thread.root from thread join project reply on reply.parent = thread.id
    where reply.content_type = 'comment'
  )
  select reply.id, thread.root from project reply left join thread on thread.id = reply.id
  where reply.content_type = 'comment' and reply.parent is not null
)`;

export async function recomputeThreads(transaction: Transaction): Promise<void> {
  await execute(transaction)`update project set root = found.root from ${rootsSql} as found
    where found.id = project.id and project.root is distinct from found.root`;
  await execute(transaction)`update project set thread_visibility = ${threadVisibilitySql}
    where root is not null and thread_visibility <> ${threadVisibilitySql}`;
  await updateTags(transaction, sql`root is not null`);
}
