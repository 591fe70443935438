// `--public-max-age`: what shared caches may keep is the same for all visitors, and only visitors get it.

import { expect, test } from 'bun:test';
import { onOneDatabase } from '../support/databases.ts';
import { pages, serveDemo } from '../support/every-page.ts';
import { visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteAt, siteOn } from '../support/site.ts';

const environment = {
  VITRINE_PUBLIC_MAX_AGE: '60',
  VITRINE_SIGN_UP: 'open',
  VITRINE_SMTP: 'smtp://localhost',
};
const forVisitors = 'public, max-age=0, s-maxage=60, stale-while-revalidate=10';

test('on every path, visitors get what they got without shared caches, and nobody else gets anything to keep', async () => {
  const { site: plain, people } = await serveDemo('SQLite');
  const shared = await siteAt(plain.address, { environment });
  const document = (await plain.json('/api/v1/schema/')) as { paths: Record<string, { get?: object }> };
  const operations = Object.entries(document.paths).filter(([, { get }]) => get);
  const paths = new Set([
    ...operations.map(([path]) => path.replace(/\{\w*id\}/, '59').replace(/\{\w+\}/g, '1')),
    ...Object.values(pages).flatMap((named) => Object.values(named)),
    ...['/feed.atom', '/feed.json', '/sitemap.xml', '/robots.txt', '/projects/59/', '/api/v1/projects/59'],
  ]);
  const others: Record<string, string>[] = [
    await people.contributor.key(),
    people.contributor.browser.headers,
    people.moderator.browser.headers,
    { Authorization: 'Basic YTpi' },
    { Cookie: 'look=dark' },
    { Prefer: 'handling=strict' },
  ];
  const kept: string[] = [];
  for (const path of paths) {
    const [before, now] = [await plain.get(path), await shared.get(path)];
    expect([path, now.status]).toEqual([path, before.status]);
    const cacheControl = now.headers.get('Cache-Control');
    const isKept = now.status < 400 && before.headers.get('Cache-Control') === 'no-cache';
    const isPolled = path.startsWith('/api/v1/changes/');
    expect([path, cacheControl]).toEqual([
      path,
      isKept && !isPolled ? forVisitors : before.headers.get('Cache-Control'),
    ]);
    if (cacheControl === forVisitors) {
      kept.push(path);
      const vary = now.headers.get('Vary')?.split(', ');
      expect([path, vary]).toEqual([
        path,
        expect.arrayContaining([
          ...(before.headers.get('Vary')?.split(', ') ?? []),
          ...['Authorization', 'Cookie', 'Prefer'],
        ]),
      ]);
      for (const name of ['Set-Cookie', 'RateLimit', 'RateLimit-Policy', 'Retry-After'])
        expect([path, now.headers.has(name)]).toEqual([path, false]);
      const body = await now.text();
      expect([path, body.includes('csrfmiddlewaretoken')]).toEqual([path, false]);
      if (!path.includes('format=')) expect([path, body]).toEqual([path, await before.text()]);
    }
    for (const headers of others) {
      const other = await shared.get(path, headers);
      const isFile = other.headers.get('Cache-Control')?.includes('must-revalidate');
      expect([path, headers, isFile || other.headers.get('Cache-Control')]).toEqual([
        path,
        headers,
        isFile || expect.not.stringContaining('public'),
      ]);
    }
  }
  expect(kept).toEqual(
    expect.arrayContaining(['/', '/tags/', '/feed.atom', '/api/v1/projects/', '/robots.txt']),
  );
});

onOneDatabase((kind) => {
  test('a response names what it shows, so that a change purges no other', async () => {
    const lampOfBob = project(2, { title: 'Lamp', contributor: 2 });
    const gallery = dump(adasLine, contributor(2, 'bob'), project(1, { title: 'Kite' }), lampOfBob);
    const site = await siteOn(kind, { dump: gallery, environment });
    const tagsOf = async (path: string) => {
      const { headers } = await visitor(site).get(path);
      expect(headers.get('Cache-Tag')?.split(',').join(' ')).toBe(headers.get('Surrogate-Key') as string);
      return headers.get('Surrogate-Key')?.split(' ').sort();
    };
    const [kite, lamp] = [await tagsOf(pathOf(1)), await tagsOf(pathOf(2))].map((tags) => tags?.at(-1) ?? '');
    expect(kite).not.toBe(lamp);
    expect(await tagsOf('/api/v1/projects/1/')).toEqual(['all', kite as string, 'project-1']);
    expect(await tagsOf('/api/v1/projects/1/?fields=title')).toEqual(['all', 'project-1']);
    expect(await tagsOf(pathOf(1))).toEqual(['all', kite as string]);
    for (const path of ['/', '/api/v1/projects/', '/feed.atom'])
      expect(await tagsOf(path)).toEqual(['all', kite as string, lamp as string].sort());
    const named = '&named=/content/uuid000000000000000002';
    for (const path of [
      '/tags/',
      '/api/v1/projects/?fields=title',
      '/api/v1/projects/?omit=url,html_url',
      `/api/v1/tags/?${named}`,
      `/?search=no${named}`,
    ])
      expect(await tagsOf(path)).toEqual(['all', 'any']);
    expect(await tagsOf('/api/v1/projects/?%66ields=html_url')).toContain('any');
    const { headers } = await visitor(site).get('/api/v1/projects/1/');
    const unchanged = await visitor(site).get('/api/v1/projects/1/', {
      'If-None-Match': headers.get('ETag') ?? '',
    });
    expect([unchanged.status, unchanged.headers.get('Cache-Control')]).toEqual([304, forVisitors]);
    expect(unchanged.headers.get('Surrogate-Key')).toBe(headers.get('Surrogate-Key'));
  });
});
