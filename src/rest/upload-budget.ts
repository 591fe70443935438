// Limits how many bytes one sender uploads in a day: files that were replaced or deleted stay on the disk for up to two
// days. Each process counts for itself.

import { TooManyRequests } from '../errors.ts';

const daySeconds = 24 * 3600;
const maxSenders = 100_000;

interface Spent {
  bytes: number;
  updatedAt: number;
}

export class UploadBudget {
  #spentBySender = new Map<string, Spent>();

  constructor(private readonly bytesPerDay: number) {}

  /** Counts the bytes, or throws. What was spent is forgotten evenly within a day. */
  spend(sender: string, bytes: number, now = performance.now() / 1000): void {
    if (this.bytesPerDay === Number.POSITIVE_INFINITY) return;
    const spent = this.#spentBySender.get(sender) ?? { bytes: 0, updatedAt: now };
    const recovered = ((now - spent.updatedAt) / daySeconds) * this.bytesPerDay;
    const total = Math.max(0, spent.bytes - recovered) + bytes;
    if (total > this.bytesPerDay) {
      const waitSeconds = Math.ceil(((total - this.bytesPerDay) / this.bytesPerDay) * daySeconds);
      throw new TooManyRequests('upload', this.bytesPerDay, waitSeconds, daySeconds);
    }
    if (this.#spentBySender.size >= maxSenders) this.#forgetOldest();
    // The sender becomes the newest in the map.
    this.#spentBySender.delete(sender);
    this.#spentBySender.set(sender, { bytes: total, updatedAt: now });
  }

  #forgetOldest(): void {
    for (const sender of this.#spentBySender.keys()) {
      this.#spentBySender.delete(sender);
      return;
    }
  }
}
