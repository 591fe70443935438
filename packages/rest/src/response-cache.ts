// A cache of responses to anonymous requests, used while nothing has changed. Its size in bytes is limited. Only responses
// that everybody may see are stored: see `canShareResponse`.

import { CacheEntry, CacheMemory } from './cache-memory.ts';
import type { Bytes, PreparedResponse, SharedHeaders } from './prepared-response.ts';
import { hash64 } from './runtime.ts';

export interface Generations {
  generation(): number | undefined;
  /** Whether the subject of a response may have changed since a generation. */
  hasChanged(subjectId: number, generation: number): boolean;
}

/** The bytes of an entry beside its body and URL, and a set of headers beside its text: estimates. */
const entryOverhead = 900;
const headersOverhead = 500;

const smallestResponse = 1024;

/**
 * Which URLs were requested lately, by their hashes. Many are requested once, by crawlers for example. Keeping and
 * collecting their responses would take as long as making them.
 */
class RequestedUrls {
  readonly #hashes: Uint32Array;

  constructor(count: number) {
    this.#hashes = new Uint32Array(Math.max(65_536, count));
  }

  /** From now on it is not. */
  isNew(url: string): boolean {
    const hash = Number(BigInt.asUintN(32, hash64(url)));
    const place = hash % this.#hashes.length;
    const isNew = this.#hashes[place] !== hash;
    this.#hashes[place] = hash;
    return isNew;
  }
}

/** The responses for one host and one variant, by URL. */
interface CacheGroup {
  readonly origin: string;
  readonly variant: string;
  readonly responses: Map<string, CachedResponse>;
}

/** Keeps the bytes that are sent: text that is not Latin-1 would take twice as many, and be encoded for each response. */
class CachedResponse extends CacheEntry {
  readonly response: PreparedResponse;
  readonly bytes: number;

  constructor(
    private readonly cache: ResponseCache,
    readonly group: CacheGroup,
    readonly url: string,
    response: PreparedResponse,
    /** The latest generation for which the response is known to be valid. */
    public generation: number,
  ) {
    super();
    const body = toBytes(response.body);
    this.response = { ...response, body };
    const texts = [url, response.link, response.cacheTags].map((text) => text?.length ?? 0);
    this.bytes = texts.reduce((sum, length) => sum + length, entryOverhead + body.length);
  }

  forget(): void {
    this.cache.forget(this);
  }
}

const encoder = new TextEncoder();

/** A copy, which keeps no larger buffer in memory. */
const toBytes = (body: string | Bytes): Bytes =>
  typeof body === 'string' ? encoder.encode(body) : body.slice();

export class ResponseCache {
  /** By origin, then by variant: joining the parts into one key would take longer than three look-ups. */
  #groups = new Map<string, Map<string, CacheGroup>>();
  /** The responses of a resource share one set of headers, which counts once. */
  #headerSets = new Map<SharedHeaders, { uses: number; readonly bytes: number }>();
  readonly #urls: RequestedUrls;
  /** Other caches may use it too. */
  readonly memory: CacheMemory;
  hits = 0;
  misses = 0;

  constructor(
    maxBytes: number,
    private readonly changes: Generations,
  ) {
    this.memory = new CacheMemory(maxBytes);
    this.#urls = new RequestedUrls(maxBytes / smallestResponse);
  }

  /** The state of the data now; undefined if it is not known. */
  generation(): number | undefined {
    return this.changes.generation();
  }

  find(
    origin: string,
    variant: string,
    url: string,
    generation: number | undefined,
  ): PreparedResponse | undefined {
    const entry = this.#groups.get(origin)?.get(variant)?.responses.get(url);
    if (!entry || generation === undefined || !this.#isValid(entry, generation)) {
      this.misses++;
      return undefined;
    }
    this.hits++;
    entry.wasUsed = true;
    return entry.response;
  }

  /** A response with a subject stays valid until the subject changes, whatever else changes. */
  #isValid(entry: CachedResponse, generation: number): boolean {
    const { subjectId, validUntil = Number.POSITIVE_INFINITY } = entry.response;
    if (Date.now() >= validUntil) return false;
    if (entry.generation === generation) return true;
    if (subjectId === undefined || this.changes.hasChanged(subjectId, entry.generation)) return false;
    entry.generation = generation;
    return true;
  }

  /** `generation` must have been read before the response's data. The first response to a URL is not kept. */
  store(origin: string, variant: string, url: string, response: PreparedResponse, generation: number): void {
    const group = this.#findGroup(origin, variant);
    const previous = group.responses.get(url);
    if (!previous && this.#urls.isNew(url)) return;
    const entry = new CachedResponse(this, group, url, response, generation);
    if (previous) {
      entry.wasUsed = previous.wasUsed;
      this.memory.remove(previous);
    }
    if (this.memory.hasRoomFor(entry)) this.#add(entry);
    this.memory.evict();
  }

  #findGroup(origin: string, variant: string): CacheGroup {
    return this.#groups.get(origin)?.get(variant) ?? { origin, variant, responses: new Map() };
  }

  #add(entry: CachedResponse): void {
    const { group, response } = entry;
    if (group.responses.size === 0) this.#addGroup(group);
    group.responses.set(entry.url, entry);
    const shared = this.#headerSets.get(response.headers);
    if (shared) shared.uses++;
    else {
      const bytes = bytesOfHeaders(response.headers);
      this.#headerSets.set(response.headers, { uses: 1, bytes });
      this.memory.bytes += bytes;
    }
    this.memory.add(entry);
  }

  /** Called for each entry that is removed. */
  forget({ group, response, url }: CachedResponse): void {
    group.responses.delete(url);
    if (group.responses.size === 0) this.#removeGroup(group);
    const shared = this.#headerSets.get(response.headers);
    if (shared && --shared.uses === 0) {
      this.#headerSets.delete(response.headers);
      this.memory.bytes -= shared.bytes;
    }
  }

  #addGroup(group: CacheGroup): void {
    const byVariant = this.#groups.get(group.origin) ?? new Map<string, CacheGroup>();
    byVariant.set(group.variant, group);
    this.#groups.set(group.origin, byVariant);
    this.memory.bytes += bytesOfGroup(group);
  }

  #removeGroup(group: CacheGroup): void {
    const byVariant = this.#groups.get(group.origin);
    byVariant?.delete(group.variant);
    if (byVariant?.size === 0) this.#groups.delete(group.origin);
    this.memory.bytes -= bytesOfGroup(group);
  }
}

/** A new Accept header adds a group, and a long one takes as much memory as its text. */
const bytesOfGroup = ({ origin, variant }: CacheGroup) => entryOverhead + origin.length + variant.length;

function bytesOfHeaders(headers: SharedHeaders): number {
  let bytes = headersOverhead;
  for (const [name, value] of headers) bytes += name.length + value.length;
  return bytes;
}
