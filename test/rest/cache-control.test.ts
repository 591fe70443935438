// Every response says whether caches may store it, and no error may be stored.

import { beforeAll, expect, test } from 'bun:test';
import { StorageFull, Unavailable } from '#common/errors.ts';
import { onOneDatabase } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  pathOf,
  project,
  type Site,
  siteAt,
  siteOn,
} from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1),
  project(2, { contributor: 2 }),
  project(3, { content_type: 'comment', parent: 1, contributor: 2 }),
  project(4, { visibility: 'private' }),
);

onOneDatabase((kind) => {
  let site: Site;
  let ada: Person;
  let anonymous: Person;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
    ada = await person(site, 'ada');
    anonymous = visitor(site);
  });

  /** Status and Cache-Control of a response. */
  const cachingOf = ({ status, headers }: Response) => [status, headers.get('Cache-Control')];

  const reads: [path: string, headers: Record<string, string>, status: number][] = [
    ['/api/v1/nowhere/', {}, 404],
    ['/api/nothing', {}, 301],
    ['/api/v1/projects/1', {}, 301],
    ['/api/v1/projects/99/', {}, 404],
    ['/api/v1/projects/x/', {}, 404],
    ['/api/v1/projects/?page=9', {}, 404],
    ['/api/v1/projects/?cursor=x', {}, 404],
    ['/api/v1/projects/1/?format=xml', {}, 404],
    ['/api/v1/projects/?content_type=x', {}, 400],
    ['/api/v1/projects/?x%00=1', {}, 400],
    ['/api/v1/projects/', { Host: 'elsewhere.example' }, 400],
    ['/api/v1/projects/', { Prefer: 'handling=strict', Authorization: 'Token x' }, 401],
    ['/api/v1/me/', {}, 401],
    ['/api/v1/projects/', { Accept: 'image/png' }, 406],
    ['/api/v1/projects/99/?format=api', {}, 404],
    ['/api/v1/projects/99/', { Accept: 'application/problem+json' }, 404],
    ['/', { Host: 'elsewhere.example' }, 400],
    ['/?content_type=x', {}, 400],
    ['/nowhere/', {}, 404],
    [pathOf(99), {}, 404],
    [pathOf(1, 'other'), {}, 301],
    ['/new/text/', {}, 303],
    ['/contributors/1-ada/?format=json', {}, 302],
    ['/contributors/9-none/', {}, 404],
    ['/assets/none.css', {}, 404],
    ['/oembed', {}, 400],
    ['/feed.atom?content_type=x', {}, 400],
    ['/sitemaps/9.xml', {}, 404],
    [`/media/${'0'.repeat(64)}.png`, {}, 404],
    ['/media/x', {}, 404],
    ['/media/x', { Host: 'elsewhere.example' }, 400],
    ['/readyz', {}, 200],
    ['/livez', {}, 200],
    ['/robots.txt', {}, 200],
    ['/sitemap.xml', {}, 200],
  ];

  for (const method of ['GET', 'HEAD'])
    test.each(reads)(`${method} %s %j says whether it may be stored`, async (path, headers, status) => {
      const response = await anonymous.request(method, path, undefined, headers);
      const isStorable = status < 400 && status !== 303 && !/^\/(livez|readyz)/.test(path);
      expect(cachingOf(response)).toEqual([status, isStorable ? 'no-cache' : 'no-store']);
    });

  const ownPages = [
    ...[
      '/account/',
      '/account/password/',
      '/account/leave/',
      '/account/keys/',
      '/mine/',
      '/new/',
      '/new/text/',
    ],
    ...[`${pathOf(1)}edit/`, `${pathOf(1)}trash/`, `${pathOf(1)}files/`, `${pathOf(1)}history/`, pathOf(4)],
  ];
  const ownResponses = ['me/', 'me/dump/', 'auth/keys/', 'auth/session/', 'trash/'].map(
    (path) => `/api/v1/${path}`,
  );
  test('what only its owner may see is not stored, and other pages are', async () => {
    for (const path of ownPages)
      expect([path, ...cachingOf(await ada.browser.get(path))]).toEqual([path, 200, 'no-store']);
    for (const path of [...ownResponses, '/api/v1/me/?format=api']) {
      const [status, caching] = cachingOf(await ada.get(path));
      expect([path, status, String(caching).split(', ').at(-1)]).toEqual([path, 200, 'no-store']);
    }
    for (const path of ['/', pathOf(1), '/tags/'])
      expect([path, ...cachingOf(await ada.browser.get(path))]).toEqual([path, 200, 'private, no-cache']);
    expect(cachingOf(await ada.get('/api/v1/projects/1/'))).toEqual([200, 'private, no-cache']);
    const mo = await person(site, 'bob', { role: 'moderator' });
    for (const path of ['/moderation/', '/moderation/log/', '/moderation/people/', '/moderation/trash/'])
      expect([path, ...cachingOf(await mo.browser.get(path))]).toEqual([path, 200, 'no-store']);
    for (const path of ['/api/v1/reports/', '/api/v1/decisions/'])
      expect([path, ...cachingOf(await mo.get(path))]).toEqual([path, 200, 'no-store']);
  });

  test('a response without content says whether it may be stored', async () => {
    const { headers } = await anonymous.get('/api/v1/projects/1/');
    const unchanged = await anonymous.get('/api/v1/projects/1/', {
      'If-None-Match': headers.get('ETag') ?? '',
    });
    expect(cachingOf(unchanged)).toEqual([304, 'no-cache']);
    expect(cachingOf(await anonymous.request('OPTIONS', '/api/v1/projects/'))).toEqual([200, 'no-cache']);
    expect(cachingOf(await ada.request('OPTIONS', '/api/v1/projects/'))).toEqual([200, 'private, no-cache']);
    const { id } = (await (await ada.post('/api/v1/projects/', { title: 'Lamp' })).json()) as { id: number };
    expect(cachingOf(await ada.delete(`/api/v1/projects/${id}/`))).toEqual([204, 'private, no-cache']);
  });

  const text = { 'Content-Type': 'text/plain' };
  const writes: [
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    status: number,
  ][] = [
    ['POST', '/api/v1/projects/', {}, {}, 400],
    ['POST', '/api/v1/projects/?format=api', {}, {}, 400],
    ['PATCH', '/api/v1/projects/2/', { title: 'Lamp' }, {}, 403],
    ['POST', '/api/v1/projects/1/', {}, {}, 405],
    ['PUT', '/api/v1/nowhere/', {}, {}, 405],
    ['PATCH', '/api/v1/projects/1/', { title: 'Lamp' }, { 'If-Match': '"other"' }, 412],
    ['POST', '/api/v1/projects/', 'x'.repeat(3 * 1024 * 1024), {}, 413],
    ['POST', '/api/v1/projects/', 'x', text, 415],
    ['POST', '/', {}, {}, 405],
    ['POST', '/nowhere/', {}, {}, 405],
    ['DELETE', '/feed.atom', undefined, {}, 405],
    ['OPTIONS', '/', undefined, {}, 405],
    ['POST', '/preview/', 'x', text, 415],
    ['POST', `/media/${'0'.repeat(64)}.png`, {}, {}, 405],
  ];
  test.each(writes)('%s %s may not be stored', async (method, path, body, headers, status) => {
    expect(cachingOf(await ada.request(method, path, body, headers))).toEqual([status, 'no-store']);
  });

  test('a form that was refused may not be stored', async () => {
    const refused = await ada.browser.send('/new/text/', { title: '' });
    expect(cachingOf(refused)).toEqual([400, 'no-store']);
    const withoutToken = await ada.browser.send('/new/text/', { title: 'a', csrfmiddlewaretoken: 'x' });
    expect(cachingOf(withoutToken)).toEqual([403, 'no-store']);
  });

  test('a request that was sent twice in two forms may not be stored', async () => {
    const once = { 'Idempotency-Key': 'once' };
    await ada.post('/api/v1/projects/', { title: 'Lamp' }, once);
    const reused = await ada.post('/api/v1/projects/', { title: 'Other' }, once);
    expect(cachingOf(reused)).toEqual([422, 'no-store']);
  });

  test('a request over the limit may not be stored', async () => {
    const limited = await siteAt(site.address, { environment: { VITRINE_READ_LIMIT: '1' } });
    await visitor(limited).get('/');
    for (const path of ['/', '/api/v1/', '/feed.atom', '/media/x'])
      expect(cachingOf(await visitor(limited).get(path))).toEqual([429, 'no-store']);
  });

  test.each([
    [503, new Unavailable('the disk fails')],
    [507, new StorageFull('the disk is full')],
    [500, new Error('a bug')],
  ])('a failure of the server may not be stored: %d', async (status, error) => {
    const broken = await siteOn(kind, { dump: gallery });
    broken.database.all = () => Promise.reject(error);
    for (const path of ['/api/v1/projects/', '/api/v1/projects/?format=api', '/', '/feed.json'])
      expect(cachingOf(await visitor(broken).get(path))).toEqual([status, 'no-store']);
  });
});
