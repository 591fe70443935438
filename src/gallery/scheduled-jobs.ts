// Work that only one of all processes on the database does at a time, and not again until some time has passed. A
// process that is killed loses its hold after some seconds.

import sql from 'sql-template-tag';
import { OperatorError } from '../common/errors.ts';
import type { Database, Reader, Transaction } from '../database/database.ts';
import { all, execute, executeAlone, first } from '../database/query.ts';
import { scheduledJobTable } from '../database/schema.ts';
import { type Instant, now } from './instant.ts';

const holdMs = 20_000;
const renewMs = 5_000;

/**
 * `confirm` throws if another process holds the job: call it before a step that must not be done twice. `release` lets
 * another process begin at once, before this one ends.
 */
type JobWork<Result> = (confirm: () => Promise<void>, release: () => Promise<void>) => Promise<Result>;

/** Returns why the work is not done now: another process does it, or it was finished less than `everyMs` ago. */
export async function runJob<Result>(
  database: Database,
  name: string,
  everyMs: number,
  work: JobWork<Result>,
): Promise<Result | 'running' | 'recent'> {
  const holder = crypto.randomUUID();
  const taken = await takeJob(database, name, holder, everyMs);
  if (taken !== 'taken') return taken;
  const confirm = () => database.transaction((transaction) => renewJob(transaction, name, holder));
  // A failure shows when the work confirms its hold.
  const timer = setInterval(() => void confirm().catch(() => {}), renewMs);
  let finished: Instant | undefined;
  try {
    const result = await work(confirm, () => releaseJob(database, name, holder));
    finished = now();
    return result;
  } finally {
    clearInterval(timer);
    await releaseJob(database, name, holder, finished);
  }
}

export const listFinishedJobs = (reader: Reader) =>
  all(reader, scheduledJobTable.columns)`from scheduled_job where finished > 0`;

/** Whether it is worth trying. */
export async function isJobDue(reader: Reader, name: string, everyMs: number): Promise<boolean> {
  const job = await findJob(reader, name);
  return !job || findObstacle(job, everyMs) === undefined;
}

const findJob = (reader: Reader, name: string, lock = sql``) =>
  first(reader, scheduledJobTable.columns)`from scheduled_job where name = ${name} ${lock}`;

function findObstacle({ finished, held_until }: { finished: Instant; held_until: Instant }, everyMs: number) {
  const at = now();
  if (held_until > at) return 'running';
  // After a clock that was ahead, the work is not put off.
  return finished <= at && finished + everyMs * 1000 > at ? 'recent' : undefined;
}

export function takeJob(
  database: Database,
  name: string,
  holder: string,
  everyMs: number,
  forMs = holdMs,
): Promise<'taken' | 'running' | 'recent'> {
  return database.transaction(async (transaction) => {
    await transaction.insertMissing(scheduledJobTable, [{ name, finished: 0, held_by: '', held_until: 0 }]);
    const job = await findJob(transaction, name, transaction.forUpdate);
    const obstacle = job && findObstacle(job, everyMs);
    if (obstacle) return obstacle;
    await execute(transaction)`update scheduled_job
      set held_by = ${holder}, held_until = ${now() + forMs * 1000} where name = ${name}`;
    return 'taken';
  });
}

/** Throws if another process holds the job; otherwise none takes it before the transaction ends. */
export async function renewJob(transaction: Transaction, name: string, holder: string, forMs = holdMs) {
  const job = await findJob(transaction, name, transaction.forUpdate);
  if (job?.held_by !== holder)
    throw new OperatorError('Another process has begun the same meanwhile, because this one was too slow.');
  const until = now() + forMs * 1000;
  await execute(transaction)`update scheduled_job set held_until = ${until} where name = ${name}`;
}

export function releaseJob(database: Database, name: string, holder: string, finished?: Instant) {
  const finish = finished === undefined ? sql`finished` : sql`${finished}`;
  return executeAlone(database)`update scheduled_job set finished = ${finish}, held_by = '', held_until = 0
    where name = ${name} and held_by = ${holder}`;
}
