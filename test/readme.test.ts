// The README and docs/ are correct: calls are run, and lines and tables are compared with the code.
// `npm run test:docs` runs the commands.

import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listSettings } from '../src/core/settings/settings.ts';
import { loadLineParser } from '../src/features/export-import/import.ts';
import { formatCommands, withoutAlignment } from './support/command-tables.ts';
import { onBothDatabases } from './support/databases.ts';
import { siteOn } from './support/site.ts';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

onBothDatabases((kind) => {
  test('the calls in the README get the responses that it shows', async () => {
    const site = await siteOn(kind, { dump: read('src/features/demo/gallery.ndjson') });
    const calls = [...read('README.md').matchAll(/^\$ curl 'http:\/\/(localhost:8000)(\/[^']*)'\n(.*)$/gm)];
    expect(calls).toHaveLength(2);

    for (const [, host = '', path = '', shown = ''] of calls) {
      const response = await site.get(path, { Host: host });
      expect([path, await response.text()]).toEqual([path, shown]);
    }
  });
});

test('the lines of a dump in docs/dump.md are exactly as the export writes them', async () => {
  const lines = [...read('docs/dump.md').matchAll(/^\{"type":.*$/gm)].map(([line]) => line);
  const parseLine = await loadLineParser();
  expect(lines.length).toBeGreaterThan(0);

  const written = lines.map((line) => {
    const parsed = parseLine(line);
    return typeof parsed === 'string' ? parsed : parsed.kind.format.stringify(parsed.entry);
  });
  expect(written).toEqual(lines);
});

test('docs/reference/commands.md has every command, with its own options', () => {
  const reference = read('docs/reference/commands.md');
  // `npm run update:commands` writes them.
  expect(withoutAlignment(reference.slice(reference.indexOf('## vitrine ')))).toBe(formatCommands());

  const rows = [...reference.matchAll(/^\| `--([a-z-]+)/gm)].map(([, flag]) => flag as string);
  expect(
    Object.values(listSettings())
      .map(({ flag }) => flag)
      .filter((flag) => !rows.includes(flag)),
  ).toEqual([]);
});

/** The names of headings in links, as GitHub makes them. */
const headingsOf = (path: string) =>
  [
    ...read(path)
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) =>
    heading
      .replaceAll(/\[(.*?)\]\(.*?\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );

test('README and CONTRIBUTING name only files that are there, and CONTRIBUTING every folder of src/', () => {
  const named = ['README.md', 'CONTRIBUTING.md'].flatMap((document) =>
    [...read(document).matchAll(/`((?:src|test|docs|scripts|bench|deploy|clients|moving)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    ),
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const [tree = ''] = read('CONTRIBUTING.md').split('```\nsrc/\n').slice(1);
  expect(folders.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}/`).test(tree))).toEqual([]);
});

test('every link in a document leads to a file, and to a heading in it', () => {
  const documents = ['', 'docs/**/', 'packages/**/', 'moving/**/', 'clients/**/', 'deploy/**/', 'test/**/']
    .flatMap((folder) => [...new Bun.Glob(`${folder}*.md`).scanSync(root)])
    .filter((path) => !path.includes('node_modules/'))
    .sort();
  const links = documents.flatMap((document) =>
    [
      ...read(document)
        .replaceAll(/^ *```.*?^ *```$|`[^`]*`/gms, '')
        .matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g),
    ].map(([, link = '']) => ({ document, link })),
  );
  expect(links.length).toBeGreaterThan(200);

  const broken = links.filter(({ document, link }) => {
    const [path = '', heading] = link.split('#');
    const target = path === '' ? document : join(dirname(document), path);
    return (
      !existsSync(join(root, target)) || (heading !== undefined && !headingsOf(target).includes(heading))
    );
  });
  expect(broken).toEqual([]);
});

test('every page by task has at most 800 words, and the index names it', () => {
  const index = read('docs/README.md');
  const pages = [...index.matchAll(/^## \[.*\]\(([\w-]+\.md)\)$/gm)].map(([, page = '']) => page);
  expect(pages).toEqual([
    'class.md',
    'public-site.md',
    'collections.md',
    'from-django.md',
    'importing-a-table.md',
    'build-on-the-api.md',
  ]);
  for (const page of pages) expect(read(`docs/${page}`).split(/\s+/).length).toBeLessThanOrEqual(800);

  // The other documents are named there too.
  const all = [...new Bun.Glob('**/*.md').scanSync(join(root, 'docs'))].filter(
    (path) => !path.startsWith('decisions/') && path !== 'README.md',
  );
  expect(all.filter((path) => !index.includes(`](${path})`))).toEqual([]);
});

test('all files that the README names exist', () => {
  const paths = [...read('README.md').matchAll(/(?:`|\()((?:src|packages|docs|test|bench)\/[\w./-]+)/g)].map(
    ([, path]) => path as string,
  );

  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
