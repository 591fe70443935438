import sql from 'sql-template-tag';
import type { Reader } from '../../database/open.ts';
import { isNotInTrash, removed } from '../projects/status.ts';

/** Counts of a contributor's projects, comments and reports, for moderators. */
export interface ContributorCounts {
  readonly projects: number;
  readonly comments: number;
  readonly removed: number;
  readonly reports: number;
}

export async function countContributions(reader: Reader, contributor: number): Promise<ContributorCounts> {
  const rows = await reader.all<{ comment: number; status: number; count: number }>(
    sql`select case when content_type = 'comment' then 1 else 0 end as comment, status, count(*) as count
        from project where contributor = ${contributor} and ${isNotInTrash} group by 1, 2`,
  );
  const reported = await reader.first<{ count: number }>(
    sql`select count(*) as count from report where contributor = ${contributor}`,
  );
  const sumWhere = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { count }) => total + count, 0);
  return {
    projects: sumWhere(({ comment }) => comment === 0),
    comments: sumWhere(({ comment }) => comment === 1),
    removed: sumWhere(({ status }) => status === removed),
    reports: reported?.count ?? 0,
  };
}
