// Answers that visitors got lately, to be given again while nothing has changed. Bounded in bytes.
// Only what anybody may read comes in here: see `isAnonymous`.

import type { PreparedResponse } from './prepared-response.ts';

interface CachedResponse extends PreparedResponse {
  /** Under which it is known to be true. */
  generation: number;
}

export interface ChangeTracker {
  generation(): number | undefined;
  /** Whether what an answer tells of may have changed after a generation. */
  hasChanged(about: number, generation: number): boolean;
}

/** What an entry costs beside its text: key and bookkeeping. */
const entryOverhead = 500;

/** Looked up in steps, as joining the parts into one key would cost more than all of them. */
class CacheSegment {
  #responses = new Map<string, Map<string, Map<string, CachedResponse>>>();
  bytes = 0;

  find(origin: string, accept: string, url: string): CachedResponse | undefined {
    return this.#responses.get(origin)?.get(accept)?.get(url);
  }

  set(origin: string, accept: string, url: string, entry: CachedResponse): void {
    const byUrl = getOrCreate(getOrCreate(this.#responses, origin), accept);
    const previous = byUrl.get(url);
    if (previous) this.bytes -= estimateBytes(url, previous);
    // An Accept header of many words opens a shelf that costs as much as they do.
    else if (byUrl.size === 0) this.bytes += entryOverhead + 2 * (origin.length + accept.length);
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

/** A request whose answer may depend on who makes it, or on a preference, is neither answered from here nor kept. */
export function allowsSharedResponse(headers: Headers): boolean {
  return !headers.has('Authorization') && !headers.has('Cookie') && !headers.has('Prefer');
}

/** Two sets of shelves: what is asked for comes onto the young ones; when they are full, the old ones are cleared. */
export class ResponseCache {
  #recent = new CacheSegment();
  #older = new CacheSegment();

  constructor(
    private readonly maxBytes: number,
    private readonly changes: ChangeTracker,
  ) {}

  find(origin: string, accept: string, url: string): PreparedResponse | undefined {
    const generation = this.changes.generation();
    if (generation === undefined) return undefined;
    const recent = this.#recent.find(origin, accept, url);
    if (recent) return this.#isValid(recent, generation) ? recent : undefined;
    const older = this.#older.find(origin, accept, url);
    if (!older || !this.#isValid(older, generation)) return undefined;
    this.#set(origin, accept, url, older);
    return older;
  }

  /** What tells of one thing only is true for as long as that does not change. */
  #isValid(entry: CachedResponse, generation: number): boolean {
    if (entry.generation === generation) return true;
    if (entry.subjectId === undefined || this.changes.hasChanged(entry.subjectId, entry.generation))
      return false;
    entry.generation = generation;
    return true;
  }

  /** `generation` must have been read before the answer's data was. */
  store(origin: string, accept: string, url: string, answer: PreparedResponse, generation: number): void {
    if (estimateBytes(url, answer) > this.maxBytes / 100) return;
    const { status, headers, body, etag, lastModified, subjectId } = answer;
    this.#set(origin, accept, url, { status, headers, body, etag, lastModified, subjectId, generation });
  }

  #set(origin: string, accept: string, url: string, entry: CachedResponse): void {
    this.#recent.set(origin, accept, url, entry);
    if (this.#recent.bytes < this.maxBytes / 2) return;
    this.#older = this.#recent;
    this.#recent = new CacheSegment();
  }
}
