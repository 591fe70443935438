// The records of projects that visitors have got in lists, as bytes: a list reads only those that it does not have in
// common with earlier lists. They share the memory of the cached responses.

import { CacheEntry, type CacheMemory } from '../rest/cache-memory.ts';
import type { Bytes } from '../rest/prepared-response.ts';
import type { Generations } from '../rest/response-cache.ts';

/** The bytes of an entry beside its JSON: an estimate. */
const entryOverhead = 400;

class RememberedRecord extends CacheEntry {
  readonly bytes: number;

  constructor(
    private readonly records: Map<string, RememberedRecord>,
    private readonly key: string,
    readonly json: Bytes,
    /** The latest generation for which the record is known to be as it is. */
    public generation: number,
  ) {
    super();
    this.bytes = entryOverhead + json.length;
  }

  forget(): void {
    this.records.delete(this.key);
  }
}

export class RememberedRecords {
  readonly #records = new Map<string, RememberedRecord>();

  constructor(
    private readonly changes: Generations,
    private readonly memory: CacheMemory,
  ) {}

  /**
   * The JSON of the projects with these ids, whose URLs begin with the origin. `load` makes that of those that are not
   * remembered; without those that are hidden now.
   */
  async render(
    origin: string,
    ids: readonly number[],
    load: (ids: readonly number[]) => Promise<ReadonlyMap<number, Bytes>>,
  ): Promise<Bytes[]> {
    const generation = this.changes.generation();
    const found = new Map(ids.map((id) => [id, this.#find(`${origin} ${id}`, id, generation)]));
    const missing = ids.filter((id) => !found.get(id));
    for (const [id, json] of missing.length ? await load(missing) : []) {
      found.set(id, json);
      if (generation !== undefined) this.#store(`${origin} ${id}`, json, generation);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  #find(key: string, id: number, generation: number | undefined): Bytes | undefined {
    const record = this.#records.get(key);
    if (!record || generation === undefined || this.changes.hasChanged(id, record.generation))
      return undefined;
    record.generation = generation;
    record.wasUsed = true;
    return record.json;
  }

  /** The generation must have been read before the record. */
  #store(key: string, json: Bytes, generation: number): void {
    const previous = this.#records.get(key);
    if (previous) this.memory.remove(previous);
    const record = new RememberedRecord(this.#records, key, json, generation);
    if (!this.memory.hasRoomFor(record)) return;
    this.#records.set(key, record);
    this.memory.add(record);
    this.memory.evict();
  }
}
