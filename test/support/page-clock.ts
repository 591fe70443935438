// The clock of a page in a browser, which the test turns.

import type { Page, Request } from 'playwright-core';
import { waitFor } from './waiting.ts';

/** The requests of a page that wait for their response. */
const waiting = new WeakMap<Page, Set<Request>>();

/** Call it before the page is opened. */
export async function installClock(page: Page): Promise<void> {
  const requests = new Set<Request>();
  waiting.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
  // A stream goes on.
  page.on('response', (response) => {
    if (response.url().includes('/stream/')) requests.delete(response.request());
  });
  await page.clock.install();
}

/** Turns the clock in small steps, while the page waits for nothing: it would give up its requests. */
export const turnClock = (page: Page, isDone: () => boolean | Promise<boolean>) =>
  waitFor(async () => {
    if (waiting.get(page)?.size === 0) await page.clock.fastForward(1000);
    return isDone();
  });
