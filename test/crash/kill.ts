// Kills commands at random moments.

import { expect, setDefaultTimeout } from 'bun:test';
import { vitrine } from '../support/server.ts';
import { randomPause } from '../support/waiting.ts';

export const rounds = Number(process.env.CRASH_ROUNDS ?? 20);

// The limit of a test is for five rounds.
setDefaultTimeout(300_000 * Math.max(1, rounds / 5));

/** Kills the command within this time. Returns whether it had succeeded before. */
export async function killWithin(
  maxMs: number,
  command: readonly string[],
  folder?: string,
): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: folder, stdout: 'ignore', stderr: 'ignore' });
  await Promise.race([child.exited, randomPause(maxMs)]);
  child.kill('SIGKILL');
  return (await child.exited) === 0;
}

export async function measure(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

export async function exportOf(address: string, files: string): Promise<string> {
  const { code, out, error } = await vitrine('export', '-', '--database', address, '--files', files);
  expect(code, error).toBe(0);
  return out;
}
