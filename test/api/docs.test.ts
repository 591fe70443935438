// The documentation, without script and without another host.

import { beforeAll, expect, test } from 'bun:test';
import { ada, dump, type Site, siteOn } from '../support/site.ts';

let site: Site;

beforeAll(async () => {
  site = await siteOn('SQLite', { dump: dump(ada) });
});

const page = async (path: string) => (await site.get(path, { Accept: 'text/html' })).text();

test('every operation is listed, and the schema is a link away', async () => {
  const text = await page('/api/v1/docs/');
  const { paths } = (await site.json('/api/v1/schema/')) as {
    paths: Record<string, Record<string, { summary: string }>>;
  };

  expect(text).toContain('<a href="/api/v1/schema/?format=json">');
  for (const [path, { parameters, ...operations }] of Object.entries(paths)) {
    expect(text).toContain(path);
    for (const { summary } of Object.values(operations))
      expect(text).toContain(`<dd>${Bun.escapeHTML(summary)}</dd>`);
  }
});

test('the API viewer is served by this site, and browsers cache it for ever', async () => {
  const text = await page('/api/v1/docs/');
  const files = [...text.matchAll(/<(?:script|link rel="stylesheet") [^>]*(?:src|href)="([^"]+)"/g)];
  const answers = await Promise.all(files.map(async ([, path = '']) => site.get(path)));

  expect(files.every(([, path]) => /^\/assets\/vitrine-[a-z0-9]+\.(js|css)$/.test(path ?? ''))).toBe(true);
  expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
  expect((await Promise.all(answers.map((answer) => answer.text()))).join()).toContain('SwaggerUIBundle');
  expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
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
    expect(await page(path)).toContain('<a href="/api/v1/docs/">Documentation</a>');
  },
);
