// Counts what happens in each week, by content type: projects and comments that are created, ratings, and views of
// pages. Counts of weeks are all that is kept: no person, no address, no project.

import sql from 'sql-template-tag';
import { all, execute, type Reader, type RowOf, type Transaction } from '#sql';
import type { StoredCountChanges } from '../../core/changes/transact.ts';
import type { ContentType } from '../../core/content-types.ts';
import type { Instant } from '../../core/instant.ts';
import { weeklyCountTable } from './tables.ts';

export const activities = ['created', 'rated', 'viewed'] as const;
export type Activity = (typeof activities)[number];

const dayUs = 86_400_000_000;
const weekUs = 7 * dayUs;

/** The number of a week, which begins on Monday in UTC. 1970 began on a Thursday. */
export const weekOf = (at: Instant): number => Math.floor((at / dayUs + 3) / 7);

/** The weeks that statistics show. */
export const shownWeeks = 26;

export const firstWeek = (now: Instant): number => weekOf(now) - shownWeeks + 1;

export const startOfWeek = (week: number): Instant => week * weekUs - 3 * dayUs;

export function countActivity(
  { at, counts }: { readonly at: Instant; readonly counts: StoredCountChanges },
  activity: Activity,
  content_type: ContentType,
  count = 1,
): void {
  counts.add(weeklyCountTable, { week: weekOf(at), activity, content_type }, count);
}

const weeklyCountColumns = {
  ...weeklyCountTable.columns,
  activity: weeklyCountTable.columns.activity.narrow<Activity>(),
  content_type: weeklyCountTable.columns.content_type.narrow<ContentType>(),
};

/** At most one row for each week, activity and type. */
export const loadWeeklyCounts = (reader: Reader, now: Instant) =>
  all(reader, weeklyCountColumns)`from weekly_count
    where week between ${firstWeek(now)} and ${weekOf(now)} order by week`;

const raise = sql`on conflict (week, activity, content_type) do update
  set count = case when excluded.count > weekly_count.count then excluded.count else weekly_count.count end`;

/** Raises a count to one that was made elsewhere. */
export const raiseWeeklyCount = (
  transaction: Transaction,
  { week, activity, content_type, count }: RowOf<typeof weeklyCountColumns>,
): Promise<void> =>
  execute(transaction)`insert into weekly_count (week, activity, content_type, count)
    values (${week}, ${activity}, ${content_type}, ${count}) ${raise}`;

/** Raises the counts to what there is: an import brings projects and ratings that were never counted here. */
export async function raiseWeeklyCounts(transaction: Transaction, at: Instant): Promise<void> {
  const start = startOfWeek(firstWeek(at));
  await execute(transaction)`insert into weekly_count (week, activity, content_type, count)
    select (created / ${dayUs} + 3) / 7, 'created', content_type, count(*) from project
    where created >= ${start} group by 1, 3 ${raise}`;
  await execute(transaction)`insert into weekly_count (week, activity, content_type, count)
    select (rating.created / ${dayUs} + 3) / 7, 'rated', content_type, count(*)
    from rating join project on project.id = rating.project where rating.created >= ${start}
    group by 1, 3 ${raise}`;
}
