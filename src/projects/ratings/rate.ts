// Ratings. A rating and the figures that follow from it change together.

import sql from 'sql-template-tag';
import { execute, first, integer, type Reader, type RowOf, type Transaction } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { afterFirstRating } from '../hooks.ts';
import { type Project, type ProjectRow, toProject } from '../project.ts';
import { ratingTable } from '../tables.ts';
import { isListed, type ProjectAddress } from '../visibility/visible-to.ts';
import { lockReadableProject, requireKeepable } from '../writing/changeable.ts';
import {
  computeKarma,
  maxFigure,
  ratingPoints,
  totalRatingCountSql,
  totalRatingSumSql,
} from '../writing/karma.ts';
import { lockContributorNames, lockProjects } from '../writing/store.ts';
import { nextVersion } from '../writing/version.ts';

/** One rating for each contributor and project; undefined withdraws it. */
export async function rateProject(
  write: WriteContext,
  address: ProjectAddress,
  value: number | undefined,
): Promise<Project> {
  const { transaction, viewer } = write;
  const before = await lockReadableProject(write, address);
  authorize(viewer, 'rateProject', before.contributor);
  if (value !== undefined) requireKeepable(before);
  const [after, names] = await Promise.all([
    setRating(write, requireSignedIn(viewer), before, value),
    lockContributorNames(transaction, before.contributor),
  ]);
  return toProject(after, names);
}

/** Withdraws some of a contributor's ratings. */
export async function withdrawRatings(write: Write, contributor: number, limit: number): Promise<void> {
  const projects = await lockProjects(
    write.transaction,
    sql`id in (select project from rating where contributor = ${contributor} order by project limit ${limit})`,
  );
  for (const project of projects) await setRating(write, contributor, project, undefined);
}

async function setRating(
  write: Write,
  contributor: number,
  before: ProjectRow,
  value: number | undefined,
): Promise<ProjectRow> {
  const { transaction, changeSet } = write;
  const isOwn = sql`project = ${before.id} and contributor = ${contributor}`;
  const previous = await first(transaction, ratingTable.columns)`from rating where ${isOwn}`;
  if (previous?.value === value) return before;
  if (value === undefined) await execute(transaction)`delete from rating where ${isOwn}`;
  else
    await execute(transaction)`insert into rating (project, contributor, value, created, modified)
      values (${before.id}, ${contributor}, ${value}, ${changeSet.at}, ${changeSet.at})
      on conflict (project, contributor) do update set value = excluded.value, modified = excluded.modified`;
  if (!previous) afterFirstRating(write, before);
  const sumChange = (value ?? 0) - (previous?.value ?? 0);
  const countChange = (value === undefined ? 0 : 1) - (previous ? 1 : 0);
  const earned_karma = before.earned_karma + ratingPoints(value ?? 0) - ratingPoints(previous?.value ?? 0);
  const after: ProjectRow = {
    ...before,
    ...(isNearMaxFigure(before)
      ? await loadFigures(transaction, before.id)
      : { rating_count: before.rating_count + countChange, rating_sum: before.rating_sum + sumChange }),
    earned_karma,
    karma: computeKarma({ ...before, earned_karma }),
    record_modified: nextVersion(before, changeSet.at),
  };
  await execute(transaction)`update project
    set rating_count = ${after.rating_count}, rating_sum = ${after.rating_sum},
      earned_karma = ${after.earned_karma}, karma = ${after.karma}, record_modified = ${after.record_modified} where id = ${after.id}`;
  const action = value === undefined ? 'withdrawn' : 'rated';
  const listed = isListed(before);
  changeSet.add({ action, kind: 'rating', subject: after.id, owner: after.contributor, listed });
  if (!previous)
    changeSet.notify('rating', after.id, {
      contributor: after.contributor,
      kind: 'rated',
      actor: contributor,
    });
  return after;
}

/** A figure that has reached its maximum does not say how much is beyond it. */
const isNearMaxFigure = ({ rating_count, rating_sum }: ProjectRow): boolean =>
  Math.max(rating_count, rating_sum) > maxFigure - ratingRange.max;

const figureColumns = { rating_count: integer(totalRatingCountSql), rating_sum: integer(totalRatingSumSql) };

async function loadFigures(transaction: Transaction, id: number): Promise<RowOf<typeof figureColumns>> {
  const figures = await first(transaction, figureColumns)`from project where id = ${id}`;
  if (!figures) throw new Error(`the project ${id} is locked but does not exist`);
  return figures;
}

export const ratingRange = { min: 1, max: 5 } as const;

export async function findOwnRating(reader: Reader, viewer: Viewer, project: number) {
  const rating = await first(reader, ratingTable.columns)`from rating
    where project = ${project} and contributor = ${viewer.contributor}`;
  return rating?.value;
}
