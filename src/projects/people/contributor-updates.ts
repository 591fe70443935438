// Updates the projects of a contributor who was renamed or has left. There may be ten thousand, so they are updated in
// small transactions after that of the request. A job keeps what is left to do, also when the process is killed.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { runOutsideRequests } from '#common/request-lifetime.ts';
import { timeLimits } from '#common/time-limits.ts';
import { all, type Database, execute, exists, first, integer, pick, type Transaction } from '#sql';
import { allTables } from '../../core/all-tables.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import { doJobs, saveProgress, setJob } from '../../core/jobs/jobs.ts';
import { isPubliclyReadable } from '../../core/project-status.ts';
import { jobTable } from '../../core/server-tables.ts';
import { outlivesContributor } from '../hooks.ts';
import type { ProjectRow } from '../project.ts';
import { withdrawRatings } from '../ratings/rate.ts';
import { projectTable } from '../tables.ts';
import { isErasedSql } from '../visibility/visible-to.ts';
import { eraseProjects } from '../writing/erase.ts';
import { lockProjects, propagateName } from '../writing/store.ts';

/** Keep a leaving contributor's projects and comments under an anonymous name, or delete them. */
export type ContentChoice = 'keep' | 'delete';

const kind = 'contributor_update';
const isUpdateOf = (contributor: number) => sql`kind = ${kind} and contributor = ${contributor}`;

/** `content` is null if they were renamed. The projects up to the last one, by time and id, are done. */
interface Progress {
  readonly content: ContentChoice | null;
  readonly last_created: number;
  readonly last_id: number;
}

/** How many projects are updated at a time, as long as their texts are not longer than this together. */
const batchSize = 5;
const batchTextLength = 10_000;
/** A comment counts as much, because it may change its visibility together with its project. */
const commentLength = 10;

/**
 * Call it in the transaction that changes the contributor's row. `content` is null unless the contributor leaves. The
 * projects are not locked here: all other writes lock a project before its contributor.
 */
export function startUpdate(transaction: Transaction, contributor: number, content: ContentChoice | null) {
  const progress: Progress = { content, last_created: 0, last_id: 0 };
  return setJob(transaction, kind, { name: String(contributor), contributor, content: progress });
}

/** Runs a write that may have started an update, and waits for the rest of the update, but not for too long. */
export async function updateAfter<Result>(
  database: Database,
  contributor: number,
  write: () => Promise<Result>,
): Promise<Result> {
  const result = await write();
  if (await exists(database, sql`from job where ${isUpdateOf(contributor)}`))
    // If it fails, it is tried again.
    await Promise.race([finishUpdates(database).catch(() => {}), Bun.sleep(timeLimits.update)]);
  return result;
}

const running = new WeakMap<Database, Promise<void>>();

/** Does what is left to do for all contributors. */
export function finishUpdates(database: Database): Promise<void> {
  // An update that was started meanwhile may be missed by a run that is about to end.
  const previous = running.get(database) ?? Promise.resolve();
  const run = previous.catch(() => {}).then(() => runOutsideRequests(() => updateAll(database)));
  running.set(database, run);
  return run;
}

async function updateAll(database: Database): Promise<void> {
  await doJobs(database, kind, async ({ name }) => {
    while (await transact(database, null, (write) => updateBatch(write, Number(name))));
    return 'done';
  });
}

/** Whether nothing is left to do for the contributor of a project. */
export const isUpToDateSql = sql`not exists (
  select 1 from job where kind = ${raw(`'${kind}'`)} and job.contributor = project.contributor
)`;

const batchColumns = {
  ...pick(projectTable.columns, 'id', 'created'),
  length: integer(
    sql`length(text) + ${raw(String(commentLength))} * (select count(*) from project reply where reply.root = project.id)`,
  ),
};

/**
 * Locks the projects first, as all writes do, and then the contributor's job. A name that is read after that is the
 * present one, or the writer who changes it now starts again from the first project. False if nothing is left.
 */
async function updateBatch(write: Write, contributor: number): Promise<boolean> {
  const { transaction, changeSet } = write;
  const findUpdate = (lock: Sql) =>
    first(transaction, jobTable.columns)`from job where ${isUpdateOf(contributor)} ${lock}`;
  const before = await findUpdate(sql``);
  if (!before) return false;
  const { last_created, last_id, content } = JSON.parse(before.content) as Progress;
  const candidates = await all(transaction, batchColumns)`from project
    where contributor = ${contributor} and (created, id) > (${last_created}, ${last_id})
    order by created, id limit ${batchSize}`;
  const batch = takeBatch(candidates);
  const last = batch.at(-1);
  const isInBatch = sql`project.id in (${join([0, ...batch.map(({ id }) => id)])})`;
  const rows = await lockProjects(transaction, sql`${isInBatch} and not ${isErasedSql}`);
  const now = await findUpdate(transaction.forUpdate);
  if (!now || now.content !== before.content) return true;
  if (last) {
    const deleted = rows.filter((row) => isDeleted(row, content));
    await eraseProjects(write, deleted);
    await propagateName(transaction, contributor, isInBatch, changeSet.at);
    if (deleted.length < rows.length)
      changeSet.add({ kind: 'contributor_name', action: 'propagated', subject: contributor });
    const progress: Progress = { content, last_created: last.created, last_id: last.id };
    await saveProgress(transaction, now, progress);
  }
  if (batch.length === candidates.length && batch.length < batchSize)
    await finishUpdate(write, contributor, content);
  return true;
}

function takeBatch<Candidate extends { readonly length: number }>(candidates: readonly Candidate[]) {
  let length = 0;
  return candidates.filter((candidate, index) => {
    length += candidate.length;
    return index === 0 || length <= batchTextLength;
  });
}

/** Nobody else could read private projects and drafts of a contributor who has left: they are deleted in any case. */
function isDeleted(project: ProjectRow, content: string | null): boolean {
  const { visibility, status } = project;
  if (content === null || outlivesContributor(project)) return false;
  return content === 'delete' || visibility === 'private' || !isPubliclyReadable(status);
}

/** The ratings go last, some at a time too. */
async function finishUpdate(write: Write, contributor: number, content: string | null): Promise<void> {
  const { transaction } = write;
  if (content === 'delete') {
    await withdrawRatings(write, contributor, batchSize);
    if (await exists(transaction, sql`from rating where contributor = ${contributor}`)) return;
    for (const { name, deletedWithContent = [] } of allTables())
      for (const column of deletedWithContent)
        await execute(transaction)`delete from ${raw(name)} where ${raw(column)} = ${contributor}`;
  }
  await execute(transaction)`delete from job where ${isUpdateOf(contributor)}`;
}
