import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The parent of temporary folders: in memory if there is enough. A database is created there 20 times as fast. */
export function memoryFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4e9 ? memory : tmpdir();
}
