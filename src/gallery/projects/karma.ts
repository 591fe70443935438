// Karma that a project earns from ratings, copies and comments of others.

import sql, { raw } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import type { ChangeSet } from '../changes/transact.ts';
import type { ProjectRow } from './project-row.ts';

const points = { copy: 3, comment: 1 } as const;

/** The figures from a project's ratings, as they should be stored. */
export const ratingCountSql = sql`(select count(*) from rating where rating.project = project.id)`;
export const ratingSumSql = sql`(select cast(coalesce(sum(value), 0) as bigint) from rating where rating.project = project.id)`;

const isPublicByOthers = raw(
  "c.contributor <> project.contributor and c.visibility = 'public' and c.status in (1, 2)",
);

/** The karma that a project has earned here, as it should be stored. */
export const earnedSql = sql`(${ratingSumSql}
  + ${raw(String(points.copy))} * (select count(*) from project c where c.copied_from = project.id and ${isPublicByOthers})
  + ${raw(String(points.comment))} * (
      select count(*) from project c where c.parent = project.id and c.content_type = 'comment' and ${isPublicByOthers}))`;

interface Credit {
  readonly to: number;
  readonly points: number;
}

/** The karma that a project gives to others: only public projects count. */
function computeCredits(project: ProjectRow | undefined): Credit[] {
  if (project?.visibility !== 'public' || (project.status !== 1 && project.status !== 2)) return [];
  const { copied_from, content_type, parent } = project;
  return [
    ...(copied_from === null ? [] : [{ to: copied_from, points: points.copy }]),
    ...(content_type === 'comment' && parent !== null ? [{ to: parent, points: points.comment }] : []),
  ];
}

export async function adjustKarma(
  transaction: Transaction,
  changeSet: ChangeSet,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  const pointsByProject = new Map<number, number>();
  for (const credit of computeCredits(before))
    pointsByProject.set(credit.to, (pointsByProject.get(credit.to) ?? 0) - credit.points);
  for (const credit of computeCredits(after))
    pointsByProject.set(credit.to, (pointsByProject.get(credit.to) ?? 0) + credit.points);
  for (const [id, earned] of pointsByProject) {
    if (earned !== 0) await creditProject(transaction, changeSet, id, after.contributor, earned);
  }
}

/** Nobody earns karma from their own projects, and erased ones earn none. */
async function creditProject(
  transaction: Transaction,
  changeSet: ChangeSet,
  id: number,
  creditor: number,
  points: number,
): Promise<void> {
  const project = await transaction.first<Pick<ProjectRow, 'contributor' | 'visibility' | 'status' | 'veil'>>(
    sql`update project set earned = earned + ${points},
          karma = case when opening_karma + earned + ${points} > 0 then opening_karma + earned + ${points} else 0 end,
          touched = case when touched < ${changeSet.at} then ${changeSet.at} else touched + 1 end
        where id = ${id} and contributor <> ${creditor} returning contributor, visibility, status, veil`,
  );
  if (!project) return;
  const listed = project.visibility === 'public' && project.status === 1 && project.veil === 0;
  changeSet.add({ action: 'credited', kind: 'project', subject: id, owner: project.contributor, listed });
}
