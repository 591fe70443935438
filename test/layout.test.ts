import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

const source = join(import.meta.dir, '../src');

/** Which rooms a room may look into; files directly in src/ are named, the others by their folder. */
const mayImport: Record<string, string[]> = {
  main: ['commands'],
  commands: ['app', 'log', 'settings', 'errors', 'database', 'files', 'gallery', 'rest'],
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
    'log',
    'settings',
  ],
  authenticator: ['rest', 'gallery', 'database'],
  health: ['rest', 'database'],
  log: [],
  settings: [],
  api: ['authenticator', 'rest', 'gallery', 'database', 'files'],
  media: ['authenticator', 'rest', 'gallery', 'database', 'files'],
  pages: ['authenticator', 'rest', 'gallery', 'database', 'files', 'errors', 'assets'],
  rest: [],
  gallery: ['database', 'files'],
  database: [],
  files: [],
  errors: [],
  fields: [],
  json: [],
  semaphore: [],
  'request-signal': [],
};

/** What every room may use. */
const shared = ['errors', 'fields', 'json', 'semaphore', 'request-signal'];

const roomOf = (path: string) => (path.split('/')[0] as string).replace(/\.tsx?$/, '');

const imports = [...new Glob('**/*.{ts,tsx}').scanSync(source)].flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/^(?:import|export|\}) .*from '(\.[^']+)'/gm)]
    .map(([, path]) => ({ file, target: normalize(join(dirname(file), path as string)) }))
    .filter(({ target }) => !target.startsWith('..')),
);

test('imports point one way, and rooms beside each other do not know each other', () => {
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    return from !== to && !shared.includes(to) && !mayImport[from]?.includes(to);
  });

  expect(wrong).toEqual([]);
  expect(imports.length).toBeGreaterThan(100);
});

test('what the databases are called is known to the file that opens them, and to their own', () => {
  const own = /^database\/(sqlite|postgres)[\w-]*\.ts$/;
  const knowing = imports.filter(({ file, target }) => own.test(target) && !own.test(file));

  expect([...new Set(knowing.map(({ file }) => file))]).toEqual(['database/open.ts']);
});
