// How often somebody may ask: a bucket of `limit` requests that fills again within a minute. The buckets are this
// process's own, and kept for no longer than they matter.

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

  /** Takes a request's worth from the client's bucket, or refuses. */
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

  /** A bucket that is full again is as good as none; if all are in use, the oldest half goes. */
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
