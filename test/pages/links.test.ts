import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases } from '../support/databases.ts';
import { Page } from '../support/html.ts';
import { siteOn } from '../support/site.ts';

const demo = readFileSync(join(import.meta.dir, '../../src/gallery/demo/gallery.ndjson'), 'utf8');
const here = 'http://gallery.example';

onBothDatabases((kind) => {
  test('every link and asset of every page exists', async () => {
    const site = await siteOn(kind, { dump: demo });
    const found = new Map([['/', 0]]);
    for (const path of found.keys()) {
      const response = await site.get(path, { Accept: 'text/html,*/*;q=0.8' });
      const text = await response.text();
      found.set(path, response.status);
      if (!response.headers.get('Content-Type')?.startsWith('text/html')) continue;
      const page = new Page(text);
      for (const address of [...page.attributesOf('[href]', 'href'), ...page.attributesOf('[src]', 'src')]) {
        const { origin, pathname, search } = new URL(address, here + path);
        // Every list leads to itself narrowed and sorted in every way: one way at a time will do.
        const ways = [...new URLSearchParams(search).keys()].filter((name) => name !== 'page');
        if (origin === here && ways.length < 2 && !found.has(pathname + search))
          found.set(pathname + search, 0);
      }
    }

    // The documentation leads to what is there for those who are signed in, or who do not only look; a report is theirs.
    const kept = (path: string, status: number) =>
      (path.startsWith('/api/v1/') && status === 401) ||
      (path.startsWith('/api/v1/auth/') && status === 405) ||
      (path.endsWith('/report/') && status === 303);
    const away = ([path, status]: [string, number]) => status !== 200 && !kept(path, status);
    expect([...found].filter(away)).toEqual([]);
    expect([...found.keys()].filter((path) => path.startsWith('/assets/'))).toHaveLength(11);
    expect(found.size).toBeGreaterThan(150);
  });
});
