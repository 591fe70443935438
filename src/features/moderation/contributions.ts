// Counts and lists of a contributor's projects and comments in any state but the trash, for moderators.

import sql, { type Sql } from 'sql-template-tag';
import { all, count, type Database, integer, type Reader } from '#sql';
import { accountPath } from '../../core/pages/layout/components.tsx';
import { hasStatus, removed } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { projectColumns, shownColumns } from '../../projects/project.ts';
import { readableBy } from '../../projects/visibility/visible-to.ts';

const conditions = {
  projects: sql`content_type <> 'comment'`,
  comments: sql`content_type = 'comment'`,
  removed: hasStatus([removed]),
} satisfies Record<string, Sql>;

export type ContributionKind = keyof typeof conditions;

/** The list of a person's projects or comments, private and removed ones too, for moderators. */
export const contributionsPath = (username: string, kind: ContributionKind) =>
  `${accountPath(username)}&show=${kind}`;

export const isContributionKind = (name: string): name is ContributionKind => Object.hasOwn(conditions, name);

/** The number of reports is that of the reports that the contributor has made. */
export type ContributorCounts = Readonly<Record<ContributionKind | 'reports', number>>;

const countedColumns = {
  comment: integer(sql`case when content_type = 'comment' then 1 else 0 end`),
  status: projectColumns.status,
  count: integer(sql`count(*)`),
};

export async function countContributions(
  reader: Reader,
  viewer: Viewer,
  contributor: number,
): Promise<ContributorCounts> {
  const rows = await all(reader, countedColumns)`from project
    where contributor = ${contributor} and ${readableBy(viewer)} group by 1, 2`;
  const sumWhere = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, row) => total + row.count, 0);
  return {
    projects: sumWhere(({ comment }) => comment === 0),
    comments: sumWhere(({ comment }) => comment === 1),
    removed: sumWhere(({ status }) => status === removed),
    reports: await count(reader, sql`from report where contributor = ${contributor}`),
  };
}

export function listContributions(
  { slowReader }: Pick<Database, 'slowReader'>,
  viewer: Viewer,
  contributor: number,
  kind: ContributionKind,
) {
  const condition = sql`contributor = ${contributor} and ${conditions[kind]} and ${readableBy(viewer)}`;
  return {
    count: () => count(slowReader, sql`from project where ${condition}`),
    page: (offset: number, size: number) =>
      all(slowReader, shownColumns)`from project where ${condition}
        order by created desc, id desc limit ${size} offset ${offset}`,
  };
}
