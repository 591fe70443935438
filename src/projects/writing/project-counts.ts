// Stored counts of projects by visibility, status and content type, and of listed projects by tag and by contributor,
// so that listings need not count rows.

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { execute, type Table, type Transaction } from '#sql';
import { allTables } from '../../core/all-tables.ts';
import type { ChangeSet } from '../../core/changes/transact.ts';
import { contributorCountTable, contributorUsageTable } from '../../core/contributors/tables.ts';
import { once } from '../../core/feature.ts';
import { isWaiting, waiting } from '../../core/project-status.ts';
import type { ProjectRow } from '../project.ts';
import { projectCountTable, tagCountTable } from '../tables.ts';
import { parseTags, tagKey } from '../tags.ts';
import { isErased, isErasedSql, isListed, isListedSql } from '../visibility/visible-to.ts';

/** With an expression in place of a column, SQLite reads the table once, and not each row by the index of contributors. */
const owner = sql`contributor + 0 as contributor`;
const countGroup = sql`visibility, status, thread_visibility, content_type`;

/** Bytes that are not those of files. */
const otherBytes = () =>
  allTables().flatMap(({ name, countedBytes }) =>
    countedBytes ? [sql`union all select contributor, ${raw(countedBytes)} as bytes from ${raw(name)}`] : [],
  );

interface StoredCount {
  readonly problem: string;
  readonly table: Table;
  readonly rows: Sql;
}

/** The tables of counts; `rows` selects what each should contain. */
export const listStoredCounts = once((): readonly StoredCount[] => [
  {
    problem: 'the counts of projects are wrong',
    table: projectCountTable,
    rows: sql`select ${countGroup}, count(*) as count from project group by ${countGroup}`,
  },
  {
    problem: 'the counts of tags are wrong',
    table: tagCountTable,
    rows: sql`select tag_key, count(*) as count from tag
      where project in (select id from project where ${isListedSql}) group by tag_key`,
  },
  {
    problem: 'the counts of contributors are wrong',
    table: contributorCountTable,
    rows: sql`select ${owner}, count(*) as count from project where ${isListedSql} group by 1`,
  },
  {
    problem: 'the counts of what contributors store are wrong',
    table: contributorUsageTable,
    rows: sql`
      select ${owner}, 'projects' as resource, count(*) as count
      from project where not ${isErasedSql} group by 1
      union all
      select ${owner}, 'waiting' as resource, count(*) as count from project where ${isWaiting} group by 1
      union all
      select contributor, 'file_bytes' as resource, sum(bytes) as count
      from (
        select contributor, bytes from media_size join project on project.id = media_size.project
        union all select contributor, bytes from avatar_size
        ${join([empty, ...otherBytes()], ' ')}
      ) as stored group by contributor`,
  },
]);

/** Recounts everything: after a bulk load this is faster than counting row by row. */
export async function recountProjects(transaction: Transaction): Promise<void> {
  for (const { table, rows } of listStoredCounts()) {
    await execute(transaction)`delete from ${raw(table.name)}`;
    const columns = raw(Object.keys(table.columns).join(', '));
    await execute(transaction)`insert into ${raw(table.name)} (${columns}) ${rows}`;
  }
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

// How many projects, and bytes of files and avatars, each contributor stores: see ../changes/usage.ts for the quotas; and
// how many projects wait for a moderator.

type CountedProject = Pick<ProjectRow, 'contributor' | 'status' | 'trashed'>;

function adjustProjectUsage(
  { counts }: ChangeSet,
  before: CountedProject | undefined,
  after: CountedProject,
): void {
  const { contributor } = after;
  const add = (resource: string, isCounted: (project: CountedProject) => boolean) => {
    const count = (project: CountedProject | undefined) => (project && isCounted(project) ? 1 : 0);
    counts.add(contributorUsageTable, { contributor, resource }, count(after) - count(before));
  };
  add('projects', (project) => !isErased(project));
  add('waiting', ({ status }) => status === waiting);
}
