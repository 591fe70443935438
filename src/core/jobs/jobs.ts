// Work that waits in the table `job`: what one process takes is done by no other, is tried again later and later after a
// failure, and goes on elsewhere when the process is killed. See docs/decisions/0096-one-table-of-jobs.md.

import sql, { type Sql } from 'sql-template-tag';
import { OperatorError } from '#common/errors.ts';
import {
  all,
  count,
  type Database,
  execute,
  executeAlone,
  executeReturning,
  exists,
  first,
  type Reader,
  type Row,
  type Transaction,
} from '#sql';
import { once } from '../feature.ts';
import type { FileStore } from '../files/store.ts';
import { type Instant, microsecondsPerSecond, now } from '../instant.ts';
import { jobTable } from '../server-tables.ts';

const minute = 60;
const hour = 60 * minute;
const usualHold = 5 * minute;

interface Retry {
  /** Seconds. */
  readonly first: number;
  readonly factor: number;
  readonly max: number;
}

export const usualRetry: Retry = { first: minute, factor: 2, max: hour };
/** Half of it is time enough for a server that takes mails. */
export const mailRetry: Retry = { ...usualRetry, first: 2 * minute };

export interface Gallery {
  readonly database: Database;
  readonly files: FileStore;
}

interface JobKind {
  readonly retry?: Retry;
  /** How long a process holds a job, in seconds, unless it renews its hold. */
  readonly hold?: number;
  /** A job that fails for so many seconds is given up. */
  readonly maxAge?: number;
  /** Does the jobs that are due. */
  doDue?(gallery: Gallery): Promise<unknown>;
}

declare module '../feature.ts' {
  interface Feature {
    /** Kinds of jobs, which are done before the gallery's own. */
    readonly jobs?: Partial<Readonly<Record<JobKindName, JobKind>>>;
  }
}

/** The kinds of jobs that are done once. Features add theirs. */
export interface JobKinds {
  /** The name is its id. */
  mail: true;
  /** The name is the hash of a file that may have no reference. */
  unused_file: true;
}
export type JobKindName = keyof JobKinds;

const ownKinds: Partial<Record<JobKindName, JobKind>> = {
  mail: { retry: mailRetry, hold: 2 * minute, maxAge: 72 * hour },
  unused_file: {},
};

export const jobKinds = once(
  (features): Readonly<Record<JobKindName, JobKind>> =>
    Object.assign({}, ...features.map(({ jobs }) => jobs), ownKinds),
);

export type Job = Row<typeof jobTable>;

/** Seconds until the next try, after so many that have failed. */
export const chooseRetryDelay = ({ first, factor, max }: Retry, failures: number): number =>
  Math.min(max, first * factor ** (failures - 1));

const later = (at: Instant, seconds: number): Instant => at + seconds * microsecondsPerSecond;

interface NewJob extends Pick<Job, 'name'> {
  readonly due?: Instant;
  readonly content?: object;
  readonly contributor?: number | null;
  /** Those with a lower one come first. */
  readonly priority?: number;
}

const noHold = { attempts: 0, held_by: '', held_until: 0, finished: 0 } as const;

/** Replaces a job of the same name. */
export function setJob(transaction: Transaction, kind: JobKindName, job: NewJob): Promise<void> {
  const created = now();
  const { content = {}, ...given } = job;
  const row = { kind, contributor: null, priority: 0, created, due: created, ...noHold, ...given };
  return transaction.upsert(jobTable, [{ ...row, content: JSON.stringify(content) }]);
}

/** Adds a job for each `name` that the query selects, and moves one that is there already to the earlier time. */
export async function addJobs(
  transaction: Transaction,
  kind: JobKindName,
  names: Sql,
  due: Instant = now(),
): Promise<void> {
  await execute(transaction)`insert into job
      (kind, name, contributor, priority, content, created, due, attempts, held_by, held_until, finished)
    select ${kind}, named.name, null, 0, '', ${due}, ${due}, 0, '', 0, 0 from (${names}) as named
    where true order by named.name
    on conflict (kind, name) do update set due = excluded.due where job.due > excluded.due`;
}

const isNamed = ({ kind, name }: Pick<Job, 'kind' | 'name'>) => sql`kind = ${kind} and name = ${name}`;
const isHeld = (job: Pick<Job, 'kind' | 'name' | 'held_by'>) =>
  sql`${isNamed(job)} and held_by = ${job.held_by}`;

/** Takes a job that is due, until its next try. If it is added again meanwhile, it is due again. */
async function takeNextJob(database: Database, kind: JobKindName): Promise<Job | undefined> {
  const isDue = () => sql`from job where kind = ${kind} and due <= ${now()} and held_until <= ${now()}`;
  if (!(await exists(database, isDue()))) return undefined;
  const { retry = usualRetry, hold = usualHold } = jobKinds()[kind];
  return database.transaction(async (transaction) => {
    const job = await first(transaction, jobTable.columns)`${isDue()}
      order by priority, due limit 1 ${transaction.forUpdateSkipLocked}`;
    if (!job) return undefined;
    const [at, attempts] = [now(), job.attempts + 1];
    return executeReturning(transaction, jobTable.columns)`update job
      set attempts = ${attempts}, due = ${later(at, chooseRetryDelay(retry, attempts))},
        held_by = ${crypto.randomUUID()}, held_until = ${later(at, hold)}
      where ${isNamed(job)}`;
  });
}

/** The work is done, or goes on at a later time. If it has failed, it is tried again. */
type JobResult = 'done' | 'failed' | 'given up' | Instant;

export const isTooOld = ({ created }: Job, kind: JobKindName): boolean => {
  const { maxAge } = jobKinds()[kind];
  return maxAge !== undefined && created <= now() - later(0, maxAge);
};

/** Nothing happens if another process holds the job by now. */
async function settleJob(database: Database, job: Job, result: JobResult): Promise<void> {
  const isSame = sql`${isHeld(job)} and due = ${job.due}`;
  await database.transaction(async (transaction) => {
    if (result === 'done' || result === 'given up')
      await execute(transaction)`delete from job where ${isSame}`;
    else if (typeof result === 'number')
      await execute(transaction)`update job set due = ${result}, attempts = 0 where ${isSame}`;
    await execute(transaction)`update job set held_by = '', held_until = 0 where ${isHeld(job)}`;
  });
}

/** Of a job that takes long. It also renews the hold. */
export async function saveProgress(transaction: Transaction, job: Job, content: object): Promise<void> {
  const until = later(now(), jobKinds()[job.kind as JobKindName].hold ?? usualHold);
  await execute(transaction)`update job set content = ${JSON.stringify(content)},
      held_until = case when held_by = '' then 0 else ${until} end where ${isNamed(job)}`;
}

interface DoingOptions {
  /** Ends when so many were tried. */
  readonly maxJobs?: number;
  readonly atATime?: number;
  readonly isStopped?: () => boolean;
}

/** Does the jobs of a kind that are due. An error ends it, and the job is tried again. Returns how many were tried. */
export async function doJobs(
  database: Database,
  kind: JobKindName,
  work: (job: Job) => Promise<JobResult>,
  { maxJobs = Number.POSITIVE_INFINITY, atATime = 1, isStopped = () => false }: DoingOptions = {},
): Promise<number> {
  let tried = 0;
  let hasFailed = false;
  const run = async () => {
    while (tried < maxJobs && !hasFailed && !isStopped()) {
      tried++;
      const job = await takeNextJob(database, kind);
      if (!job) {
        tried--;
        return;
      }
      let result: JobResult = 'failed';
      try {
        result = await work(job);
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        await settleJob(database, job, result);
      }
    }
  };
  const runs = await Promise.allSettled(Array.from({ length: atATime }, run));
  for (const outcome of runs) if (outcome.status === 'rejected') throw outcome.reason;
  return tried;
}

/** Those that nobody does: a gallery may have no server that sends mails. Returns how many there were. */
export async function deleteOldJobs(database: Database, kind: 'mail'): Promise<number> {
  const { maxAge = 0 } = jobKinds()[kind];
  const isOld = sql`from job
    where kind = ${kind} and created <= ${now() - later(0, maxAge)} and held_until <= ${now()}`;
  return database.transaction(async (transaction) => {
    const old = await count(transaction, isOld);
    await execute(transaction)`delete ${isOld}`;
    return old;
  });
}

// Work that is done again and again, and whatever else only one process may do at a time. Such a row stays.

const schedule = 'schedule';
const holdMs = 20_000;
const renewMs = 5_000;

/** `confirm` throws if another process holds the job: call it before a step that must not be done twice. */
export type Confirm = () => Promise<void>;

/**
 * Returns why the work is not done now: another process does it, or it was finished less than `everyMs` ago. `release`
 * lets another process begin at once, before this one ends.
 */
export async function runJob<Result>(
  database: Database,
  name: string,
  everyMs: number,
  work: (confirm: Confirm, release: () => Promise<void>) => Promise<Result>,
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
  all(reader, jobTable.columns)`from job where kind = ${schedule} and finished > 0`;

/** Whether it is worth trying. */
export async function isJobDue(reader: Reader, name: string, everyMs: number): Promise<boolean> {
  const job = await findJob(reader, name);
  return !job || findObstacle(job, everyMs) === undefined;
}

const isScheduled = (name: string) => isNamed({ kind: schedule, name });

const findJob = (reader: Reader, name: string, lock = sql``) =>
  first(reader, jobTable.columns)`from job where ${isScheduled(name)} ${lock}`;

function findObstacle({ finished, held_until }: Job, everyMs: number) {
  const at = now();
  if (held_until > at) return 'running';
  // After a clock that was ahead, the work is not put off.
  return finished <= at && finished + everyMs * 1000 > at ? 'recent' : undefined;
}

/** Rows that stay and say who holds something, except those that are there. */
export function addHeldJobs(
  transaction: Transaction,
  kind: string,
  names: readonly string[],
  held_by = '',
  forMs = 0,
): Promise<void> {
  const at = now();
  const held_until = forMs === 0 ? 0 : at + forMs * 1000;
  const row = { kind, contributor: null, priority: 0, content: '', created: at, due: 0, ...noHold };
  return transaction.insertMissing(
    jobTable,
    names.map((name) => ({ ...row, name, held_by, held_until })),
  );
}

async function takeJob(
  database: Database,
  name: string,
  holder: string,
  everyMs: number,
): Promise<'taken' | 'running' | 'recent'> {
  return database.transaction(async (transaction) => {
    await addHeldJobs(transaction, schedule, [name]);
    const job = await findJob(transaction, name, transaction.forUpdate);
    const obstacle = job && findObstacle(job, everyMs);
    if (obstacle) return obstacle;
    await execute(transaction)`update job
      set held_by = ${holder}, held_until = ${now() + holdMs * 1000} where ${isScheduled(name)}`;
    return 'taken';
  });
}

/** Throws if another process holds the job; otherwise none takes it before the transaction ends. */
async function renewJob(transaction: Transaction, name: string, holder: string) {
  const job = await findJob(transaction, name, transaction.forUpdate);
  if (job?.held_by !== holder)
    throw new OperatorError('Another process has begun the same meanwhile, because this one was too slow.');
  const until = now() + holdMs * 1000;
  await execute(transaction)`update job set held_until = ${until} where ${isScheduled(name)}`;
}

function releaseJob(database: Database, name: string, holder: string, finished?: Instant) {
  const finish = finished === undefined ? sql`finished` : sql`${finished}`;
  return executeAlone(database)`update job set finished = ${finish}, held_by = '', held_until = 0
    where ${isScheduled(name)} and held_by = ${holder}`;
}
