// Bounds the history of a project: each version holds the whole text. Entries of the change log stay, without their record.

import sql, { join } from 'sql-template-tag';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { all, type Database, execute, pick, type RowOf, type Transaction } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';
import { chunks } from '../../core/chunks.ts';
import { addDays, type Instant, microsecondsPerSecond, now } from '../../core/instant.ts';
import { addJobs, doJobs } from '../../core/jobs/jobs.ts';
import { findKeptVersions } from '../hooks.ts';

export const maxVersions = 200;
/** The texts of more versions would take too long to overwrite at once. */
const maxDropped = 5;

const hour = 3600 * microsecondsPerSecond;

const columns = pick(changeTable.columns, 'sequence', 'at');
type StoredVersion = RowOf<typeof columns>;

const isVersion = sql`kind = 'project' and record <> ''`;

/**
 * The versions to drop, of those in order: after a day one an hour is kept, after thirty days one a day, and always the
 * first and the last, and what a feature needs.
 */
export function findSurplusVersions(
  versions: readonly StoredVersion[],
  at: Instant,
  kept: ReadonlySet<number> = new Set(),
): number[] {
  let lastKept = versions[0]?.at ?? 0;
  return versions.slice(1, -1).flatMap((version) => {
    if (kept.has(version.sequence)) return [];
    const interval = version.at > addDays(at, -1) ? 0 : version.at > addDays(at, -30) ? hour : 24 * hour;
    if (version.at - lastKept < interval) return [version.sequence];
    lastKept = version.at;
    return [];
  });
}

/** Call it for each new version. If there are too many, those that followed soonest after another one are dropped. */
export async function limitVersions(transaction: Transaction, project: number): Promise<void> {
  const versions = await all(transaction, columns)`from change
    where ${isVersion} and subject = ${project} order by sequence limit ${maxVersions + maxDropped}`;
  if (versions.length > 0)
    await addJobs(transaction, 'surplus_versions', sql`select ${String(project)} as name`, addDays(now(), 1));
  // The new version is not stored yet.
  const surplus = versions.length + 1 - maxVersions;
  if (surplus <= 0) return;
  const kept = await findKeptVersions(transaction, project);
  const gaps = versions
    .slice(1)
    .map(({ sequence, at }, index) => ({ sequence, gap: at - (versions[index]?.at ?? 0) }));
  const closest = gaps
    .filter(({ sequence }) => !kept.has(sequence))
    .sort((one, other) => one.gap - other.gap || one.sequence - other.sequence);
  await dropVersions(
    transaction,
    closest.slice(0, Math.min(surplus, maxDropped)).map(({ sequence }) => sequence),
  );
}

async function dropVersions(transaction: Transaction, sequences: readonly number[]): Promise<void> {
  await execute(transaction)`update change set record = '' where sequence in (${join([...sequences])})`;
}

/** Projects that got versions with an import, after the change `before`. */
export const expectSurplusVersions = (transaction: Transaction, before: number): Promise<void> =>
  addJobs(
    transaction,
    'surplus_versions',
    sql`select distinct cast(subject as text) as name from change as version
      where ${isVersion} and sequence > ${before} and exists (
        select 1 from change as earlier where earlier.kind = 'project' and earlier.subject = version.subject
          and earlier.sequence < version.sequence)`,
  );

export const thinHistories = (database: Database) =>
  doJobs(database, 'surplus_versions', ({ name }) => thinHistory(database, Number(name)), { maxJobs: 1000 });

/** Drops the surplus versions of a project. Returns when the next ones may be due. */
async function thinHistory(database: Database, project: number): Promise<Instant | 'done'> {
  const versions = await all(database.slowReader, columns)`from change
    where ${isVersion} and subject = ${project} order by sequence`;
  const kept = await findKeptVersions(database, project);
  for (const sequences of chunks(findSurplusVersions(versions, now(), kept), maxDropped)) {
    await database.transaction((transaction) => dropVersions(transaction, sequences));
    await nextEventLoopTurn();
  }
  const ages = versions.slice(1, -1).flatMap(({ at }) => [addDays(at, 1), addDays(at, 30)]);
  // Features may let go of what they need.
  const stays = kept.size > 0 ? [addDays(now(), 30)] : [];
  const next = Math.min(...ages.filter((due) => due > now()), ...stays);
  return Number.isFinite(next) ? next : 'done';
}
