// When an event that could not be delivered is sent again: after 5 seconds, then after three times as long each time, up to
// six hours; later if the receiver asks for it.

import { chooseRetryDelay } from '../../core/jobs/jobs.ts';

const retry = { first: 5, factor: 3, max: 6 * 60 * 60 };

/** Microseconds after the attempt. Webhooks that failed together are not tried together again. */
export function chooseDelay(failures: number, retryAfterSeconds = 0): number {
  const seconds = Math.max(chooseRetryDelay(retry, failures), Math.min(retry.max, retryAfterSeconds));
  const isAsked = seconds === retryAfterSeconds;
  return Math.round(seconds * (isAsked ? 1 : 0.8 + 0.4 * Math.random()) * 1_000_000);
}

/** The seconds of a Retry-After header, which has a number or a date. */
export function readRetryAfter(header: string | null): number {
  if (header === null) return 0;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  // A header that is neither has NaN.
  return Math.max(0, seconds || 0);
}
