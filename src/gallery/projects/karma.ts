// What a project is credited with for what others made of it, kept as they make it and take it away.

import sql, { raw } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import type { ChangeSet } from '../changes/transact.ts';
import type { Stored } from './stored.ts';

const worth = { copy: 3, comment: 1 } as const;

/** What a row's ratings make, as it should be stored. */
export const ratingCount = sql`(select count(*) from rating where rating.project = project.id)`;
export const ratingSum = sql`(select cast(coalesce(sum(value), 0) as bigint) from rating where rating.project = project.id)`;

const byAnother = raw(
  "c.contributor <> project.contributor and c.visibility = 'public' and c.status in (1, 2)",
);

/** What a row has earned here, as it should be stored. */
export const earned = sql`(${ratingSum}
  + ${raw(String(worth.copy))} * (select count(*) from project c where c.copied_from = project.id and ${byAnother})
  + ${raw(String(worth.comment))} * (
      select count(*) from project c where c.parent = project.id and c.content_type = 'comment' and ${byAnother}))`;

interface Credit {
  readonly to: number;
  readonly points: number;
}

/** What a project is worth to others: only what is public counts. */
function creditsOf(project: Stored | undefined): Credit[] {
  if (project?.visibility !== 'public' || (project.status !== 1 && project.status !== 2)) return [];
  const { copied_from, content_type, parent } = project;
  return [
    ...(copied_from === null ? [] : [{ to: copied_from, points: worth.copy }]),
    ...(content_type === 'comment' && parent !== null ? [{ to: parent, points: worth.comment }] : []),
  ];
}

export async function adjustKarma(
  transaction: Transaction,
  changeSet: ChangeSet,
  before: Stored | undefined,
  after: Stored,
): Promise<void> {
  const points = new Map<number, number>();
  for (const credit of creditsOf(before)) points.set(credit.to, (points.get(credit.to) ?? 0) - credit.points);
  for (const credit of creditsOf(after)) points.set(credit.to, (points.get(credit.to) ?? 0) + credit.points);
  for (const [id, earned] of points) {
    if (earned !== 0) await credit(transaction, changeSet, id, after.contributor, earned);
  }
}

/** Nobody earns from themselves; what is gone earns nothing. */
async function credit(
  transaction: Transaction,
  changeSet: ChangeSet,
  id: number,
  from: number,
  points: number,
): Promise<void> {
  const credited = await transaction.first<Pick<Stored, 'contributor' | 'visibility' | 'status' | 'veil'>>(
    sql`update project set earned = earned + ${points},
          karma = case when opening_karma + earned + ${points} > 0 then opening_karma + earned + ${points} else 0 end,
          touched = case when touched < ${changeSet.at} then ${changeSet.at} else touched + 1 end
        where id = ${id} and contributor <> ${from} returning contributor, visibility, status, veil`,
  );
  if (!credited) return;
  const listed = credited.visibility === 'public' && credited.status === 1 && credited.veil === 0;
  changeSet.add({ action: 'credited', kind: 'project', subject: id, owner: credited.contributor, listed });
}
