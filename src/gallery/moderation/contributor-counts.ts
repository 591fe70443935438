import sql from 'sql-template-tag';
import { integer } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { all, count } from '../../database/query.ts';
import { isNotInTrash, removed } from '../project-status.ts';
import { projectColumns } from '../projects/columns.ts';

/** Counts of a contributor's projects, comments and reports, for moderators. */
export interface ContributorCounts {
  readonly projects: number;
  readonly comments: number;
  readonly removed: number;
  readonly reports: number;
}

const columns = {
  comment: integer(sql`case when content_type = 'comment' then 1 else 0 end`),
  status: projectColumns.status,
  count: integer(sql`count(*)`),
};

export async function countContributions(reader: Reader, contributor: number): Promise<ContributorCounts> {
  const rows = await all(reader, columns)`from project
    where contributor = ${contributor} and ${isNotInTrash} group by 1, 2`;
  const sumWhere = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { count }) => total + count, 0);
  return {
    projects: sumWhere(({ comment }) => comment === 0),
    comments: sumWhere(({ comment }) => comment === 1),
    removed: sumWhere(({ status }) => status === removed),
    reports: await count(reader, sql`from report where contributor = ${contributor}`),
  };
}
