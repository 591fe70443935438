import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

const source = join(import.meta.dir, '../src');

/** The layers that a layer may import from. A layer is a folder in src/ or a file directly in it. */
const mayImport: Record<string, string[]> = {
  main: ['commands'],
  commands: [
    'app',
    'api',
    'adopt',
    'backup',
    'copy',
    'doctor',
    'log',
    'mail',
    'metrics',
    'settings',
    'errors',
    'database',
    'files',
    'gallery',
    'rest',
    'shared-caches',
    'tracing',
    'transfers',
    'workers',
  ],
  workers: ['log', 'rest'],
  app: [
    'api',
    'pages',
    'media',
    'authenticator',
    'rest',
    'gallery',
    'database',
    'files',
    'health',
    'limits',
    'log',
    'settings',
    'shared-caches',
    'transfers',
    'webhooks',
  ],
  webhooks: ['authenticator', 'gallery', 'database'],
  transfers: ['rest', 'settings'],
  authenticator: ['rest', 'gallery', 'database'],
  health: ['rest', 'database'],
  limits: ['authenticator', 'rest', 'gallery'],
  log: [],
  settings: [],
  'shared-caches': ['rest', 'gallery', 'database'],
  backup: ['gallery', 'database', 'files'],
  adopt: ['api', 'gallery', 'database', 'files'],
  doctor: ['mail', 'database', 'files', 'settings'],
  tracing: ['log', 'rest', 'settings'],
  mail: ['pages', 'gallery', 'database', 'log', 'settings'],
  metrics: ['app', 'mail', 'gallery', 'database', 'rest', 'settings'],
  copy: ['app', 'authenticator', 'rest', 'gallery', 'database', 'files', 'settings'],
  api: ['authenticator', 'rest', 'gallery', 'database', 'files'],
  media: ['authenticator', 'rest', 'gallery', 'database', 'files'],
  pages: ['authenticator', 'rest', 'gallery', 'database', 'files', 'errors', 'assets'],
  rest: ['refusal-pace'],
  gallery: ['database', 'files'],
  database: [],
  files: [],
  errors: [],
  'event-loop': [],
  'private-files': [],
  fields: [],
  json: [],
  networks: [],
  jsx: [],
  'temporary-file': ['private-files'],
  'request-lifetime': [],
  'shared-call': [],
  'refusal-pace': [],
  'queue-per-person': [],
  'request-queue': ['refusal-pace'],
  'request-trace': [],
  'shared-memory': [],
  'text-rules': [],
  'stored-file': [],
  timeout: [],
  'worker-thread': [],
};

/** All layers may import these. */
const shared = [
  'errors',
  'event-loop',
  'fields',
  'json',
  'networks',
  'jsx',
  'private-files',
  'temporary-file',
  'queue-per-person',
  'request-lifetime',
  'request-queue',
  'request-trace',
  'shared-call',
  'shared-memory',
  'stored-file',
  'text-rules',
  'timeout',
  'worker-thread',
];

const layerOf = (path: string) => (path.split('/')[0] as string).replace(/\.tsx?$/, '');

const imports = [...new Glob('**/*.{ts,tsx}').scanSync(source)].flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/^(?:import|export|\}) .*from '(\.[^']+)'/gm)]
    .map(([, path]) => ({ file, target: normalize(join(dirname(file), path as string)) }))
    .filter(({ target }) => !target.startsWith('..')),
);

test('imports point one way, and layers beside each other do not import each other', () => {
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [layerOf(file), layerOf(target)];
    return from !== to && !shared.includes(to) && !mayImport[from]?.includes(to);
  });

  expect(wrong).toEqual([]);
  expect(imports.length).toBeGreaterThan(100);
});

test('in the gallery, all folders may know the changes and the media, and none knows the dump', () => {
  const folderOf = (path: string) => /^gallery\/(\w+)\//.exec(path)?.[1];
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (from === undefined || to === undefined || from === to) return false;
    return from === 'changes' || (from === 'media' && to !== 'changes') || to === 'dump';
  });

  expect(wrong).toEqual([]);
});

test('only the file that opens databases imports the files of one database', () => {
  const own = /^database\/(sqlite|postgres)[\w-]*\.ts$/;
  const knowing = imports.filter(({ file, target }) => own.test(target) && !own.test(file));

  expect([...new Set(knowing.map(({ file }) => file))]).toEqual(['database/open.ts']);
});
