// A cache of recent responses to anonymous requests, used while nothing has changed. Its size in bytes is limited.
// Only responses that everybody may see are stored: see `allowsSharedResponse`.

import type { PreparedResponse } from './prepared-response.ts';

interface CachedResponse extends PreparedResponse {
  /** The latest generation for which the response is known to be valid. */
  generation: number;
}

export interface Generations {
  generation(): number | undefined;
  /** Whether the subject of a response may have changed since a generation. */
  hasChanged(subjectId: number, generation: number): boolean;
}

/** Bytes that an entry takes beside its text. */
const entryOverhead = 500;

/** Nested maps: joining the parts into one key would take longer than three look-ups. */
class CacheSegment {
  #responses = new Map<string, Map<string, Map<string, CachedResponse>>>();
  bytes = 0;

  find(origin: string, variant: string, url: string): CachedResponse | undefined {
    return this.#responses.get(origin)?.get(variant)?.get(url);
  }

  set(origin: string, variant: string, url: string, entry: CachedResponse): void {
    const byUrl = getOrCreate(getOrCreate(this.#responses, origin), variant);
    const previous = byUrl.get(url);
    if (previous) this.bytes -= estimateBytes(url, previous);
    // A new Accept header adds a map, and a long one takes as much memory as its text.
    else if (byUrl.size === 0) this.bytes += entryOverhead + 2 * (origin.length + variant.length);
    byUrl.set(url, entry);
    this.bytes += estimateBytes(url, entry);
  }
}

function getOrCreate<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let inner = map.get(key);
  if (!inner) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}

const estimateBytes = (url: string, { body }: PreparedResponse) =>
  entryOverhead + 2 * (body.length + url.length);

/** Whether the response is the same for everybody: the request has no credentials and no preference. */
export function allowsSharedResponse(headers: Headers): boolean {
  return !headers.has('Authorization') && !headers.has('Cookie') && !headers.has('Prefer');
}

/** Two segments: used entries move to the recent one. When that is full, the older one is dropped. */
export class ResponseCache {
  #recent = new CacheSegment();
  #older = new CacheSegment();

  constructor(
    private readonly maxBytes: number,
    private readonly changes: Generations,
  ) {}

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
    if (generation === undefined) return undefined;
    const recent = this.#recent.find(origin, variant, url);
    if (recent) return this.#isValid(recent, generation) ? recent : undefined;
    const older = this.#older.find(origin, variant, url);
    if (!older || !this.#isValid(older, generation)) return undefined;
    this.#set(origin, variant, url, older);
    return older;
  }

  /** A response with a subject stays valid until the subject changes, whatever else changes. */
  #isValid(entry: CachedResponse, generation: number): boolean {
    if (entry.generation === generation) return true;
    if (entry.subjectId === undefined || this.changes.hasChanged(entry.subjectId, entry.generation))
      return false;
    entry.generation = generation;
    return true;
  }

  /** `generation` must have been read before the response's data. */
  store(origin: string, variant: string, url: string, response: PreparedResponse, generation: number): void {
    if (estimateBytes(url, response) > this.maxBytes / 100) return;
    const { status, headers, body, etag, lastModified, subjectId, onSend } = response;
    this.#set(origin, variant, url, {
      status,
      headers,
      body,
      etag,
      lastModified,
      subjectId,
      onSend,
      generation,
    });
  }

  #set(origin: string, variant: string, url: string, entry: CachedResponse): void {
    this.#recent.set(origin, variant, url, entry);
    if (this.#recent.bytes < this.maxBytes / 2) return;
    this.#older = this.#recent;
    this.#recent = new CacheSegment();
  }
}
