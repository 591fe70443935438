// The end of a server process.

import type { Log } from '../common/log.ts';

/** The reader of the log may have stopped reading. */
const maxFlushMs = 5000;

/** Resolves with the exit code on Ctrl-C, on SIGTERM, or after an unhandled rejection, which is logged. */
export function waitForStop(log: Log): Promise<number> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve(0));
    process.once('SIGINT', () => resolve(0));
    process.on('unhandledRejection', (error) => {
      log.error('-', error);
      resolve(1);
    });
  });
}

/** Ends the process when its log is written. */
export async function exitWith(code: number): Promise<never> {
  // A picture of an abandoned request that is being decoded would keep the process alive.
  await Promise.race([new Promise<void>((resolve) => process.stdout.end(resolve)), Bun.sleep(maxFlushMs)]);
  process.exit(code);
}
