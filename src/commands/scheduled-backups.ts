// Backups that `serve` makes: each is a process of its own with a low priority, so that no request waits for it.

import { setPriority } from 'node:os';
import { isBucket, openPlace } from '../backup/open.ts';
import { readPrivateKey } from '../backup/signature.ts';
import type { Database } from '../database/open.ts';
import { OperatorError } from '../errors.ts';
import { isJobDue } from '../gallery/scheduled-jobs.ts';
import type { Log } from '../log.ts';
import { type SettingName, type Settings, settings as settingDefinitions } from '../settings.ts';
import { backupJob } from './backup.ts';

export const scheduleSettings = ['backupEvery', 'backupTo', 'signWith', 'keep'] as const;

const checkMs = 60_000;
const retryMs = 5 * 60_000;
const lowPriority = 10;

type Environment = Record<string, string | undefined>;

export interface BackupSchedule {
  start(database: Database, log: Log): void;
  stop(): void;
}

/** Checks the settings, before anything is opened. */
export async function createBackupSchedule(
  settings: Settings<(typeof scheduleSettings)[number] | 'database' | 'files'>,
  environment: Environment,
): Promise<BackupSchedule> {
  const { backupEvery: everyMs, backupTo } = settings;
  if ((everyMs === undefined) !== (backupTo === ''))
    throw new OperatorError('--backup-every and --backup-to belong together: how often, and where.');
  if (everyMs === undefined) return { start() {}, stop() {} };
  // A bucket that cannot be reached does not keep the server from starting.
  const address = isBucket(backupTo) ? backupTo : (await openPlace(backupTo)).address;
  if (settings.signWith) readPrivateKey(settings.signWith);
  let timer: Timer | undefined;
  let child: Bun.Subprocess | undefined;
  let nextTryAt = 0;
  async function makeIfDue(database: Database, log: Log): Promise<void> {
    if (child || Date.now() < nextTryAt || !(await isJobDue(database, backupJob(address), everyMs ?? 0)))
      return;
    const backup = startBackup(address, settings, environment);
    child = backup;
    const [out, error] = await Promise.all([
      new Response(backup.stdout).text(),
      new Response(backup.stderr).text(),
    ]);
    const code = await backup.exited;
    child = undefined;
    // The server is stopping.
    if (timer === undefined) return;
    if (code === 0) return log.info(out.trim().replaceAll('\n', ' '));
    nextTryAt = Date.now() + retryMs;
    const reason = error.trim().replace(/^vitrine: /, '') || `the process ended with ${code}.`;
    log.error('-', `The backup failed, and is tried again in 5 minutes: ${reason}`);
  }
  return {
    start(database, log) {
      const check = () => void makeIfDue(database, log).catch((error) => log.error('-', error));
      timer = setInterval(check, checkMs);
      check();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      child?.kill();
    },
  };
}

/** The settings are in the environment: other users of the machine can read arguments. */
function startBackup(
  address: string,
  { database, files, signWith, keep, backupEvery }: Parameters<typeof createBackupSchedule>[0],
  environment: Environment,
) {
  const variable = (name: SettingName) => settingDefinitions[name].variable;
  const program = Bun.main.includes('$bunfs') ? [] : [Bun.main];
  const child = Bun.spawn([process.execPath, ...program, 'backup', address], {
    env: {
      ...environment,
      [variable('database')]: database,
      [variable('files')]: files,
      [variable('signWith')]: signWith,
      [variable('keep')]: keep.map(({ count, unit }) => `${count}${unit}`).join(','),
      [variable('unlessNewer')]: `${Math.ceil((backupEvery ?? 0) / 60_000)}m`,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  setPriority(child.pid, lowPriority);
  return child;
}
