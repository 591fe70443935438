// Answers that visitors got lately, to be given again while nothing has changed. Bounded in bytes; the
// oldest go first. Only what anybody may read comes in here: see `isAnonymous`.

import type { Answer } from './answer.ts';

interface Remembered extends Answer {
  readonly generation: number;
  readonly bytes: number;
  readonly shelf: Shelf;
}

/** The answers of one host in one rendering, by their addresses. */
type Shelf = Map<string, Remembered>;

/** What an entry costs beside its text: headers, key, bookkeeping. */
const overhead = 1500;
/** More would be somebody trying: every wording of an Accept header gets a shelf. */
const shelvesKept = 100;

/** A request whose answer may depend on who makes it, or on a preference, is neither answered from here nor kept. */
export function isAnonymous(headers: Headers): boolean {
  return !headers.has('Authorization') && !headers.has('Cookie') && !headers.has('Prefer');
}

export class RememberedAnswers {
  #shelves = new Map<string, Map<string, Shelf>>();
  #shelfCount = 0;
  #headers = new Map<string, Headers>();
  /** All that is kept, in the order in which it came. */
  #kept = new Map<Remembered, string>();
  #bytes = 0;

  constructor(private readonly mostBytes: number) {}

  /** Looked up in steps, as joining the parts into one key would cost more than all of them. */
  find(base: string, accept: string, address: string, generation: number | undefined): Answer | undefined {
    const found = this.#shelves.get(base)?.get(accept)?.get(address);
    if (!found) return undefined;
    if (found.generation === generation) return found;
    this.#forget(found, address);
    return undefined;
  }

  /** `generation` must have been read before the answer's data was. */
  keep(base: string, accept: string, address: string, answer: Answer, generation: number): void {
    const bytes = overhead + 2 * (answer.body.length + address.length);
    if (bytes > this.mostBytes / 100) return;
    const shelf = this.#shelf(base, accept);
    const earlier = shelf.get(address);
    if (earlier) this.#forget(earlier, address);
    const { status, body, etag, lastModified } = answer;
    const headers = this.#shared(answer);
    const entry = { status, headers, body, etag, lastModified, generation, bytes, shelf };
    shelf.set(address, entry);
    this.#kept.set(entry, address);
    this.#bytes += bytes;
    for (const [oldest, itsAddress] of this.#kept) {
      if (this.#bytes <= this.mostBytes) return;
      this.#forget(oldest, itsAddress);
    }
  }

  /** One set of headers for all answers that have the same. */
  #shared({ headers, lastModified }: Answer): Headers {
    const key = JSON.stringify([lastModified !== undefined, ...headers]);
    const known = this.#headers.get(key);
    if (!known) this.#headers.set(key, headers);
    return known ?? headers;
  }

  #shelf(base: string, accept: string): Shelf {
    if (this.#shelfCount >= shelvesKept) this.#clear();
    let ofBase = this.#shelves.get(base);
    if (!ofBase) {
      ofBase = new Map();
      this.#shelves.set(base, ofBase);
    }
    let shelf = ofBase.get(accept);
    if (!shelf) {
      shelf = new Map();
      ofBase.set(accept, shelf);
      this.#shelfCount++;
    }
    return shelf;
  }

  #clear(): void {
    this.#shelves.clear();
    this.#kept.clear();
    this.#headers.clear();
    this.#shelfCount = 0;
    this.#bytes = 0;
  }

  #forget(entry: Remembered, address: string): void {
    entry.shelf.delete(address);
    this.#kept.delete(entry);
    this.#bytes -= entry.bytes;
  }
}
