// Deletes expired data. What is done costs as much as there is to delete, not as the gallery is large: see
// docs/decisions/0096-one-table-of-jobs.md.

import { type Database, execute } from '#sql';
import { idleSince } from '../accounts/sessions.ts';
import { sweepResponses } from '../changes/write.ts';
import { once } from '../feature.ts';
import { deleteUnusedFiles } from '../files/references.ts';
import type { FileStore } from '../files/store.ts';
import { now } from '../instant.ts';
import { type Confirm, type Gallery, isJobDue, jobKinds, runJob } from './jobs.ts';

/** Does what is due, whose rows say what is to do. Several processes share it. */
export async function doDueJobs(gallery: Gallery): Promise<void> {
  for (const { doDue } of Object.values(jobKinds())) await doDue?.(gallery);
  await deleteUnusedFiles(gallery);
}

const hourMs = 3600_000;

interface Task {
  readonly everyMs: number;
  run(database: Database, confirm: Confirm, logError: (error: unknown) => void): Promise<void>;
}

declare module '../feature.ts' {
  interface Feature {
    /** Regular tasks, done before the gallery's own. */
    readonly tasks?: Readonly<Record<string, Task>>;
  }
}

/** Each is done by one of all processes, and finds its rows by an index. */
const tasks: Readonly<Record<string, Task>> = {
  accounts: { everyMs: hourMs, run: sweepAccounts },
  responses: { everyMs: hourMs, run: sweepResponses },
};

const allTasks = once(
  (features): Readonly<Record<string, Task>> => Object.assign({}, ...features.map((one) => one.tasks), tasks),
);

/** The tasks whose time has come; with `now`, all. A task that fails does not keep the others from being done. */
export async function doTasks(
  database: Database,
  logError: (error: unknown) => void,
  { now = false } = {},
): Promise<void> {
  for (const [name, { everyMs, run }] of Object.entries(allTasks())) {
    const pauseMs = now ? 0 : everyMs;
    try {
      if (await isJobDue(database, name, pauseMs))
        await runJob(database, name, pauseMs, (confirm) => run(database, confirm, logError));
    } catch (error) {
      logError(error);
    }
  }
}

/** Everything at once, for tests. */
export async function sweep(database: Database, files: FileStore): Promise<void> {
  const fail = (error: unknown) => {
    throw error;
  };
  await doTasks(database, fail, { now: true });
  await doDueJobs({ database, files });
}

/** Passwords are checked so slowly that an hour brings fewer rows in normal use, and not many more in an attack. */
const maxSignInAttempts = 100_000;

/**
 * Deletes expired rows, which have no effect any more. Expired keys stay, so that their owners see that they expired.
 */
export async function sweepAccounts(database: Database): Promise<void> {
  const at = now();
  await database.transaction(async (transaction) => {
    await execute(transaction)`delete from session where expires <= ${at} or last_used <= ${idleSince(at)}`;
    await execute(transaction)`delete from account_link where expires <= ${at}`;
    await execute(transaction)`delete from used_challenge where until <= ${at}`;
    await execute(transaction)`delete from sign_in_attempt where until <= ${at}`;
    // Those that would expire first. A subquery with `in` is run once a row if PostgreSQL believes that the table is empty.
    await execute(transaction)`delete from sign_in_attempt where (until, subject) <= (
        select until, subject from sign_in_attempt order by until desc, subject desc
        limit 1 offset ${maxSignInAttempts})`;
  });
}
