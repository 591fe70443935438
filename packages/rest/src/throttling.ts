// Limits for each client: a bucket of `limit` units that is refilled within the window. Of a bucket only the time is
// stored at which it will be full again. Clients whose names have the same hash share a bucket: this is rare, and nobody
// outside knows the hash.

import { TooManyRequests } from '../../common/src/errors.ts';
import type { SharedMemory } from '../../common/src/shared-memory.ts';
import { hash64 } from './runtime.ts';

const bucketCount = 1 << 17;

export class Throttle {
  /** Nanoseconds in which one unit is refilled. */
  readonly #unit: number;
  #openedBuckets: BigInt64Array | undefined;

  constructor(
    /** The name of the limit. */
    private readonly policy: string,
    readonly limit: number,
    private readonly memory: SharedMemory,
    private readonly windowSeconds = 60,
  ) {
    this.#unit = Math.max(1, Math.floor((windowSeconds * 1e9) / limit));
  }

  /** Opened for the first client: most tests and commands have none. */
  get #buckets(): BigInt64Array {
    this.#openedBuckets ??= this.memory.open(this.policy, bucketCount);
    return this.#openedBuckets;
  }

  /** Takes units from the client's bucket, or throws. */
  admit(client: string, units = 1): void {
    const buckets = this.#buckets;
    const index = Number(hash64(client, this.memory.hashSeed) & BigInt(bucketCount - 1));
    for (;;) {
      const stored = Atomics.load(buckets, index);
      const now = this.memory.now();
      const fullAt = Math.max(Number(stored), now) + units * this.#unit;
      const missing = fullAt - now - this.limit * this.#unit;
      if (missing > 0)
        throw new TooManyRequests(this.policy, this.limit, Math.ceil(missing / 1e9), this.windowSeconds);
      // Otherwise another worker has counted meanwhile.
      if (Atomics.compareExchange(buckets, index, stored, BigInt(Math.ceil(fullAt))) === stored) break;
    }
    this.memory.sharedLimits?.take(`${this.policy} ${client}`, (units * this.#unit) / 1000, (left) =>
      this.#raise(index, this.memory.now() + left * 1000),
    );
  }

  /** Servers on other machines have taken more. */
  #raise(index: number, fullAt: number): void {
    const value = BigInt(Math.ceil(fullAt));
    for (;;) {
      const stored = Atomics.load(this.#buckets, index);
      if (stored >= value || Atomics.compareExchange(this.#buckets, index, stored, value) === stored) return;
    }
  }
}
