// How many projects, and bytes of files and avatars, each contributor stores: see ../changes/usage.ts for the quotas.

import sql from 'sql-template-tag';
import { contributorUsageTable } from '../../../database/schema.ts';
import type { ChangeSet } from '../../changes/transact.ts';
import type { ProjectRow } from '../columns.ts';
import { isErased, isErasedSql } from '../visibility.ts';

type CountedProject = Pick<ProjectRow, 'contributor' | 'status' | 'trashed'>;

export function adjustProjectUsage(
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
