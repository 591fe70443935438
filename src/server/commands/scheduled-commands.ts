// Commands that `serve` runs from time to time: each is a process of its own with a low priority, so that no request
// waits for it. Of several servers on one database, one runs it.

import { setPriority } from 'node:os';
import type { Log } from '#common/log.ts';
import type { Database } from '#sql';
import type { Environment } from '../../core/commands/command.ts';
import { isJobDue } from '../../core/jobs/jobs.ts';
import {
  type AppSettings,
  listSettings,
  type SettingName,
  type Settings,
} from '../../core/settings/settings.ts';
import { chooseFeatures } from '../choose-features.ts';

export const scheduleSettings = ['backupEvery', 'backupTo', 'signWith', 'keep', 'keepChanges'] as const;

const checkMs = 60_000;
const retryMs = 5 * 60_000;
const lowPriority = 10;

type ScheduleSettings = AppSettings & Settings<(typeof scheduleSettings)[number] | 'database' | 'files'>;

interface ScheduledCommand {
  /** The beginning of a sentence. */
  readonly name: string;
  readonly job: string;
  readonly everyMs: number;
  readonly args: readonly string[];
  /** In the environment: other users of the machine can read arguments. */
  readonly settings: Partial<Record<SettingName, string>>;
}

declare module '../../core/feature.ts' {
  interface Feature {
    /** A command that `serve` runs from time to time; undefined if the settings do not ask for it. Checks them. */
    schedule?(
      settings: ScheduleSettings,
    ): ScheduledCommand | undefined | Promise<ScheduledCommand | undefined>;
  }
}

/** Checks the settings, before anything is opened. */
export async function createSchedules(
  settings: ScheduleSettings,
  environment: Environment,
): Promise<Schedule[]> {
  const features = chooseFeatures(settings.without);
  const commands = await Promise.all(features.map(({ schedule }) => schedule?.(settings)));
  const { database, files } = settings;
  return commands.flatMap((command) =>
    command
      ? new Schedule({ ...command, settings: { ...command.settings, database, files } }, environment)
      : [],
  );
}

export class Schedule {
  #timer: Timer | undefined;
  #child: Bun.Subprocess | undefined;
  #nextTryAt = 0;

  constructor(
    private readonly command: ScheduledCommand,
    private readonly environment: Environment,
  ) {}

  start(database: Database, log: Log): void {
    const check = () => void this.#runIfDue(database, log).catch((error) => log.error('-', error));
    this.#timer = setInterval(check, checkMs);
    check();
  }

  /** Resolves when the command has ended, and what it held is free. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#child?.kill();
    await this.#child?.exited;
  }

  async #runIfDue(database: Database, log: Log): Promise<void> {
    const { name, job, everyMs } = this.command;
    if (this.#child || Date.now() < this.#nextTryAt || !(await isJobDue(database, job, everyMs))) return;
    const child = this.#startProcess();
    this.#child = child;
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    const code = await child.exited;
    this.#child = undefined;
    // The server is stopping.
    if (this.#timer === undefined) return;
    if (out) log.info(out.trim().replaceAll('\n', ' '));
    if (code === 0) return;
    const reason = error.trim().replace(/^vitrine: /, '') || `the process ended with ${code}.`;
    // It was made, and the operator should know something about it.
    if (out) return log.error('-', reason);
    this.#nextTryAt = Date.now() + retryMs;
    log.error('-', `${name} failed, and is tried again in 5 minutes: ${reason}`);
  }

  #startProcess() {
    const { args, settings } = this.command;
    const program = Bun.main.includes('$bunfs') ? [] : [Bun.main];
    const variables = Object.entries(settings).map(([name, value]) => [
      listSettings()[name as SettingName].variable,
      value,
    ]);
    const child = Bun.spawn([process.execPath, ...program, ...args], {
      env: { ...this.environment, ...Object.fromEntries(variables) },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    setPriority(child.pid, lowPriority);
    return child;
  }
}
