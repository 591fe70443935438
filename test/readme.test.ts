// The README and docs/ are correct: calls are run, and lines and tables are compared with the code.
// `npm run test:docs` runs the commands.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLine } from '../src/import-export/dump/import.ts';
import { settings } from '../src/settings/settings.ts';
import { onBothDatabases } from './support/databases.ts';
import { siteOn } from './support/site.ts';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

onBothDatabases((kind) => {
  test('the calls in the README get the responses that it shows', async () => {
    const site = await siteOn(kind, { dump: read('src/gallery/demo/gallery.ndjson') });
    const calls = [...read('README.md').matchAll(/^\$ curl 'http:\/\/(localhost:8000)(\/[^']*)'\n(.*)$/gm)];
    expect(calls).toHaveLength(2);

    for (const [, host = '', path = '', shown = ''] of calls) {
      const response = await site.get(path, { Host: host });
      expect([path, await response.text()]).toEqual([path, shown]);
    }
  });
});

test('the lines of a dump in docs/dump.md are exactly as the export writes them', () => {
  const lines = [...read('docs/dump.md').matchAll(/^\{"type":.*$/gm)].map(([line]) => line);
  expect(lines).toHaveLength(25);

  const written = lines.map((line) => {
    const parsed = parseLine(line);
    return typeof parsed === 'string' ? parsed : parsed.kind.format.stringify(parsed.entry);
  });
  expect(written).toEqual(lines);
});

test('the table of settings in docs/running.md has every setting of the program', () => {
  const rows = [
    ...read('docs/running.md').matchAll(
      /^\| `--([a-z-]+)` +\| `([A-Z_]+)` +\| (?:`([^`]*)`)? *\| (.*?) +\|$/gm,
    ),
  ];

  expect(rows.map(([, flag, variable, fallback = '', help]) => ({ flag, variable, fallback, help }))).toEqual(
    Object.values(settings).map(({ flag, variable, fallback, help }) => ({ flag, variable, fallback, help })),
  );
});

test('all files that the README names exist', () => {
  const paths = [...read('README.md').matchAll(/(?:`|\()((?:src|docs|test|bench)\/[\w./-]+)/g)].map(
    ([, path]) => path as string,
  );

  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
