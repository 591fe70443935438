// Parts of responses for visitors, by their subjects: each is kept until what it shows has changed, whatever else changes.
// They share the memory of the cached responses.

import { type CacheMemory, KeyedCache } from './cache-memory.ts';
import type { Generations } from './response-cache.ts';

interface Part<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** Other subjects that it shows; undefined if it may change without a change of any. */
  readonly alsoShows?: readonly number[] | undefined;
}

interface KeptPart<Value> extends Part<Value> {
  /** The latest generation for which it is known to be as it is. */
  generation: number;
}

export class SubjectCache<Value> {
  readonly #parts: KeyedCache<KeptPart<Value>>;

  constructor(
    private readonly changes: Generations,
    memory: CacheMemory,
  ) {
    this.#parts = new KeyedCache(memory);
  }

  /**
   * The values for the subjects with these ids, without those that are hidden now: `load` leaves them out. Equal variants
   * and ids have equal values.
   */
  async find(
    variantOf: (id: number) => string,
    ids: readonly number[],
    load: (missing: readonly number[]) => Promise<ReadonlyMap<number, Part<Value>>>,
  ): Promise<Value[]> {
    const generation = this.changes.generation();
    const keyOf = (id: number) => `${variantOf(id)} ${id}`;
    const found = ids.map((id) => this.#find(keyOf(id), id, generation));
    const missing = ids.filter((_, index) => !found[index]);
    const loaded = missing.length > 0 ? await load(missing) : undefined;
    // The generation was read before these.
    if (generation !== undefined)
      for (const [id, part] of loaded ?? [])
        if (part.alsoShows) this.#parts.set(keyOf(id), { ...part, generation }, part.bytes);
    return found.flatMap((part, index) => (part ?? loaded?.get(ids[index] ?? 0))?.value ?? []);
  }

  #find(key: string, id: number, generation: number | undefined): Part<Value> | undefined {
    const part = this.#parts.get(key);
    if (!part || generation === undefined) return undefined;
    const hasChanged = (subject: number) => this.changes.hasChanged(subject, part.generation);
    if (part.generation !== generation && (hasChanged(id) || part.alsoShows?.some(hasChanged)))
      return undefined;
    part.generation = generation;
    return part;
  }
}
