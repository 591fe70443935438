// The example of the README runs, with the package as it is published: on Node and on Bun.

import { afterAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import root from '../../../package.json';
import { jpeg, locationInXmp, photographer, withMetadata } from '../../../test/support/pictures.ts';
import manifest from '../package.json';

const source = join(import.meta.dir, '..');
const modules = join(source, '../../node_modules');
const folder = mkdtempSync(join(tmpdir(), 'clean-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (...command: string[]) => {
  const { exitCode, stdout, stderr } = await Bun.$`${command}`.cwd(folder).nothrow().quiet();
  return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
};

/** A project that has installed the package. */
async function install(): Promise<void> {
  const installed = join(folder, 'node_modules/vitrine-clean-files');
  mkdirSync(join(folder, 'node_modules/@cantoo'), { recursive: true });
  symlinkSync(join(modules, '@cantoo/pdf-lib'), join(folder, 'node_modules/@cantoo/pdf-lib'));
  mkdirSync(installed);
  cpSync(join(source, 'package.json'), join(installed, 'package.json'));
  const compiled = await run(join(modules, '.bin/tsc'), '-p', source, '--outDir', join(installed, 'dist'));
  expect(compiled).toEqual({ code: 0, out: '', error: '' });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}

test('the example runs on Node and on Bun, and its types are right', async () => {
  await install();
  const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(source, 'README.md'), 'utf8')) ?? [];
  writeFileSync(join(folder, 'example.ts'), example);
  // Without a type annotation, an example is JavaScript too.
  writeFileSync(join(folder, 'example.js'), example);
  const photo = withMetadata(await jpeg(60, 40), 6);
  for (const runtime of ['node', process.execPath]) {
    writeFileSync(join(folder, 'photo.jpg'), photo);
    expect(await run(runtime, 'example.js')).toEqual({ code: 0, out: 'image/jpeg is clean\n', error: '' });
    const cleaned = readFileSync(join(folder, 'clean.jpg'));
    for (const text of [photographer, locationInXmp])
      expect([photo.includes(text), cleaned.includes(text)]).toEqual([true, false]);
    rmSync(join(folder, 'clean.jpg'));

    writeFileSync(join(folder, 'photo.jpg'), photo.subarray(0, -2));
    expect(await run(runtime, 'example.js')).toEqual({
      code: 0,
      out: '',
      error: 'brokenFile The file is broken or cut off.\n',
    });
  }

  symlinkSync(join(modules, '@types'), join(folder, 'node_modules/@types'));
  const options = '--noEmit --strict --module nodenext --target es2023 --types node --pretty false'.split(
    ' ',
  );
  const checked = await run(join(modules, '.bin/tsc'), ...options, 'example.ts');
  expect(checked).toEqual({ code: 0, out: '', error: '' });

  const command = join(folder, 'node_modules/vitrine-clean-files', manifest.bin['clean-files']);
  writeFileSync(join(folder, 'photo.jpg'), photo);
  expect(await run('node', command, 'photo.jpg')).toEqual({
    code: 0,
    out: 'photo.clean.jpg is written.\n',
    error: '',
  });
});

test('the package has the version of the program, and its dependencies in the versions of the program', () => {
  expect(manifest.version).toBe(root.version);
  expect(root.dependencies).toMatchObject(manifest.dependencies);
});
