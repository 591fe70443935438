// Parts of pages, kept by everything that they are made of: a page whose data has changed is rendered again, but not the
// parts of it that are as before. They share the memory of the cached responses.

import { CacheEntry, type CacheMemory } from '../../rest/cache-memory.ts';

/** The bytes of an entry beside its texts: an estimate. */
const entryOverhead = 400;

class CachedFragment extends CacheEntry {
  readonly bytes: number;

  constructor(
    private readonly fragments: Map<string, CachedFragment>,
    private readonly key: string,
    readonly texts: readonly string[],
  ) {
    super();
    this.bytes = texts.reduce((sum, text) => sum + bytesOfText(text), entryOverhead);
  }

  forget(): void {
    this.fragments.delete(this.key);
  }
}

/** Text that is not Latin-1 has two bytes for each character. Looking for it also turns joined texts into one. */
const bytesOfText = (text: string) => (/[^\0-\xff]/.test(text) ? 2 * text.length : text.length);

export class FragmentCache {
  readonly #fragments = new Map<string, CachedFragment>();

  constructor(private readonly memory: CacheMemory) {}

  /** The text that is made of nothing but the inputs, which must survive `JSON.stringify`. */
  text(inputs: readonly unknown[], compute: () => string): string {
    const key = toKey(inputs);
    const [kept] = this.#find(key) ?? [];
    if (kept !== undefined) return kept;
    const text = compute();
    this.#store(key, [text]);
    return text;
  }

  /** The same for several texts; undefined if they could not be computed this time. */
  async texts(
    inputs: readonly unknown[],
    compute: () => Promise<readonly string[] | undefined>,
  ): Promise<readonly string[] | undefined> {
    const key = toKey(inputs);
    const kept = this.#find(key);
    if (kept) return kept;
    const texts = await compute();
    if (texts) this.#store(key, texts);
    return texts;
  }

  #find(key: string): readonly string[] | undefined {
    const fragment = this.#fragments.get(key);
    if (fragment) fragment.wasUsed = true;
    return fragment?.texts;
  }

  #store(key: string, texts: readonly string[]): void {
    const fragment = new CachedFragment(this.#fragments, key, texts);
    // Two requests may have computed the same.
    if (this.#fragments.has(key) || !this.memory.hasRoomFor(fragment)) return;
    this.#fragments.set(key, fragment);
    this.memory.add(fragment);
    this.memory.evict();
  }
}

/** A hash that nobody can find two inputs for: one text must not be shown in place of another. */
const toKey = (inputs: readonly unknown[]) => Bun.SHA256.hash(JSON.stringify(inputs), 'base64');
