// The package that `npm pack` makes. `npm run test:release` installs it with npm, on several versions of Node.

import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json';
import lock from '../../package-lock.json';
import { temporaryPath } from '../support/databases.ts';
import { resultOf, serveWith, start, vitrine } from '../support/server.ts';

const project = join(import.meta.dir, '../..');

test('the package runs where it is installed, and has only what it needs for that', async () => {
  const folder = temporaryPath('installed');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  const packed = await resultOf(start(['npm', 'pack', '--json', '--pack-destination', folder], 'ignore'));
  expect(packed.code).toBe(0);
  await Bun.$`tar -xzf ${join(folder, `vitrine-${manifest.version}.tgz`)}`.cwd(modules);
  await Bun.$`mv package vitrine`.cwd(modules);
  for (const name of readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('vitrine')))
    if (name !== '.bin') symlinkSync(join(project, 'node_modules', name), join(modules, name));
  symlinkSync('../vitrine/scripts/vitrine', join(modules, '.bin/vitrine'));

  const files = [...new Bun.Glob('**/*').scanSync({ cwd: join(modules, 'vitrine'), dot: true })];
  expect(files.filter((file) => !file.startsWith('src/')).sort()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'scripts/build.ts',
    'scripts/bun',
    'scripts/vitrine',
    'tsconfig.json',
  ]);
  const command = ['sh', '-c', `cd '${folder}' && exec node_modules/.bin/vitrine "$@"`, 'sh'];
  const server = await serveWith(command, '--demo');
  // Pages, and what another thread renders.
  for (const path of ['/', '/feed.atom']) expect((await fetch(server.address + path)).status).toBe(200);
  expect(await server.stop()).toBe(0);
}, 120_000);

test('nothing of ours runs when the package is installed, and its version is written once', () => {
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'prepublish'];
  expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  expect(lock.packages[''].version).toBe(manifest.version);
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
