// The cache of responses, as clients can tell: a response from it equals a fresh one, and no client can displace what
// others read.

import { expect, test } from 'bun:test';
import { prepareResponse } from '#rest/prepared-response.ts';
import { ResponseCache } from '#rest/response-cache.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada, contributor, dump, pathOf, project, siteAt, siteOn } from '../support/site.ts';

const host = 'http://localhost';
const text = 'Ein Drachen für grüne Hügel, 🪁 и змей';

/** All of a response except the id of the request. Bun sends no body to HEAD. */
async function wholeResponse(method: string, response: Response) {
  const headers = Object.fromEntries(response.headers);
  delete headers['x-request-id'];
  return { status: response.status, headers, body: method === 'GET' ? await response.text() : '' };
}

test('a response from the cache equals a fresh one: GET, HEAD and 304, by host, Accept and language', async () => {
  const gallery = dump(ada, project(1, { text }), project(2));
  const environment = { VITRINE_ALLOWED_HOSTS: 'localhost,gallery.example' };
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const without = await siteOn('SQLite', {
    dump: gallery,
    environment: { ...environment, VITRINE_CACHE_SIZE: '0' },
  });
  const { headers } = await site.get('/api/v1/projects/1/');
  const conditions: Record<string, string>[] = [
    {},
    { 'If-None-Match': headers.get('ETag') ?? '' },
    { 'If-Modified-Since': headers.get('Last-Modified') ?? '' },
  ];
  const variants: Record<string, string>[] = [
    {},
    { Host: 'gallery.example' },
    { Accept: 'application/json; indent=2' },
    { Accept: 'text/html' },
    { 'Accept-Language': 'es' },
  ];
  for (const path of ['/api/v1/projects/1/', '/api/v1/projects/', '/', pathOf(1)])
    for (const variant of variants)
      for (const condition of conditions)
        for (const method of ['GET', 'HEAD', 'GET']) {
          const init = { method, headers: { ...variant, ...condition } };
          const response = await wholeResponse(method, await site.request(path, init));
          expect(response).toEqual(await wholeResponse(method, await without.request(path, init)));
        }
});

function cacheOf(maxBytes: number) {
  const cache = new ResponseCache(maxBytes, { generation: () => 1, hasChanged: () => false });
  return {
    read(url: string, variant = '', origin = host) {
      if (cache.find(origin, variant, url, 1)) return true;
      cache.store(origin, variant, url, { ...prepareResponse(200, {}, 'x'.repeat(1000)), etag: url }, 1);
      return false;
    },
    bytes: () => cache.memory.bytes,
  };
}

test('random URLs, hosts and Accept headers displace each other, not what people read, and stay in the bound', () => {
  const maxBytes = 1_000_000;
  const { read, bytes } = cacheOf(maxBytes);
  const popular = Array.from({ length: 100 }, (_, index) => `/api/v1/projects/${index}/`);
  const readPopular = () => popular.filter((url) => read(url)).length;
  readPopular();
  readPopular();
  const attacks = [
    (n: number) => read(`/?n=${n}`),
    (n: number) => read('/', `text/html;q=0.${n}${'x'.repeat(2000)}`),
    (n: number) => read('/', '', `http://${n}.example`),
  ];
  for (const attack of attacks) {
    for (let n = 0; n < 5000; n++) {
      attack(n);
      expect(bytes()).toBeLessThanOrEqual(maxBytes);
      if (n % 200 === 0) expect(readPopular()).toBe(popular.length);
    }
  }
});

onBothDatabases((kind) => {
  test('a list that has records in common with another one has all that has changed since', async () => {
    const others = [2, 3, 4].map((id) => project(id, { text: `${text} ${id}`, contributor: 2 }));
    const gallery = dump(ada, contributor(2, 'zoe'), project(1, { text }), ...others);
    const site = await siteOn(kind, {
      dump: gallery,
      environment: { VITRINE_ALLOWED_HOSTS: 'localhost,gallery.example' },
    });
    const lists = [
      '?ordering=title',
      '?page_size=2',
      '?page_size=3&page=1',
      '?cursor=',
      '?search=grune',
      '?id__in=3,1',
    ];
    let round = 0;
    const compare = async () => {
      round++;
      // A new server remembers nothing of before the change.
      const without = await siteAt(site.address, {
        environment: { VITRINE_ALLOWED_HOSTS: 'localhost,gallery.example', VITRINE_CACHE_SIZE: '0' },
      });
      for (const host of ['localhost', 'gallery.example'])
        for (const list of lists) {
          // Each is asked for the first time.
          const path = `/api/v1/projects/${list}&n=${round}`;
          const get = (from: typeof site) => from.request(path, { headers: { Host: host } });
          const [response, expected] = [await get(site), await get(without)];
          expect([path, host, await response.text()]).toEqual([path, host, await expected.text()]);
          expect(response.headers.get('ETag')).toBe(expected.headers.get('ETag'));
        }
    };
    const [owner, admin] = [await person(site, 'ada'), await person(site, 'zoe', { role: 'admin' })];
    await compare();
    const changes = [
      () => owner.patch('/api/v1/projects/1/', { title: 'Another\u2028title', text: 'grüne Wiese' }),
      () => admin.put('/api/v1/projects/1/rating/', { value: 5 }),
      () => owner.patch('/api/v1/me/', { first_name: 'Augusta' }),
      () => admin.patch('/api/v1/projects/3/', { visibility: 'private' }),
      () => admin.delete('/api/v1/projects/2/'),
    ];
    for (const change of changes) {
      const changed = await change();
      expect(changed.ok).toBe(true);
      await compare();
    }
  });
});
