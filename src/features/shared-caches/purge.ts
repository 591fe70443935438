// Tells shared caches which responses they must not send again. The change log says so, whichever process made a change.

import { errorMessage } from '#common/errors.ts';
import type { Log } from '#common/log.ts';
import { Outage } from '#common/outage.ts';
import { timeLimits } from '#common/time-limits.ts';
import { entriesAfter, maxEntries, type Reader } from '#sql';
import { findChangeHead } from '../../core/changes/head.ts';
import type { CreateWork } from '../../projects/background-work.ts';
import { everything, findStaleTags } from './cache-tags.ts';

type PurgeLog = Pick<Log, 'info' | 'error'>;

/** How often the change log is read. */
const intervalMs = 200;
/** Each purge is repeated: a response that was on its way, or a server that did not know of the change yet. */
const repeatMs = 1000;
const retryMs = 1000;
/** A CDN says after how many seconds it takes the next request. */
const maxRetryMs = 60_000;
/** More are not collected for a cache that cannot be reached, and everything is purged. */
const maxTags = 150;
/** Cloudflare takes no more. */
const maxTagsAtOnce = 30;

export const createPurging: CreateWork = ({ database, settings, log }) => ({
  start() {
    const stop = startPurging(database, settings.purgeUrls, log);
    return async () => stop();
  },
});

/** Purges the caches at these addresses until it is stopped. */
export function startPurging(reader: Reader, addresses: readonly string[], log: PurgeLog): () => void {
  if (addresses.length === 0) return () => {};
  const caches = addresses.map((address) => new SharedCache(address, log));
  const purge = (tags: readonly string[]) => {
    for (const cache of caches) cache.purge(tags);
  };
  let last: number | undefined;
  let isReading = false;
  // It is tried again five times a second.
  const outage = new Outage((error) => log.error('-', error));
  async function readChanges(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      const known = last;
      const changes = known === undefined ? [] : await reader.all(entriesAfter(known));
      const isKnown = known !== undefined && changes.length <= maxEntries;
      const next = isKnown ? (changes.at(-1)?.sequence ?? known) : (await findChangeHead(reader)).last;
      // After a start nobody knows what has changed meanwhile.
      const tags = isKnown ? await findStaleTags(reader, changes) : [everything];
      last = next;
      if (tags.length > 0) purge(tags);
      outage.end();
    } catch (error) {
      outage.begin(error);
    } finally {
      isReading = false;
    }
  }
  const timer = setInterval(readChanges, intervalMs);
  return () => {
    clearInterval(timer);
    for (const cache of caches) cache.stop();
  };
}

/** A CDN has an interface of its own, which is known by its path, and a token, which is the user's name in the address. */
function createPurge(address: string): (tags: readonly string[]) => Request {
  const url = new URL(address);
  const token = decodeURIComponent(url.username);
  url.username = '';
  const keys = (tags: readonly string[]) => ({ 'Surrogate-Key': tags.join(' ') });
  if (/^\/service\/\w+$/.test(url.pathname))
    return (tags) =>
      new Request(`${url}/purge`, { method: 'POST', headers: { 'Fastly-Key': token, ...keys(tags) } });
  if (/^\/client\/v4\/zones\/\w+$/.test(url.pathname)) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    return (tags) =>
      new Request(`${url}/purge_cache`, { method: 'POST', headers, body: JSON.stringify({ tags }) });
  }
  return (tags) => new Request(address, { method: 'PURGE', headers: keys(tags) });
}

class SharedCache {
  readonly #createRequest: (tags: readonly string[]) => Request;
  readonly #outage: Outage;
  #retryMs = retryMs;
  #tags = new Set<string>();
  #timer: Timer | undefined;
  #isSending = false;
  #isStopped = false;

  constructor(address: string, log: PurgeLog) {
    const { host } = new URL(address);
    this.#outage = new Outage(
      (problem) => log.error('-', `The cache at ${host} cannot be purged, and is tried again: ${problem}.`),
      () => log.info(`The cache at ${host} is purged again.`),
    );
    this.#createRequest = createPurge(address);
  }

  purge(tags: readonly string[], isRepeated = false): void {
    for (const tag of tags) this.#tags.add(tag);
    if (this.#tags.has(everything) || this.#tags.size > maxTags) this.#tags = new Set([everything]);
    if (!isRepeated) setTimeout(() => this.purge(tags, true), repeatMs).unref();
    if (!this.#isSending && this.#timer === undefined) void this.#send();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    this.#isSending = true;
    while (this.#tags.size > 0 && !this.#isStopped) {
      const tags = [...this.#tags].slice(0, maxTagsAtOnce);
      for (const tag of tags) this.#tags.delete(tag);
      const problem = await this.#request(tags);
      if (problem === undefined) {
        this.#outage.end();
        continue;
      }
      this.#outage.begin(problem);
      this.#timer = setTimeout(() => this.#send(), this.#retryMs).unref();
      this.purge(tags, true);
      break;
    }
    this.#isSending = false;
  }

  async #request(tags: readonly string[]): Promise<string | undefined> {
    this.#retryMs = retryMs;
    try {
      const response = await fetch(this.#createRequest(tags), {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeLimits.purge),
      });
      await response.body?.cancel();
      const seconds = Number(response.headers.get('Retry-After')) || 0;
      this.#retryMs = Math.min(maxRetryMs, Math.max(retryMs, seconds * 1000));
      return response.ok ? undefined : `it answered ${response.status}`;
    } catch (error) {
      return errorMessage(error);
    }
  }
}
