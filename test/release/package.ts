// The package that `npm run package` makes. release.ts installs it with npm, on several versions of Node.

import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryPath } from '../support/databases.ts';
import { serveWith } from '../support/server.ts';
import { packedFile } from './built.ts';

const project = join(import.meta.dir, '../..');

const withoutCode = (markdown: string) => markdown.replace(/^```.*?^```/gms, '').replace(/`[^`]*`/g, '');

test('the package runs where it is installed, and has only what it needs for that', async () => {
  const folder = temporaryPath('installed');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  await Bun.$`tar -xzf ${await packedFile()}`.cwd(modules);
  await Bun.$`mv package vitrine`.cwd(modules);
  // All that it needs of npm.
  for (const name of ['bun', 'pagefind', '@pagefind'])
    symlinkSync(join(project, 'node_modules', name), join(modules, name));
  symlinkSync('../vitrine/scripts/vitrine', join(modules, '.bin/vitrine'));

  const packed = join(modules, 'vitrine');
  const files = [...new Bun.Glob('**/*').scanSync({ cwd: packed, dot: true })];
  expect(files.filter((file) => !/^(deploy|docs|program)\//.test(file)).sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'THIRD-PARTY-NOTICES.txt',
    'bench/RESULTS.md',
    'moving/README.md',
    'package.json',
    'packages/clean-files/README.md',
    'packages/rest/README.md',
    'packages/sql/README.md',
    'scripts/bun',
    'scripts/vitrine',
  ]);
  const broken = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...withoutCode(readFileSync(join(packed, file), 'utf8')).matchAll(/\]\(([^)#:\s]+)(#[^)]*)?\)/g)]
        .map(([, path = '']) => join(dirname(file), path))
        .filter((path) => !existsSync(join(packed, path))),
    );
  expect(broken).toEqual([]);
  const command = ['sh', '-c', `cd '${folder}' && exec node_modules/.bin/vitrine "$@"`, 'sh'];
  const server = await serveWith(command, '--demo');
  // Pages, and what another thread renders.
  for (const path of ['/', '/feed.atom']) expect((await fetch(server.address + path)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});
