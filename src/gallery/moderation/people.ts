import sql from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';

/** What there is of somebody's, for moderators. */
export interface Counts {
  readonly projects: number;
  readonly comments: number;
  readonly removed: number;
  readonly reports: number;
}

export async function countsOf(reads: Reads, contributor: number): Promise<Counts> {
  const made = await reads.all<{ comment: number; status: number; count: number }>(
    sql`select case when content_type = 'comment' then 1 else 0 end as comment, status, count(*) as count
        from project where contributor = ${contributor} and status <> 4 group by 1, 2`,
  );
  const told = await reads.first<{ count: number }>(
    sql`select count(*) as count from report where contributor = ${contributor}`,
  );
  const sum = (which: (row: (typeof made)[number]) => boolean) =>
    made.filter(which).reduce((total, { count }) => total + count, 0);
  return {
    projects: sum(({ comment }) => comment === 0),
    comments: sum(({ comment }) => comment === 1),
    removed: sum(({ status }) => status === 3),
    reports: told?.count ?? 0,
  };
}
