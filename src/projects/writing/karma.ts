// Karma that a project earns from ratings, copies and comments of others.

import sql, { raw, type Sql } from 'sql-template-tag';
import { executeReturning, exists, pick } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import { type ProjectRow, projectColumns } from '../project.ts';
import { isListed, isPublic, isPublicSql } from '../visibility/visible-to.ts';
import { nextVersionSql } from './version.ts';

const pointsFor = { copy: 3, comment: 1 } as const;

export const ratingPoints = (value: number): number => Math.max(0, value - 3);

/** No figure is above it: clients would read another number. */
export const maxFigure = Number.MAX_SAFE_INTEGER;
const maxFigureSql = raw(String(maxFigure));

/** The value, or the largest figure. The value is computed once. */
export function atMostMaxFigureSql(value: Sql): Sql {
  return sql`(select case when figure.value > ${maxFigureSql} then ${maxFigureSql} else figure.value end
    from (select ${value} as value) as figure)`;
}

/** How many ratings a project has, and their sum, without its opening figures. */
export const ratingCountSql = sql`(select count(*) from rating where rating.project = project.id)`;
export const ratingSumSql = sql`(select cast(coalesce(sum(value), 0) as bigint) from rating where rating.project = project.id)`;

/** The karma from a project's ratings: see `ratingPoints`. */
export const ratingPointsSql = sql`(select cast(coalesce(sum(value - 3), 0) as bigint) from rating
  where rating.project = project.id and value > 3)`;

/** The figures from a project's ratings, as they should be stored. */
export const totalRatingCountSql = atMostMaxFigureSql(sql`opening_rating_count + ${ratingCountSql}`);
export const totalRatingSumSql = atMostMaxFigureSql(sql`opening_rating_sum + ${ratingSumSql}`);

const isPublicByOthers = sql`other.contributor <> project.contributor and ${isPublicSql('other')}`;

/** The karma that a project has earned here, as it should be stored. */
export const earnedSql = sql`(${ratingPointsSql}
  + ${raw(String(pointsFor.copy))} * (select count(*) from project other where other.copied_from = project.id and ${isPublicByOthers})
  + ${raw(String(pointsFor.comment))} * (
      select count(distinct other.contributor) from project other
      where other.parent = project.id and other.content_type = 'comment' and ${isPublicByOthers}))`;

/** Karma is never below zero or above the largest figure, although the sum that it is computed from may be. */
export function computeKarma({
  opening_karma,
  earned_karma,
}: Pick<ProjectRow, 'opening_karma' | 'earned_karma'>): number {
  return Math.min(maxFigure, Math.max(0, opening_karma + earned_karma));
}

/** The same in SQL; `earned` is the column or its new value. */
export function karmaSql(earned: Sql = raw('earned_karma')): Sql {
  return sql`case when opening_karma + ${earned} > ${maxFigureSql} then ${maxFigureSql}
    when opening_karma + ${earned} > 0 then opening_karma + ${earned} else 0 end`;
}

interface Credit {
  readonly to: number;
  readonly points: number;
}

/** The karma that a project gives to others: only public projects count. */
function computeCredits(project: ProjectRow | undefined): Credit[] {
  if (!project || !isPublic(project)) return [];
  const { copied_from, content_type, parent } = project;
  return [
    ...(copied_from === null ? [] : [{ to: copied_from, points: pointsFor.copy }]),
    ...(content_type === 'comment' && parent !== null ? [{ to: parent, points: pointsFor.comment }] : []),
  ];
}

export async function adjustKarma(write: Write, before: ProjectRow | undefined, after: ProjectRow) {
  const pointsByProject = new Map<number, number>();
  for (const credit of computeCredits(before))
    pointsByProject.set(credit.to, (pointsByProject.get(credit.to) ?? 0) - credit.points);
  for (const credit of computeCredits(after))
    pointsByProject.set(credit.to, (pointsByProject.get(credit.to) ?? 0) + credit.points);
  for (const [id, earned] of pointsByProject) {
    if (earned === 0 || (id === after.parent && (await hasAnotherComment(write, after)))) continue;
    await creditProject(write, id, after.contributor, earned);
  }
}

/** However many comments a person writes on a project, it earns from one. Who writes a comment has locked its thread. */
const hasAnotherComment = (
  { transaction }: Write,
  { id, parent, contributor }: ProjectRow,
): Promise<boolean> =>
  exists(
    transaction,
    sql`from project as other where other.parent = ${parent} and other.contributor = ${contributor}
      and other.id <> ${id} and other.content_type = 'comment' and ${isPublicSql('other')}`,
  );

const creditedColumns = pick(projectColumns, 'contributor', 'visibility', 'status', 'thread_visibility');

/** Nobody earns karma from their own projects, and erased ones earn none. */
async function creditProject({ transaction, changeSet }: Write, id: number, giver: number, points: number) {
  const project = await executeReturning(transaction, creditedColumns)`update project
    set earned_karma = earned_karma + ${points},
      karma = ${karmaSql(sql`earned_karma + ${points}`)}, record_modified = ${nextVersionSql(changeSet.at)}
    where id = ${id} and contributor <> ${giver}`;
  if (!project) return;
  changeSet.add({
    action: 'credited',
    kind: 'project',
    subject: id,
    owner: project.contributor,
    listed: isListed(project),
  });
}
