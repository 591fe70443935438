// The gallery does not know its features: by itself, it has no errors. Each feature is taken out, with those that use it: their
// folders, and their lines in features/index.ts. What is left has no errors.

import { expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { features } from '../../src/features/index.ts';
import { closeLater } from '../support/closing.ts';

const root = join(import.meta.dir, '../..');

/** The feature and all that use it, or use those: a feature is listed behind those that it uses. */
function withUsers(name: string): readonly string[] {
  const found = [name];
  for (const { name, uses = [] } of features)
    if (uses.some((used) => found.includes(used.name))) found.push(name);
  return found;
}

/** A copy of the program without the features. */
function copyWithout(names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-without-'));
  closeLater(async () => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['src', 'packages', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const list = join(folder, 'src/features/index.ts');
  for (const name of names) {
    rmSync(join(folder, 'src/features', name), { recursive: true });
    const lines = readFileSync(list, 'utf8');
    const [line = '', variable = ''] =
      new RegExp(`^import \\{ (\\w+) \\} from '\\./${name}/.*\n`, 'm').exec(lines) ?? [];
    writeFileSync(list, lines.replace(line, '').replace(new RegExp(`\\b${variable}(,\\s*)?`), ''));
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    readFileSync(join(root, 'tsconfig.json'), 'utf8').replace(/"include": \[[^\]]*\]/, '"include": ["src"]'),
  );
  return folder;
}

/** By one thread: others have work, and several would look at the same types. */
const tsc = ['node_modules/.bin/tsc', '--noEmit', '--singleThreaded'];

const run = async (folder: string, ...command: string[]) => {
  const child = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return [await child.exited, out + errors];
};

test('without any feature, the gallery has no errors', async () => {
  expect(await run(root, ...tsc, '--project', 'tsconfig.core.json')).toEqual([0, '']);
});

const names = features.map(({ name }) => name);
const isNeeded = (name: string) => features.some((one) => one.name === name && one.neededBecause);
const isUsed = (name: string) => features.some(({ uses = [] }) => uses.some((used) => used.name === name));
/** The record of projects is no folder that can be taken out. */
const unused = names.filter((name) => name !== 'projects' && !isUsed(name));

/** Half of those that no other uses. Of any two of them, each is out once while the other is there. */
const halves = Array.from({ length: Math.ceil(Math.log2(unused.length)) }, (_, bit) =>
  [0, 1].map((value) => unused.filter((_, index) => ((index >> bit) & 1) === value)),
).flat();

/** The features that others use, and that a gallery can go without. */
const optional = names.filter((name) => isUsed(name) && !isNeeded(name));

test.each([...halves, ...optional.map(withUsers)].map((without) => [without.join(', '), without]))(
  'without %s, the rest has no errors, and lists the others',
  async (_, without) => {
    const folder = copyWithout([without].flat());
    expect(await run(folder, ...tsc)).toEqual([0, '']);
    const others = names.filter((name) => !without.includes(name));
    const [code, listed] = await run(folder, process.execPath, 'src/main.ts', 'features', '--json');
    expect([code, JSON.parse(String(listed)).map((feature: { name: string }) => feature.name)]).toEqual([
      0,
      others,
    ]);
  },
);
