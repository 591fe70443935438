// Tests for every kind of file store.

import { afterAll, describe, expect, test } from 'bun:test';
import { openFileStore } from '../../src/core/files/open-store.ts';
import { removeUnused } from '../../src/core/files/store.ts';

const nameOf = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
const hour = 3600_000;
const nothing = async () => new Set<string>();

export function holdsFiles(name: string, place: string): void {
  describe(`in ${name}`, () => {
    const opened = openFileStore(place);
    const large = new Uint8Array(7_000_000).map((_, index) => (index * 7) % 251);
    const small = new Uint8Array([1, 2, 3]);
    afterAll(async () => removeUnused(await opened, Date.now() + hour, nothing));

    test('what was put is there, whole and in parts', async () => {
      const files = await opened;
      const before = await files.size(nameOf(large));
      await files.put(nameOf(large), large);
      await files.put(nameOf(large), large);
      const part = await files.read(nameOf(large), 1000, 2000);
      const sent = await new Response(files.stream(nameOf(large), 0, large.length)).bytes();

      expect([before, await files.size(nameOf(large))]).toEqual([undefined, large.length]);
      expect(Buffer.compare(part, large.slice(1000, 2000))).toBe(0);
      expect(Buffer.compare(sent, large)).toBe(0);
    });

    test('a sweep leaves what has another name than our files', async () => {
      const files = await opened;
      const foreignNames = ['diary.txt', `notes/${nameOf(small)}`, `${nameOf(small)}.txt`];
      for (const foreign of foreignNames) await files.put(foreign, small);
      await removeUnused(files, Date.now() + hour, nothing);

      const sizes = await Promise.all(foreignNames.map((foreign) => files.size(foreign)));
      expect(sizes).toEqual([3, 3, 3]);
    });

    test('a sweep takes what is old and not used', async () => {
      const files = await opened;
      await files.put(nameOf(large), large);
      await files.put(nameOf(small), small);
      const sizes = async () => [await files.size(nameOf(large)), await files.size(nameOf(small))];
      await removeUnused(files, Date.now() - hour, nothing);
      const young = await sizes();
      await removeUnused(files, Date.now() + hour, async () => new Set([nameOf(large)]));
      const used = await sizes();
      await removeUnused(files, Date.now() + hour, nothing);

      expect([young, used, await sizes()]).toEqual([
        [large.length, 3],
        [large.length, undefined],
        [undefined, undefined],
      ]);
    });
  });
}
