// The program of this package, as people start it in the repository.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../../test/support/databases.ts';
import { runInProcess } from '../../test/support/in-process.ts';
import { resultOf } from '../../test/support/server.ts';
import { moving as program } from '../src/program.ts';

export const moving = [process.execPath, join(import.meta.dir, '../main.ts')];

/** Runs a command to its end, in this process. */
export const run = (...args: string[]) => runInProcess(args, {}, program);

export interface Adoption {
  readonly database: string;
  /** Starts the command. */
  start(...options: string[]): Promise<Bun.Subprocess<'ignore', 'pipe', 'pipe'>>;
  /** Runs the command to its end. */
  run(...options: string[]): Promise<{ code: number; out: string; error: string }>;
  /** The lines of the report. */
  report(): unknown[];
}

/** The command in a folder of its own, where it keeps its files if the database is on a server. */
export function adoption(address: string, database: string): Adoption {
  const folder = temporaryPath('adoption');
  mkdirSync(folder);
  const isOnServer = database.startsWith('postgres');
  const basePath = isOnServer ? join(folder, 'vitrine') : database;
  const command = ['adopt', address, '--database', database, '--rate', '1000'];
  const start: Adoption['start'] = async (...options) =>
    Bun.spawn([...moving, ...command, ...options], {
      cwd: folder,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
  return {
    database,
    start,
    run: async (...options) => (isOnServer ? resultOf(await start(...options)) : run(...command, ...options)),
    report() {
      const path = `${basePath}.adopt-report.ndjson`;
      return existsSync(path)
        ? readFileSync(path, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [];
    },
  };
}
