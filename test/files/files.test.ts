import { expect, test } from 'bun:test';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { StorageFull, Unavailable } from '#common/errors.ts';
import { openFileStore } from '../../src/core/files/open-store.ts';
import { removeUnused } from '../../src/core/files/store.ts';
import { temporaryPath } from '../support/databases.ts';
import { holdsFiles } from './holds.ts';

holdsFiles('a folder', temporaryPath('files'));

test('a sweep of a folder that holds other things too leaves them, however old they are', async () => {
  const place = temporaryPath('files');
  const foreignPaths = [
    'notes.txt',
    'notes/diary.txt',
    'aa/diary.txt',
    `aa/${'b'.repeat(64)}`,
    `bb/${'b'.repeat(63)}`,
    `BB/${'B'.repeat(64)}`,
    `notes/bb/${'b'.repeat(64)}`,
    'unfinished/letter.txt',
    `unfinished/${'b'.repeat(64)}`,
  ];
  const ownPaths = [`bb/${'b'.repeat(64)}`, `unfinished/${crypto.randomUUID()}`];
  for (const path of [...foreignPaths, ...ownPaths]) await Bun.write(join(place, path), 'text');

  const files = await openFileStore(place);
  await removeUnused(files, Date.now() + 3600_000, async () => new Set());
  const remaining = readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(place, join(parentPath, name)));
  expect(remaining.sort()).toEqual(foreignPaths.sort());
});

test('a folder that is unwritable for a while gives a temporary failure, and no incomplete file', async () => {
  const place = temporaryPath('files');
  const files = await openFileStore(place);
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

test('a full disk is reported, no incomplete file stays, and a file that fits is stored', async () => {
  const place = temporaryPath('files');
  const program = `
    const { openFileStore } = await import(${JSON.stringify(join(import.meta.dir, '../../src/core/files/open-store.ts'))});
    const files = await openFileStore(${JSON.stringify(place)});
    const failure = await files.put('aa11', new Uint8Array(800_000)).catch((error) => error);
    await files.put('bb22', new Uint8Array(80_000));
    console.log(failure.name, await files.size('aa11'), await files.size('bb22'));`;
  // The process may write no file so large, as if the disk were full.
  const limited = Bun.spawn(
    ['sh', '-c', 'trap "" XFSZ; ulimit -f 400; exec "$0" -e "$1"', process.execPath, program],
    { stdout: 'pipe' },
  );

  expect(await new Response(limited.stdout).text()).toBe(`${StorageFull.name} undefined 80000\n`);
  expect(readdirSync(`${place}/unfinished`)).toEqual([]);
});

test('other users of the machine cannot read the files', async () => {
  const place = temporaryPath('files');
  const files = await openFileStore(place);
  await files.put('aa11', new Uint8Array([1]));
  const mode = (await Bun.file(`${place}/aa/aa11`).stat()).mode & 0o777;
  chmodSync(place, 0o700);

  expect([mode.toString(8), existsSync(place)]).toEqual(['600', true]);
});
