// Stored counts of projects by visibility, status and content type, and of listed projects by tag and by contributor,
// so that listings need not count rows.

import sql from 'sql-template-tag';
import type { Transaction } from '../../../database/database.ts';
import {
  contributorCountTable,
  contributorUsageTable,
  projectCountTable,
  tagCountTable,
} from '../../../database/schema.ts';
import type { ChangeSet } from '../../changes/transact.ts';
import type { ProjectRow } from '../project.ts';
import { parseTags, tagKey } from '../tags.ts';
import { isErased, isErasedSql, isListed, isListedSql } from '../visibility.ts';

/** Recounts everything: after a bulk load this is faster than counting row by row. */
export async function recountProjects(transaction: Transaction): Promise<void> {
  await transaction.run(sql`delete from project_count`);
  await transaction.run(
    sql`insert into project_count (visibility, status, thread_visibility, content_type, count)
        select visibility, status, thread_visibility, content_type, count(*) from project group by visibility, status, thread_visibility, content_type`,
  );
  await transaction.run(sql`delete from tag_count`);
  await transaction.run(
    sql`insert into tag_count (tag_key, count)
        select tag_key, count(*) from tag
        where project in (select id from project where ${isListedSql})
        group by tag_key`,
  );
  await transaction.run(sql`delete from contributor_count`);
  // An expression, as in adjustProjectUsage.
  await transaction.run(
    sql`insert into contributor_count (contributor, count)
        select contributor + 0, count(*) from project where ${isListedSql} group by 1`,
  );
  await transaction.run(sql`delete from contributor_usage`);
  await transaction.run(sql`insert into contributor_usage (contributor, resource, count) ${usageRows}`);
}

type CountGroup = Pick<ProjectRow, 'visibility' | 'status' | 'thread_visibility' | 'content_type'>;

export function adjustProjectCounts(
  changeSet: ChangeSet,
  before: ProjectRow | undefined,
  after: ProjectRow,
): void {
  const { counts } = changeSet;
  adjustProjectUsage(changeSet, before, after);
  if (before) counts.add(projectCountTable, before, -1);
  counts.add(projectCountTable, after, 1);
  if (before && isListed(before)) adjustContributorCount(changeSet, before.contributor, -1);
  if (isListed(after)) adjustContributorCount(changeSet, after.contributor, 1);
  const [keysBefore, keysAfter] = [listedTagKeys(before), listedTagKeys(after)];
  for (const tag_key of keysBefore.symmetricDifference(keysAfter))
    counts.add(tagCountTable, { tag_key }, keysAfter.has(tag_key) ? 1 : -1);
}

const listedTagKeys = (project: ProjectRow | undefined) =>
  new Set(project && isListed(project) ? parseTags(project).map(tagKey) : []);

/** Counts projects in another group. */
export function moveProjectCount(
  { counts }: ChangeSet,
  count: number,
  before: CountGroup,
  after: CountGroup,
): void {
  counts.add(projectCountTable, before, -count);
  counts.add(projectCountTable, after, count);
}

export function adjustContributorCount({ counts }: ChangeSet, contributor: number, difference: number): void {
  counts.add(contributorCountTable, { contributor }, difference);
}

export function adjustTagCount({ counts }: ChangeSet, tag_key: string, difference: number): void {
  counts.add(tagCountTable, { tag_key }, difference);
}

// How many projects, and bytes of files and avatars, each contributor stores: see ../changes/usage.ts for the quotas.

type CountedProject = Pick<ProjectRow, 'contributor' | 'status' | 'trashed'>;

function adjustProjectUsage(
  { counts }: ChangeSet,
  before: CountedProject | undefined,
  after: CountedProject,
): void {
  const count = (project: CountedProject | undefined) => (project && !isErased(project) ? 1 : 0);
  const { contributor } = after;
  counts.add(contributorUsageTable, { contributor, resource: 'projects' }, count(after) - count(before));
}

/**
 * Selects what `contributor_usage` should contain. With an expression, SQLite reads the table once, and not each row by
 * the index of contributors.
 */
export const usageRows = sql`
  select contributor + 0 as contributor, 'projects' as resource, count(*) as count
  from project where not ${isErasedSql} group by 1
  union all
  select contributor, 'file_bytes' as resource, sum(bytes) as count
  from (
    select contributor, bytes from media_size join project on project.id = media_size.project
    union all select contributor, bytes from avatar_size
  ) as stored group by contributor`;
