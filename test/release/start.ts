// How `npm start` and the commands in the README start the program.

import { expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../support/databases.ts';
import { serveWith } from '../support/server.ts';

const project = join(import.meta.dir, '../..');

test('SIGTERM to npm stops the server', async () => {
  const database = temporaryPath('npm.sqlite');
  const server = await serveWith(['npm', 'run', '-s', 'vitrine', '--'], '--database', database);
  expect(await server.stop()).toBe(0);
  expect(await fetch(server.address).catch((error) => error.code)).toBe('ECONNREFUSED');
});

test('the sources run from another folder, with their threads', async () => {
  const folder = temporaryPath('elsewhere');
  mkdirSync(folder);
  const command = [
    'sh',
    '-c',
    `cd '${folder}' && exec '${project}/scripts/bun' '${project}/src/main.ts' "$@"`,
  ];
  const server = await serveWith([...command, 'sh'], '--demo');
  for (const path of ['/', '/feed.atom']) expect((await fetch(server.address + path)).status).toBe(200);
});

test('a source file that changes takes effect at the next start', async () => {
  const folder = temporaryPath('changing');
  const source = join(folder, 'src/text.ts');
  for (const path of ['src', 'node_modules']) mkdirSync(join(folder, path), { recursive: true });
  symlinkSync(join(project, 'node_modules/bun'), join(folder, 'node_modules/bun'));
  for (const path of ['scripts', 'tsconfig.json'])
    cpSync(join(project, path), join(folder, path), { recursive: true });
  const main =
    "import { text } from './text.ts';\nconsole.log(text, Bun.main.includes('$bunfs'), process.env.MIMALLOC_PURGE_HOLES);";
  writeFileSync(join(folder, 'src/main.ts'), main);
  const run = async () => {
    const { stdout, stderr } = await Bun.$`${folder}/scripts/vitrine`.nothrow().quiet();
    return stdout.toString() + stderr.toString().split('\n', 1);
  };

  // Two starts at once; true says that the program was built and runs, 0 that it keeps freed memory.
  writeFileSync(source, "export const text = 'one';");
  expect(await Promise.all([run(), run()])).toEqual(['one true 0\n', 'one true 0\n']);
  // An older file, such as from an archive.
  writeFileSync(source, "export const text = 'two';");
  utimesSync(source, 0, 0);
  expect(await run()).toBe('two true 0\n');
  writeFileSync(source, 'export const text = ;');
  expect(await run()).toBe('The program cannot be built: error: Unexpected ;.');
  // The folder for the program cannot be made.
  rmSync(join(folder, 'node_modules/.vitrine'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.vitrine'), '');
  writeFileSync(source, "export const text = 'three';");
  expect(await run()).toBe('three false 0\n');
});

test('Bun is installed by its first start if the package manager has not done it', async () => {
  const folder = temporaryPath('without-scripts');
  const bunPackage = join(folder, 'node_modules/bun');
  mkdirSync(join(bunPackage, 'bin'), { recursive: true });
  cpSync(join(project, 'scripts'), join(folder, 'scripts'), { recursive: true });
  const run = () => Bun.$`${folder}/scripts/bun --version`.nothrow().quiet();
  const missing = await run();
  expect([missing.exitCode, missing.stderr.toString()]).toEqual([
    2,
    'vitrine: Bun is not installed. Run npm install first.\n',
  ]);

  const program = join(bunPackage, 'bin/bun.exe');
  writeFileSync(program, 'echo "The install script was not run." >&2\nexit 1\n');
  chmodSync(program, 0o755);
  writeFileSync(join(bunPackage, 'install.js'), "console.error('No such system.'); process.exit(1);");
  const failed = await run();
  expect([failed.exitCode, failed.stderr.toString()]).toEqual([
    2,
    `vitrine: Bun cannot be installed in ${folder}/scripts/../node_modules/bun: No such system.\n`,
  ]);

  writeFileSync(
    join(bunPackage, 'install.js'),
    `const { rmSync, symlinkSync } = require('node:fs');
rmSync(${JSON.stringify(program)});
symlinkSync(${JSON.stringify(process.execPath)}, ${JSON.stringify(program)});`,
  );
  expect((await run()).stdout.toString().trim()).toBe(Bun.version);
});
