// Kills commands at random moments.

import { expect } from 'bun:test';
import { vitrine } from '../support/server.ts';

export const rounds = Number(process.env.CRASH_ROUNDS ?? 20);

/** Kills the command after this time. Returns whether it had succeeded before. */
export async function killAfter(ms: number, command: readonly string[], folder?: string): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: folder, stdout: 'ignore', stderr: 'ignore' });
  await Promise.race([child.exited, Bun.sleep(ms)]);
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
