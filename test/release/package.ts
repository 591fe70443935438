// The package that `npm pack` makes. release.ts installs it with npm, on several versions of Node.

import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../support/databases.ts';
import { serveWith } from '../support/server.ts';
import { packedFile } from './built.ts';

const project = join(import.meta.dir, '../..');

test('the package runs where it is installed, and has only what it needs for that', async () => {
  const folder = temporaryPath('installed');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  await Bun.$`tar -xzf ${await packedFile()}`.cwd(modules);
  await Bun.$`mv package vitrine`.cwd(modules);
  for (const name of readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('vitrine')))
    if (name !== '.bin') symlinkSync(join(project, 'node_modules', name), join(modules, name));
  symlinkSync('../vitrine/scripts/vitrine', join(modules, '.bin/vitrine'));

  const files = [...new Bun.Glob('**/*').scanSync({ cwd: join(modules, 'vitrine'), dot: true })];
  expect(files.filter((file) => !/^(packages\/[\w-]+\/)?src\//.test(file)).sort()).toEqual([
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
});
