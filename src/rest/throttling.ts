// How often somebody may ask: a bucket of `limit` requests that fills again within a minute. The buckets are this
// process's own, and kept for no longer than they matter.

import { TooManyRequests } from '../errors.ts';

const minute = 60_000;
const bucketsKept = 100_000;

interface Bucket {
  left: number;
  at: number;
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
      if (this.#buckets.size >= bucketsKept) this.#sweep(now);
      this.#buckets.set(client, { left: this.limit - 1, at: now });
      return;
    }
    bucket.left = Math.min(this.limit, bucket.left + ((now - bucket.at) / minute) * this.limit);
    bucket.at = now;
    if (bucket.left < 1)
      throw new TooManyRequests(
        this.policy,
        this.limit,
        Math.ceil(((1 - bucket.left) * minute) / this.limit / 1000),
      );
    bucket.left--;
  }

  /** A bucket that is full again is as good as none; if all are in use, the oldest half goes. */
  #sweep(now: number): void {
    for (const [client, { at }] of this.#buckets) if (now - at >= minute) this.#buckets.delete(client);
    let surplus = this.#buckets.size - bucketsKept / 2;
    for (const client of this.#buckets.keys()) {
      if (surplus-- <= 0) return;
      this.#buckets.delete(client);
    }
  }
}
