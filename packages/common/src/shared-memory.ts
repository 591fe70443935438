// Numbers in memory that all workers of a server count with together, without messages. Each is changed atomically.

import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './errors.ts';
import { privateFileMode } from './private-files.ts';
import type { SharedLimits } from './shared-limits.ts';

export interface SharedMemory {
  /** The numbers of this name: 0 at first. */
  open(name: string, length: number): BigInt64Array;
  /** Nanoseconds by a clock that all workers share, and that nobody sets. */
  now(): number;
  /** Nobody outside can tell which clients are counted by the same number. */
  readonly hashSeed: bigint;
  /** Counts limits together with servers on other machines. */
  readonly sharedLimits?: SharedLimits | undefined;
}

/** A worker joins the memory with these. They are sent as JSON, which has no big integers. */
export interface SharedMemoryOptions {
  readonly folder: string;
  readonly hashSeed: string;
  /** The shared clock's time at a time of the machine's clock, which is read again within a moment. */
  readonly now: number;
  readonly date: number;
}

/** The memory of a server that is one process. */
export const ownMemory = (): SharedMemory => ({
  open: (_, length) => new BigInt64Array(length),
  // Whole, as buckets store it: otherwise rounding takes a unit too much where the clock stands.
  now: () => Math.round(performance.now() * 1e6),
  hashSeed: newHashSeed(),
});

/** Describes the memory to a worker that starts now. */
export const describeMemory = (folder: string, hashSeed: bigint): SharedMemoryOptions => ({
  folder,
  hashSeed: String(hashSeed),
  now: Bun.nanoseconds(),
  date: Date.now(),
});

export const newHashSeed = () => crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;

export function joinMemory({ folder, hashSeed, now, date }: SharedMemoryOptions): SharedMemory {
  const ahead = now + (Date.now() - date) * 1e6 - Bun.nanoseconds();
  return {
    open: (name, length) => mapFile(join(folder, `${name}-${length}`), length * 8),
    now: () => Bun.nanoseconds() + ahead,
    hashSeed: BigInt(hashSeed),
  };
}

/** The file appears with all its bytes: memory without a file behind it would end the process when it is touched. */
function mapFile(path: string, size: number): BigInt64Array {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, new Uint8Array(size), { mode: privateFileMode });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished);
  }
  return new BigInt64Array(Bun.mmap(path, { shared: true }).buffer);
}
