// Parts of pages, kept by everything that they are made of: a page whose data has changed is rendered again, but not the
// parts of it that are as before. They share the memory of the cached responses.

import { type CacheMemory, KeyedCache } from '#rest/cache-memory.ts';

/** Text that is not Latin-1 has two bytes for each character. Looking for it also turns joined texts into one. */
export const bytesOfText = (text: string) => (/[^\0-\xff]/.test(text) ? 2 * text.length : text.length);

export class FragmentCache {
  readonly #fragments: KeyedCache<readonly string[]>;

  constructor(memory: CacheMemory) {
    this.#fragments = new KeyedCache(memory);
  }

  /** The text that is made of nothing but the inputs, which must survive `JSON.stringify`. */
  text(inputs: readonly unknown[], compute: () => string): string {
    const key = toKey(inputs);
    const [kept] = this.#fragments.get(key) ?? [];
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
    const kept = this.#fragments.get(key);
    if (kept) return kept;
    const texts = await compute();
    if (texts) this.#store(key, texts);
    return texts;
  }

  #store(key: string, texts: readonly string[]): void {
    const bytes = texts.reduce((sum, text) => sum + bytesOfText(text), 0);
    this.#fragments.set(key, texts, bytes);
  }
}

/** A hash that nobody can find two inputs for: one text must not be shown in place of another. */
const toKey = (inputs: readonly unknown[]) => Bun.SHA256.hash(JSON.stringify(inputs), 'base64');
