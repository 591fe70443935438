// The memory of all caches of the process: one limit in bytes for everything that is in them.

export abstract class CacheEntry {
  /** Whether it was found since the hand of the memory passed it. */
  wasUsed = false;
  older: CacheEntry | undefined;
  newer: CacheEntry | undefined;
  /** The memory of the entry, by estimate; it never changes. */
  abstract readonly bytes: number;

  /** Called when the entry is removed: its cache must forget it. */
  abstract forget(): void;
}

/**
 * Evicts as SIEVE does. Entries form a queue in the order in which they were stored. A hand moves from the oldest to the
 * newest, spares entries that were used since it passed them, and removes the others. Many entries that are requested
 * only once (a crawler, an attacker with random URLs) therefore displace each other, and not what people read.
 */
export class CacheMemory {
  /** The bytes of everything in the caches. */
  bytes = 0;
  evictions = 0;
  #oldest: CacheEntry | undefined;
  #newest: CacheEntry | undefined;
  /** The next entry to be removed or spared; undefined for the oldest. */
  #hand: CacheEntry | undefined;

  constructor(private readonly maxBytes: number) {}

  /** One entry may take a hundredth of the memory. */
  hasRoomFor({ bytes }: CacheEntry): boolean {
    return bytes <= this.maxBytes / 100;
  }

  add(entry: CacheEntry): void {
    entry.older = this.#newest;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
    this.bytes += entry.bytes;
  }

  remove(entry: CacheEntry): void {
    entry.forget();
    const { older, newer } = entry;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    if (this.#hand === entry) this.#hand = newer;
    this.bytes -= entry.bytes;
  }

  /** Removes entries until the limit is kept. */
  evict(): void {
    while (this.bytes > this.maxBytes) {
      let entry = this.#hand ?? this.#oldest;
      while (entry?.wasUsed) {
        entry.wasUsed = false;
        entry = entry.newer ?? this.#oldest;
      }
      if (!entry) return;
      this.#hand = entry;
      this.remove(entry);
      this.evictions++;
    }
  }
}

/** The bytes of an entry beside its value: an estimate. */
const entryOverhead = 400;

class KeyedEntry<Value> extends CacheEntry {
  readonly bytes: number;

  constructor(
    private readonly entries: Map<string, KeyedEntry<Value>>,
    private readonly key: string,
    readonly value: Value,
    bytes: number,
  ) {
    super();
    this.bytes = entryOverhead + bytes;
  }

  forget(): void {
    this.entries.delete(this.key);
  }
}

/** Values by their keys. */
export class KeyedCache<Value> {
  readonly #entries = new Map<string, KeyedEntry<Value>>();

  constructor(private readonly memory: CacheMemory) {}

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry) entry.wasUsed = true;
    return entry?.value;
  }

  set(key: string, value: Value, bytes: number): void {
    const previous = this.#entries.get(key);
    if (previous) this.memory.remove(previous);
    const entry = new KeyedEntry(this.#entries, key, value, bytes);
    if (!this.memory.hasRoomFor(entry)) return;
    this.#entries.set(key, entry);
    this.memory.add(entry);
    this.memory.evict();
  }
}
