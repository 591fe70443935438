// The records of projects that visitors have got in lists, as bytes: a list reads only those that it does not have in
// common with earlier lists. They share the memory of the cached responses.

import { type CacheMemory, KeyedCache } from '#rest/cache-memory.ts';
import type { Bytes } from '#rest/prepared-response.ts';
import type { Generations } from '#rest/response-cache.ts';

interface RememberedRecord {
  readonly json: Bytes;
  /** The latest generation for which the record is known to be as it is. */
  generation: number;
}

export class RememberedRecords {
  readonly #records: KeyedCache<RememberedRecord>;

  constructor(
    private readonly changes: Generations,
    memory: CacheMemory,
  ) {
    this.#records = new KeyedCache(memory);
  }

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
      // The generation was read before the record.
      if (generation !== undefined) this.#records.set(`${origin} ${id}`, { json, generation }, json.length);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  #find(key: string, id: number, generation: number | undefined): Bytes | undefined {
    const record = this.#records.get(key);
    if (!record || generation === undefined || this.changes.hasChanged(id, record.generation))
      return undefined;
    record.generation = generation;
    return record.json;
  }
}
