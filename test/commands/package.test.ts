// The package describes itself. test/release/package.ts has the package that `npm run package` makes.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import manifest from '../../package.json';
import lock from '../../package-lock.json';
import { makeNotices } from '../../scripts/notices.ts';
import { vitrine } from '../support/server.ts';

test('nothing of ours runs when the package is installed, and its version is written once', () => {
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'prepublish'];
  expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  expect(lock.packages[''].version).toBe(manifest.version);
});

test('the licences of all packages inside are printed: if not, run `npm run update:notices`', async () => {
  const { out } = await vitrine('notices');
  expect(out).toBe(makeNotices(join(import.meta.dir, '../..')));
});

test('vitrine version tells programs what runs', async () => {
  expect((await vitrine('version')).out).toBe(`${manifest.version}\n`);

  const { out } = await vitrine('version', '--json');
  expect(JSON.parse(out)).toEqual({
    version: manifest.version,
    bun: Bun.version,
    schema: expect.any(Number),
    platform: `${process.platform}-${process.arch}`,
  });
  const { code, error } = await vitrine('version', 'all');
  expect([code, error]).toEqual([2, 'vitrine: version takes no "all". See vitrine help.\n']);
});
