import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where temporary folders are made: in memory where there is plenty, as a database is made there 20 times as fast. */
export function memoryFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4e9 ? memory : tmpdir();
}
