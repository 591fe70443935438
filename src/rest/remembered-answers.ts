// Answers that visitors got lately, to be given again while nothing has changed. Bounded in bytes.
// Only what anybody may read comes in here: see `isAnonymous`.

import type { Answer } from './answer.ts';

interface Remembered extends Answer {
  /** Under which it is known to be true. */
  generation: number;
}

export interface Freshness {
  generation(): number | undefined;
  /** Whether what an answer tells of may have changed after a generation. */
  changed(about: number, generation: number): boolean;
}

/** What an entry costs beside its text: key and bookkeeping. */
const overhead = 500;

/** Looked up in steps, as joining the parts into one key would cost more than all of them. */
class Shelves {
  #answers = new Map<string, Map<string, Map<string, Remembered>>>();
  bytes = 0;

  find(base: string, accept: string, address: string): Remembered | undefined {
    return this.#answers.get(base)?.get(accept)?.get(address);
  }

  put(base: string, accept: string, address: string, entry: Remembered): void {
    const shelf = within(within(this.#answers, base), accept);
    const earlier = shelf.get(address);
    if (earlier) this.bytes -= bytesOf(address, earlier);
    // An Accept header of many words opens a shelf that costs as much as they do.
    else if (shelf.size === 0) this.bytes += overhead + 2 * (base.length + accept.length);
    shelf.set(address, entry);
    this.bytes += bytesOf(address, entry);
  }
}

function within<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let found = map.get(key);
  if (!found) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}

const bytesOf = (address: string, { body }: Answer) => overhead + 2 * (body.length + address.length);

/** A request whose answer may depend on who makes it, or on a preference, is neither answered from here nor kept. */
export function hasNoCredentials(headers: Headers): boolean {
  return !headers.has('Authorization') && !headers.has('Cookie') && !headers.has('Prefer');
}

/** Two sets of shelves: what is asked for comes onto the young ones; when they are full, the old ones are cleared. */
export class RememberedAnswers {
  #young = new Shelves();
  #old = new Shelves();

  constructor(
    private readonly mostBytes: number,
    private readonly freshness: Freshness,
  ) {}

  find(base: string, accept: string, address: string): Answer | undefined {
    const generation = this.freshness.generation();
    if (generation === undefined) return undefined;
    const young = this.#young.find(base, accept, address);
    if (young) return this.#isTrue(young, generation) ? young : undefined;
    const old = this.#old.find(base, accept, address);
    if (!old || !this.#isTrue(old, generation)) return undefined;
    this.#put(base, accept, address, old);
    return old;
  }

  /** What tells of one thing only is true for as long as that does not change. */
  #isTrue(entry: Remembered, generation: number): boolean {
    if (entry.generation === generation) return true;
    if (entry.about === undefined || this.freshness.changed(entry.about, entry.generation)) return false;
    entry.generation = generation;
    return true;
  }

  /** `generation` must have been read before the answer's data was. */
  keep(base: string, accept: string, address: string, answer: Answer, generation: number): void {
    if (bytesOf(address, answer) > this.mostBytes / 100) return;
    const { status, headers, body, etag, lastModified, about } = answer;
    this.#put(base, accept, address, { status, headers, body, etag, lastModified, about, generation });
  }

  #put(base: string, accept: string, address: string, entry: Remembered): void {
    this.#young.put(base, accept, address, entry);
    if (this.#young.bytes < this.mostBytes / 2) return;
    this.#old = this.#young;
    this.#young = new Shelves();
  }
}
