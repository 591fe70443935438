import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';
import manifest from '../package.json';
import { features } from '../src/features/index.ts';

const root = join(import.meta.dir, '..');
const source = join(root, 'src');

/** The files that a file imports or names as threads, types included. */
const specifiersIn = (pattern: string) =>
  [...new Glob(pattern).scanSync(root)].flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /(?:^(?:import|export|\}) (?:.*\bfrom )?|\bimport\(|\bnew URL\()'([^']+)'/gm,
      ),
    ].map(([text, specifier = '']) => ({ file, specifier, isStatic: !text.includes('(') })),
  );

const targetOf = ({ file, specifier }: { file: string; specifier: string }) =>
  normalize(join(dirname(file), specifier));

const imports = ['src', 'packages'].flatMap((folder) =>
  specifiersIn(`${folder}/**/*.{ts,tsx}`)
    .filter(({ file, specifier }) => specifier.startsWith('.') && !file.includes('/node_modules/'))
    .map(({ file, specifier, isStatic }) => ({ file, target: targetOf({ file, specifier }), isStatic })),
);

/** From the ground up: a file may import from its own floor and from those below. */
const floors = ['packages', 'src/core', 'src/projects', 'src/features', 'src/server', 'src/main.ts'];
const floorOf = (path: string) => floors.findIndex((floor) => path === floor || path.startsWith(`${floor}/`));

test('imports point down', () => {
  const upward = imports.filter(({ file, target }) => floorOf(target) > floorOf(file));

  expect(upward).toEqual([]);
  expect(imports.filter(({ file }) => floorOf(file) === -1)).toEqual([]);
  expect(imports.length).toBeGreaterThan(4000);
});

test('only the file that opens databases imports the files of one database', () => {
  const own = /^packages\/sql\/src\/(sqlite|postgres)\//;
  const knowing = imports.filter(({ file, target }) => own.test(target) && !own.test(file));

  expect([...new Set(knowing.map(({ file }) => file))]).toEqual(['packages/sql/src/open.ts']);
});

test('no imports form a circle, those of types included', () => {
  const targets = Map.groupBy(
    imports.filter(({ isStatic }) => isStatic),
    ({ file }) => file,
  );
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file) || path.includes(file)) return;
    for (const { target } of targets.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);

  expect(circles).toEqual([]);
});

const ofFeature = (path: string) => /^src\/features\/([\w-]+)\//.exec(path)?.[1];

test('of the floors above, only the list of the features knows them', () => {
  const declared = new Set(features.map(({ name }) => name));
  const wrong = imports.filter(({ file, target }) => {
    const name = ofFeature(target);
    if (name === undefined || !declared.has(name) || ofFeature(file) !== undefined) return false;
    return file !== 'src/features/index.ts' || target !== `src/features/${name}/feature.ts`;
  });

  expect(wrong).toEqual([]);
});

test('the README of the features has all that they can bring, with the files that ask', () => {
  const declared = [...new Glob('**/*.{ts,tsx}').scanSync(source)].flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const blocks = text.matchAll(
      /declare module '[./]+(?:core\/)?feature\.ts' \{\n {2}interface Feature \{\n(.*?)\n {2}\}/gs,
    );
    return [...blocks].flatMap(([, members = '']) =>
      [...members.matchAll(/^ {4}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name]) => `${name} ${file}`),
    );
  });
  const readme = readFileSync(join(source, 'features/README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `(\w+)` .*\| `([\w./-]+)` +\|$/gm)]
    .map(([, name, file]) => `${name} ${file}`)
    .filter((row) => !row.endsWith('core/feature.ts'));

  expect(rows.sort()).toEqual(declared.sort());
});

test('a feature imports only those that it uses', () => {
  const uses = new Map(features.map(({ name, uses = [] }) => [name, uses.map((used) => used.name)]));
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [ofFeature(file), ofFeature(target)];
    if (from === undefined || to === undefined || from === to) return false;
    return uses.has(from) && uses.has(to) && !uses.get(from)?.includes(to);
  });

  expect(wrong).toEqual([]);
});

/** Released migrations are one list. Comments from before they said for whom they are are looked at where all comments are. */
const knowsTables = /^src\/(core\/migrations\/|projects\/writing\/older-comments\.ts)/;

test('SQL names a table of a feature only in its folder, and in those of features that use it', () => {
  const wrong = [...new Glob('src/**/*.{ts,tsx}').scanSync(root)].flatMap((file) => {
    const own = features.find(({ name }) => name === ofFeature(file));
    const text = readFileSync(join(root, file), 'utf8');
    return features
      .filter((feature) => feature !== own && !own?.uses?.includes(feature) && !knowsTables.test(file))
      .filter(({ name }) => name !== 'projects' || floorOf(file) < floors.indexOf('src/projects'))
      .flatMap(({ tables = [] }) => tables)
      .filter(({ name }) => new RegExp(`\\b(?:from|join|into|update) ${name}\\b`).test(text))
      .map(({ name }) => `${file}: ${name}`);
  });

  expect(wrong).toEqual([]);
  expect(features.flatMap(({ tables = [] }) => tables).length).toBeGreaterThan(10);
});

/** Of `hono/utils/cookie`, `hono`. */
const packageOf = (specifier: string) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

const isPublished = (file: string) =>
  existsSync(join(root, file.split('/').slice(0, 2).join('/'), 'package.json'));

test('a package imports its own files, those of common that are compiled into it, and the packages that it names', () => {
  const specifiers = specifiersIn('packages/*/src/**/*.{ts,tsx}').filter(({ file }) => isPublished(file));
  const wrong = specifiers.filter(({ file, specifier }) => {
    const folder = file.split('/').slice(0, 2).join('/');
    const target = targetOf({ file, specifier });
    if (specifier.startsWith('.'))
      return ![`${folder}/`, 'packages/common/'].some((own) => target.startsWith(own));
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return !/^(node:|bun(:|$))/.test(specifier) && !(packageOf(specifier) in dependencies);
  });
  expect(wrong).toEqual([]);
  expect(specifiers.length).toBeGreaterThan(20);

  const tests = specifiersIn('packages/*/test/**/*.ts');
  expect(tests.filter((one) => targetOf(one).startsWith('src/'))).toEqual([]);
});

test('the program imports a package only by its entries', () => {
  const specifiers = ['src', 'scripts', 'bench'].flatMap((folder) => specifiersIn(`${folder}/**/*.{ts,tsx}`));
  const byPath = specifiers.filter(
    (one) => one.specifier.startsWith('.') && targetOf(one).startsWith('packages/'),
  );
  expect(byPath).toEqual([]);
  const entries = specifiers.filter(({ specifier }) => specifier.startsWith('#'));
  expect(
    entries.filter(
      ({ specifier }) => !(specifier in manifest.imports || /^#(common|rest)\/.*\.\w+$/.test(specifier)),
    ),
  ).toEqual([]);
  expect(entries.length).toBeGreaterThan(2);
});

test('the entries that the program imports are those that are published', () => {
  const published = [...new Glob('packages/*/package.json').scanSync(root)].flatMap((path) => {
    const folder = dirname(path);
    const { exports } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    return Object.entries<{ default: string }>(exports).map(([entry, { default: file }]) => [
      join(folder.replace('packages/', '#'), entry),
      `./${join(folder, file)
        .replace(/\/dist\/(\w+\/src\/)?/, '/src/')
        .replace(/js$/, 'ts')}`,
    ]);
  });
  const entries = Object.entries(manifest.imports).filter(([name]) => !name.endsWith('/*'));
  expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(published));
});
