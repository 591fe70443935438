// The documentation, without script and without another host.

import { beforeAll, expect, test } from 'bun:test';
import { readPage } from '../support/html.ts';
import { ada, dump, type Site, siteOn } from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await siteOn('SQLite', { dump: dump(ada) });
});

const open = async (path: string) => readPage(await site.get(path, { Accept: 'text/html' }));

test('every operation is listed, and the schema is a link away', async () => {
  const page = await open('/api/v1/docs/');
  const { paths } = (await site.json('/api/v1/schema/')) as {
    paths: Record<string, Record<string, { summary: string }>>;
  };

  expect(page.hasLink('/api/v1/schema/?format=json')).toBe(true);
  const summaries = page.textsOf('dd');
  for (const [path, { parameters, ...operations }] of Object.entries(paths)) {
    expect(page.text).toContain(path);
    for (const { summary } of Object.values(operations)) expect(summaries).toContain(summary);
  }
});

test('the API viewer is served by this site, and browsers cache it for a year', async () => {
  const page = await open('/api/v1/docs/');
  const paths = [
    ...page.attributesOf('script', 'src'),
    ...page.attributesOf('link[rel="stylesheet"]', 'href'),
  ];

  let text = '';
  for (const path of paths) {
    expect(path).toMatch(/^\/assets\/vitrine-[a-z0-9]+\.(js|css)$/);
    const response = await site.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    text += await response.text();
  }
  expect(text).toContain('SwaggerUIBundle');

  const links = [...page.attributesOf('[src]', 'src'), ...page.attributesOf('[href]', 'href')];
  expect(links.filter((link) => /^(https?:)?\/\//.test(link))).toEqual([]);
});

test('responses link to the description of the API', async () => {
  const root = await site.get('/api/v1/');

  expect(root.headers.get('Link')).toBe(
    '</api/v1/schema/>; rel="service-desc", </api/v1/docs/>; rel="service-doc"',
  );
  expect(await site.json('/api/v1/docs/')).toEqual({ schema: 'http://gallery.example/api/v1/schema/' });
});

test.each(['/api/v1/', '/api/v1/projects/', '/api/v1/projects/99/', '/api/v1/auth/session/'])(
  'the page at %p leads to the documentation',
  async (path) => {
    expect((await open(path)).textsOf('a[href="/api/v1/docs/"]')).toContain('Documentation');
  },
);
