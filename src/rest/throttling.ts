// Rate limits: token buckets of `limit` requests, refilled within a minute. Each process has its own buckets and keeps
// them only while they are not full.

import { TooManyRequests } from '../errors.ts';

const minute = 60_000;
const maxBuckets = 100_000;

interface Bucket {
  tokens: number;
  updatedAt: number;
}

export class Throttle {
  #buckets = new Map<string, Bucket>();

  constructor(
    private readonly policy: string,
    readonly limit: number,
  ) {}

  /** Takes one token from the client's bucket, or throws. */
  admit(client: string, now = performance.now()): void {
    const bucket = this.#buckets.get(client);
    if (!bucket) {
      if (this.#buckets.size >= maxBuckets) this.#removeBuckets(now);
      this.#buckets.set(client, { tokens: this.limit - 1, updatedAt: now });
      return;
    }
    bucket.tokens = Math.min(this.limit, bucket.tokens + ((now - bucket.updatedAt) / minute) * this.limit);
    bucket.updatedAt = now;
    if (bucket.tokens < 1)
      throw new TooManyRequests(
        this.policy,
        this.limit,
        Math.ceil(((1 - bucket.tokens) * minute) / this.limit / 1000),
      );
    bucket.tokens--;
  }

  /** Removes buckets that are full again, then the oldest ones until half of the maximum is left. */
  #removeBuckets(now: number): void {
    for (const [client, { updatedAt }] of this.#buckets)
      if (now - updatedAt >= minute) this.#buckets.delete(client);
    let surplus = this.#buckets.size - maxBuckets / 2;
    for (const client of this.#buckets.keys()) {
      if (surplus-- <= 0) return;
      this.#buckets.delete(client);
    }
  }
}
