// The examples of the README run on both databases, with the package as it is published.

import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import root from '../../../package.json';
import { emptyDatabase } from '../../../test/support/databases.ts';
import manifest from '../package.json';

const source = join(import.meta.dir, '..');
const modules = join(source, '../../node_modules');
const folder = mkdtempSync(join(tmpdir(), 'vitrine-sql-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (...command: string[]) => {
  const { exitCode, stdout, stderr } = await Bun.$`${command}`.cwd(folder).nothrow().quiet();
  return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
};

/** A project that has installed the package, and has the examples as its two releases. */
async function install(): Promise<void> {
  const copy = join(folder, 'packages/sql');
  for (const path of ['sql/src', 'sql/package.json', 'sql/tsconfig.json', 'common/src'])
    cpSync(join(source, '..', path), join(folder, 'packages', path), { recursive: true });
  symlinkSync(modules, join(folder, 'packages/node_modules'));
  const built = await run(
    'sh',
    '-c',
    `cd ${copy} && PATH=${modules}/.bin:$PATH && ${manifest.scripts.build}`,
  );
  expect(built).toEqual({ code: 0, out: '', error: '' });

  const installed = join(folder, 'node_modules/vitrine-sql');
  mkdirSync(installed, { recursive: true });
  cpSync(join(copy, 'package.json'), join(installed, 'package.json'));
  cpSync(join(copy, 'dist'), join(installed, 'dist'), { recursive: true });
  rmSync(join(folder, 'packages'), { recursive: true });
  for (const name of ['sql-template-tag', '@opentelemetry', '@types', 'bun-types'])
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const readme = readFileSync(join(source, 'README.md'), 'utf8');
  for (const [index, [, example = '']] of [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].entries())
    writeFileSync(join(folder, `release${index + 1}.ts`), example);
}
const installing = install();

const release = (number: number, address: string) => run(process.execPath, `release${number}.ts`, address);

// Named so, they run on both databases in `npm test`.
describe.each(['SQLite', 'PostgreSQL'] as const)('with %s', (kind) => {
  test('the examples run: a program, and its next release beside it', async () => {
    await installing;
    const address = await emptyDatabase(kind);
    expect(await release(1, address)).toEqual({ code: 0, out: '1 Buy milk\n', error: '' });
    expect(await release(1, address)).toMatchObject({ code: 0, out: '1 Buy milk\n2 Buy milk\n' });
    const steps = ['expand', 'fill', 'index'].map(
      (step, index) => `Migration to schema 2, step ${index + 1} of 3: ${step}\n`,
    );
    // Two processes at once: one does it, and the other waits.
    const migrated = await Promise.all([release(2, address), release(2, address)]);
    expect(migrated.map(({ code, out }) => ({ code, out }))).toEqual([
      { code: 0, out: 'Buy milk 8\n' },
      { code: 0, out: 'Buy milk 8\n' },
    ]);
    const done = kind === 'SQLite' ? 'No copy of before was kept.' : 'The way back is a backup of before.';
    expect(migrated.map(({ error }) => error.replace(/[\d.]+ s\./, 'T s.')).join('')).toBe(
      `${kind === 'SQLite' ? '' : steps.join('')}Schema 1 → 2 in T s. ${done}\n`,
    );
    expect(await release(1, address)).toMatchObject({ code: 0, out: '1 Buy milk\n2 Buy milk\n3 Buy milk\n' });
  });
});

test('the types of the examples are right', async () => {
  await installing;
  const options = '--noEmit --strict --module preserve --target esnext --types bun --pretty false'.split(' ');
  const checked = await run(join(modules, '.bin/tsc'), ...options, 'release1.ts', 'release2.ts');
  expect(checked).toEqual({ code: 0, out: '', error: '' });
});

test('the package has the version of the program, and its dependencies in the versions of the program', () => {
  expect(manifest.version).toBe(root.version);
  expect(root.dependencies).toMatchObject(manifest.dependencies);
});
