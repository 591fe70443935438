import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

const source = join(import.meta.dir, '../src');

/** The layers that a layer may import from, besides `common` and `jsx`, which import nothing else. */
const mayImport: Record<string, string[]> = {
  main: ['commands'],
  commands: [
    'app',
    'api',
    'import-export',
    'copy',
    'doctor',
    'mail',
    'metrics',
    'nats',
    'settings',
    'database',
    'files',
    'gallery',
    'rest',
    'search-engine',
    'shared-caches',
    'tracing',
    'sign-in-service',
    'static-site',
    'workers',
  ],
  'static-site': ['app', 'api', 'assets', 'copy', 'pages', 'gallery', 'database', 'files', 'settings'],
  app: [
    'api',
    'pages',
    'authenticator',
    'rest',
    'gallery',
    'database',
    'files',
    'settings',
    'shared-caches',
    'sign-in-service',
    'webhooks',
    'import-export',
  ],
  'sign-in-service': ['gallery'],
  copy: ['app', 'authenticator', 'rest', 'gallery', 'database', 'files', 'settings'],
  workers: ['rest'],
  metrics: ['app', 'mail', 'gallery', 'database', 'rest', 'settings'],
  mail: ['pages', 'gallery', 'database', 'settings'],
  doctor: ['mail', 'database', 'files', 'settings'],
  webhooks: ['authenticator', 'gallery', 'database'],
  'shared-caches': ['rest', 'gallery', 'database'],
  nats: ['gallery', 'database', 'files'],
  'search-engine': ['gallery', 'database'],
  tracing: ['rest', 'settings'],
  api: ['authenticator', 'import-export', 'rest', 'gallery', 'database', 'files'],
  pages: ['authenticator', 'import-export', 'rest', 'gallery', 'database', 'files', 'assets'],
  authenticator: ['rest', 'gallery', 'database'],
  'import-export': ['gallery', 'database', 'files'],
  gallery: ['database', 'files'],
  rest: [],
  settings: [],
  database: [],
  files: [],
  common: [],
  jsx: [],
};

/** A folder in src/ or a file directly in it. Copying compares the answers of two servers, so it is above them. */
const layerOf = (path: string) =>
  path.startsWith('import-export/copy/') ? 'copy' : (path.split('/')[0] as string).replace(/\.tsx?$/, '');

const imports = [...new Glob('**/*.{ts,tsx}').scanSync(source)].flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/^(?:import|export|\}) .*from '(\.[^']+)'/gm)]
    .map(([, path]) => ({ file, target: normalize(join(dirname(file), path as string)) }))
    .filter(({ target }) => !target.startsWith('..')),
);

test('imports point one way, and layers beside each other do not import each other', () => {
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [layerOf(file), layerOf(target)];
    return from !== to && !['common', 'jsx'].includes(to) && !mayImport[from]?.includes(to);
  });

  expect(wrong).toEqual([]);
  expect(imports.length).toBeGreaterThan(100);
});

test('in the gallery, all folders may know the changes and the media', () => {
  const folderOf = (path: string) => /^gallery\/(\w+)\//.exec(path)?.[1];
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (from === undefined || to === undefined || from === to) return false;
    return from === 'changes' || (from === 'media' && to !== 'changes');
  });

  expect(wrong).toEqual([]);
});

test('of two folders of the gallery, at most one imports the other', () => {
  const folderOf = (path: string) => /^gallery\/([\w-]+)\//.exec(path)?.[1];
  const pairs = new Set(imports.map(({ file, target }) => `${folderOf(file)} ${folderOf(target)}`));
  const mutual = [...pairs].filter((pair) => {
    const [from, to] = pair.split(' ') as [string, string];
    return from < to && pairs.has(`${to} ${from}`) && ![from, to].includes('undefined');
  });

  expect(mutual).toEqual([]);
});

test('only the file that opens databases imports the files of one database', () => {
  const own = /^database\/(sqlite|postgres)\//;
  const knowing = imports.filter(({ file, target }) => own.test(target) && !own.test(file));

  expect([...new Set(knowing.map(({ file }) => file))]).toEqual(['database/open.ts']);
});

test('no imports form a circle, those of types included', () => {
  const targets = Map.groupBy(imports, ({ file }) => file);
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
