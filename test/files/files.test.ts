// Both places for files, held to the same: a folder always, and S3 where VITRINE_TEST_S3 says a bucket as `--files`
// does, with its key in the environment.

import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { StorageFull, Unavailable } from '../../src/errors.ts';
import { type Files, openFiles } from '../../src/files/open.ts';
import { temporaryPath } from '../support/databases.ts';

const bucket = process.env.VITRINE_TEST_S3;
const places: [name: string, place: string | undefined][] = [
  ['a folder', temporaryPath('files')],
  ['S3', bucket],
];

const nameOf = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
const hour = 3600_000;
const nothing = async () => new Set<string>();

for (const [name, place = ''] of places) {
  describe.skipIf(place === '')(`in ${name}`, () => {
    const opened: Promise<Files> = place ? openFiles(place) : Promise.reject(new Error('no place'));
    opened.catch(() => {});
    const large = new Uint8Array(7_000_000).map((_, index) => (index * 7) % 251);
    const small = new Uint8Array([1, 2, 3]);
    afterAll(async () => (await opened).sweep(Date.now() + hour, nothing));

    test('what was put is there, whole and in parts', async () => {
      const files = await opened;
      const before = await files.size(nameOf(large));
      await files.put(nameOf(large), large);
      await files.put(nameOf(large), large);
      const part = await files.bytes(nameOf(large), 1000, 2000);
      const sent = await new Response(files.stream(nameOf(large), 0, large.length)).bytes();

      expect([before, await files.size(nameOf(large))]).toEqual([undefined, large.length]);
      expect(Buffer.compare(part, large.slice(1000, 2000))).toBe(0);
      expect(Buffer.compare(sent, large)).toBe(0);
    });

    test('a sweep takes what is old and not used', async () => {
      const files = await opened;
      await files.put(nameOf(large), large);
      await files.put(nameOf(small), small);
      const sizes = async () => [await files.size(nameOf(large)), await files.size(nameOf(small))];
      await files.sweep(Date.now() - hour, nothing);
      const young = await sizes();
      await files.sweep(Date.now() + hour, async () => new Set([nameOf(large)]));
      const used = await sizes();
      await files.sweep(Date.now() + hour, nothing);

      expect([young, used, await sizes()]).toEqual([
        [large.length, 3],
        [large.length, undefined],
        [undefined, undefined],
      ]);
    });
  });
}

test('a folder that cannot be written any more is a failure that passes, and leaves nothing half', async () => {
  const place = temporaryPath('files');
  const files = await openFiles(place);
  await files.put('aa11', new Uint8Array([1]));
  rmSync(`${place}/unfinished`, { recursive: true });
  await Bun.write(`${place}/unfinished`, 'in the way');
  const failure = await files.put('bb22', new Uint8Array([2])).catch((error) => error);
  rmSync(`${place}/unfinished`);
  await files.put('bb22', new Uint8Array([2]));

  expect(failure).toBeInstanceOf(Unavailable);
  expect(await files.size('bb22')).toBe(1);
  expect(readdirSync(`${place}/unfinished`)).toEqual([]);
});

/** A disk of its own, if this may be made here. */
const disk = temporaryPath('disk');
const mounted =
  process.getuid?.() === 0 &&
  Bun.spawnSync(['sh', '-c', `mkdir ${disk} && mount -t tmpfs -o size=1m tmpfs ${disk}`]).success;
afterAll(() => {
  if (mounted) Bun.spawnSync(['umount', disk]);
});

test.skipIf(!mounted)(
  'a full disk is told as that, leaves nothing half, and is not full for ever',
  async () => {
    const files = await openFiles(`${disk}/files`);
    const most = new Uint8Array(800_000);
    await files.put(nameOf(most), most);
    const more = new Uint8Array(800_000).fill(1);
    const failure = await files.put(nameOf(more), more).catch((error) => error);
    const left = readdirSync(`${disk}/files/unfinished`);
    const there = await files.size(nameOf(more));
    await files.sweep(Date.now() + hour, nothing);
    await files.put(nameOf(more), more);

    expect(failure).toBeInstanceOf(StorageFull);
    expect([left, there, await files.size(nameOf(more))]).toEqual([[], undefined, more.length]);
  },
);

test('nobody else may look into the files', async () => {
  const place = temporaryPath('files');
  const files = await openFiles(place);
  await files.put('aa11', new Uint8Array([1]));
  const mode = (await Bun.file(`${place}/aa/aa11`).stat()).mode & 0o777;
  chmodSync(place, 0o700);

  expect([mode.toString(8), existsSync(place)]).toEqual(['600', true]);
});
