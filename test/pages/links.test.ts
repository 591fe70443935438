// Every link, style sheet, script and picture of every page of the demo gallery. Pages are the same on both databases, so
// one is enough.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../support/html.ts';
import { visitor } from '../support/person.ts';
import { siteOn } from '../support/site.ts';

const demo = readFileSync(join(import.meta.dir, '../../src/gallery/demo/gallery.ndjson'), 'utf8');
const origin = 'http://gallery.example';

test('every link and asset of every page exists', async () => {
  const site = await siteOn('SQLite', { dump: demo });
  const statuses = new Map([['/', 0]]);
  for (const path of statuses.keys()) {
    const response = await visitor(site).get(path, { Accept: 'text/html,*/*;q=0.8' });
    statuses.set(path, response.status);
    if (!response.headers.get('Content-Type')?.startsWith('text/html')) continue;
    const page = await readPage(response);
    for (const address of [...page.attributesOf('[href]', 'href'), ...page.attributesOf('[src]', 'src')]) {
      const url = new URL(address, origin + path);
      const pathAndQuery = url.pathname + url.search;
      if (url.origin === origin && !isCombinedQuery(url) && !statuses.has(pathAndQuery))
        statuses.set(pathAndQuery, 0);
    }
  }

  const broken = [...statuses].filter(([path, status]) => status !== 200 && !isExpected(path, status));
  expect(broken).toEqual([]);
  expect([...statuses.keys()].filter((path) => path.startsWith('/assets/'))).toHaveLength(20);
  expect(statuses.size).toBeGreaterThan(150);
});

/** Every list links to itself with one more filter or another order, so there are too many combinations to follow. */
function isCombinedQuery({ searchParams }: URL): boolean {
  return [...searchParams.keys()].filter((name) => name !== 'page').length > 1;
}

/** The documentation links to operations for people who are signed in or for other methods; reports need a sign-in. */
function isExpected(path: string, status: number): boolean {
  return (
    (path.startsWith('/api/v1/') && status === 401) ||
    (path.startsWith('/api/v1/auth/') && status === 405) ||
    (path.endsWith('/report/') && status === 303)
  );
}
