// What people think of projects. A rating, and the figures that it makes, change together.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import type { ChangeSet } from '../changes/transact.ts';
import { authorize } from '../permissions.ts';
import { next, seen, shown, signedIn, type WriteContext } from '../projects/change.ts';
import type { Project } from '../projects/project.ts';
import { locked, personOf } from '../projects/store.ts';
import { isListed, type Stored } from '../projects/stored.ts';

/** One rating for each contributor and project; `value` undefined withdraws it. */
export async function rate(write: WriteContext, id: number, value: number | undefined): Promise<Project> {
  const { transaction, changeSet, viewer } = write;
  const before = await seen(write, id);
  authorize(viewer, 'rateProject', before.contributor);
  const after = await settle(transaction, changeSet, signedIn(viewer), before, value);
  const person = await personOf(transaction, before.contributor);
  return shown(after, person);
}

/** All that somebody gave. */
export async function withdrawRatings(
  transaction: Transaction,
  changeSet: ChangeSet,
  contributor: number,
): Promise<void> {
  const rated = await locked(
    transaction,
    sql`id in (select project from rating where contributor = ${contributor})`,
  );
  for (const project of rated) await settle(transaction, changeSet, contributor, project, undefined);
}

async function settle(
  transaction: Transaction,
  changeSet: ChangeSet,
  contributor: number,
  before: Stored,
  value: number | undefined,
): Promise<Stored> {
  const own = sql`project = ${before.id} and contributor = ${contributor}`;
  const earlier = await transaction.first<{ value: number }>(sql`select value from rating where ${own}`);
  if (earlier?.value === value) return before;
  if (value === undefined) await transaction.run(sql`delete from rating where ${own}`);
  else
    await transaction.run(
      sql`insert into rating (project, contributor, value, created, modified)
          values (${before.id}, ${contributor}, ${value}, ${changeSet.at}, ${changeSet.at})
          on conflict (project, contributor) do update set value = excluded.value, modified = excluded.modified`,
    );
  const count = (value === undefined ? 0 : 1) - (earlier ? 1 : 0);
  const sum = (value ?? 0) - (earlier?.value ?? 0);
  const after: Stored = {
    ...before,
    ...{ rating_count: before.rating_count + count, rating_sum: before.rating_sum + sum },
    ...{ earned: before.earned + sum, karma: Math.max(0, before.opening_karma + before.earned + sum) },
    touched: next(before, changeSet),
  };
  await transaction.run(
    sql`update project set rating_count = ${after.rating_count}, rating_sum = ${after.rating_sum},
          earned = ${after.earned}, karma = ${after.karma}, touched = ${after.touched} where id = ${after.id}`,
  );
  const action = value === undefined ? 'withdrawn' : 'rated';
  const listed = isListed(before);
  changeSet.add({ action, kind: 'rating', subject: after.id, owner: after.contributor, listed });
  return after;
}
