// What the README and docs/ say is true.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../src/settings.ts';
import { onBothDatabases } from './support/databases.ts';
import { siteOn } from './support/site.ts';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

onBothDatabases((kind) => {
  test('the calls in the README answer what it shows', async () => {
    const site = await siteOn(kind, { dump: read('src/gallery/demo/gallery.ndjson') });
    const calls = [...read('README.md').matchAll(/^\$ curl 'http:\/\/(localhost:8000)(\/[^']*)'\n(.*)$/gm)];
    const heard = [];
    for (const [, host = '', path = ''] of calls)
      heard.push(await (await site.get(path, { Host: host })).text());
    await site.close();

    expect(calls).toHaveLength(2);
    expect(heard).toEqual(calls.map(([, , , shown]) => shown as string));
  });
});

test('the settings in docs/running.md are those of the program', () => {
  const rows = [
    ...read('docs/running.md').matchAll(
      /^\| `--([a-z-]+)` +\| `([A-Z_]+)` +\| (?:`([^`]*)`)? *\| (.*?) +\|$/gm,
    ),
  ];

  expect(rows.map(([, flag, variable, fallback = '', help]) => ({ flag, variable, fallback, help }))).toEqual(
    Object.values(settings).map(({ flag, variable, fallback, help }) => ({ flag, variable, fallback, help })),
  );
});

test('what the README names is there', () => {
  const text = read('README.md');
  const named = [...text.matchAll(/(?:`|\()((?:src|docs|test|bench)\/[\w./-]+)/g)].map(
    ([, path]) => path as string,
  );
  const missing = named.filter((path) => !existsSync(join(root, path)));

  expect(missing).toEqual([]);
});
