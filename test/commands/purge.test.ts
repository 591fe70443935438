// `serve --purge-url`: shared caches are told what has changed, whichever process has changed it.

import { expect, test } from 'bun:test';
import { startPurging } from '../../src/features/shared-caches/purge.ts';
import { closeLater } from '../support/closing.ts';
import { onBothDatabases } from '../support/databases.ts';
import { vitrine } from '../support/server.ts';
import { siteOn } from '../support/site.ts';
import { stopClock, waitFor } from '../support/waiting.ts';
import { startWorkers, startWorkersIn } from '../support/workers.ts';

/** Stands for a shared cache, and collects the tags that it shall purge. */
function startCache() {
  const state = { tags: new Set<string>(), wholePurges: 0, fails: false, failures: 0 };
  const server = Bun.serve({
    port: 0,
    fetch({ method, headers }) {
      if (state.fails) state.failures++;
      if (state.fails || method !== 'PURGE') return new Response('', { status: 503 });
      if (headers.get('Surrogate-Key') === 'all') state.wholePurges++;
      for (const tag of headers.get('Surrogate-Key')?.split(' ') ?? []) state.tags.add(tag);
      return new Response();
    },
  });
  const hasPurged = (tags: readonly string[]) => () => tags.every((tag) => state.tags.has(tag));
  return { state, hasPurged, url: server.url.href, [Symbol.dispose]: () => void server.stop(true) };
}

onBothDatabases((kind) => {
  test('caches are told what the server or a command changes, also after they could not be reached', async () => {
    using cache = startCache();
    const caching = ['--public-max-age', '60', '--purge-url', cache.url];
    const { server, database, authorization } = await startWorkers(kind, 1, ...caching);
    const headers = {
      Authorization: authorization.replace('Authorization: ', ''),
      'Content-Type': 'application/json',
    };
    const projects = `${server.address}/api/v1/projects/`;
    const send = async (method: string, url: string, body: object) => {
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
      return (await response.json()) as { id: number; html_url: string };
    };
    // After a start nobody knows what a cache has kept.
    await waitFor(cache.hasPurged(['all']));
    // Each purge is repeated.
    await waitFor(() => cache.state.wholePurges >= 2);
    const { id, html_url } = await send('POST', projects, { title: 'Kite', content_type: 'text', text: 'x' });
    const tags: string[] = [];
    for (const path of [
      `/api/v1/projects/${id}/`,
      '/api/v1/projects/',
      '/api/v1/projects/?fields=title',
      new URL(html_url).pathname,
    ])
      tags.push((await fetch(server.address + path)).headers.get('Surrogate-Key')?.split(' ').at(-1) ?? path);

    cache.state.fails = true;
    cache.state.tags.clear();
    await send('PATCH', `${projects}${id}/`, { visibility: 'private' });
    await waitFor(() => cache.state.failures > 0);
    cache.state.fails = false;
    await waitFor(cache.hasPurged(tags));
    expect(cache.state.tags.has('all')).toBe(false);
    await waitFor(() => server.lines.some((line) => line.includes('is purged again')));
    expect(server.lines.filter((line) => line.includes('cannot be purged'))).toHaveLength(1);

    await vitrine('user', 'role', 'ada', 'moderator', '--database', database);
    await waitFor(cache.hasPurged(['all']));
  });
});

/** Stands for a CDN that refuses so many requests, and collects those that purge everything. */
function startCdn(refusals: number) {
  const requests: unknown[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const headers = Object.fromEntries(
        ['Authorization', 'Fastly-Key', 'Surrogate-Key', 'Content-Type'].flatMap((name) => {
          const value = request.headers.get(name);
          return value === null ? [] : [[name, value]];
        }),
      );
      const body = await request.text();
      // The account is a change, too, which purges less.
      if (!/\bany\b/.test(`${headers['Surrogate-Key']} ${body}`))
        requests.push([request.method, pathname, headers, body]);
      return refusals-- > 0
        ? new Response('', { status: 429, headers: { 'Retry-After': '2' } })
        : Response.json({ success: true });
    },
  });
  closeLater(() => server.stop(true));
  return { requests, addressOf: (path: string) => `http://secret%2Btoken@127.0.0.1:${server.port}${path}` };
}

test('Fastly is purged as it documents it, and again when it says', async () => {
  const { requests, addressOf } = startCdn(1);
  const { database } = await siteOn('SQLite');
  const lines: string[] = [];
  const log = {
    info: (line: string) => lines.push(line),
    error: (_: string, error: unknown) => lines.push(`${error}`),
  };
  const clock = stopClock();
  const stop = startPurging(database, [addressOf('/service/S1')], log);
  closeLater(async () => stop());
  const fastly = ['POST', '/service/S1/purge', { 'Fastly-Key': 'secret+token', 'Surrogate-Key': 'all' }, ''];

  clock.advance(200);
  await waitFor(() =>
    lines.some((line) => line.includes('cannot be purged, and is tried again: it answered 429.')),
  );
  clock.advance(1900);
  expect(requests).toEqual([fastly]);
  clock.advance(100);
  await waitFor(() => lines.some((line) => line.includes('is purged again')));
  expect(requests).toEqual([fastly, fastly]);
  expect(lines.join()).not.toContain('secret');
});

test('Cloudflare is purged as it documents it', async () => {
  const { requests, addressOf } = startCdn(0);
  const environment = { VITRINE_PURGE_URLS: addressOf('/client/v4/zones/Z1') };
  await startWorkersIn(environment, 'SQLite', 1, '--public-max-age', '60');
  const headers = { Authorization: 'Bearer secret+token', 'Content-Type': 'application/json' };
  const cloudflare = ['POST', '/client/v4/zones/Z1/purge_cache', headers, '{"tags":["all"]}'];
  expect(await waitFor(() => requests[0])).toEqual(cloudflare);
});

test('an address with a token is not given where others can read it', async () => {
  const address = 'https://token@api.fastly.com/service/S1';
  expect(await vitrine('serve', '--public-max-age', '60', '--purge-url', address)).toEqual({
    code: 2,
    out: '',
    error:
      'vitrine: --purge-url holds a password, which others on this machine could read: set VITRINE_PURGE_URLS instead.\n',
  });
});

test('addresses to purge are of no use without something to keep', async () => {
  expect(await vitrine('serve', '--purge-url', 'http://127.0.0.1:1/')).toEqual({
    code: 2,
    out: '',
    error: 'vitrine: --purge-url needs --public-max-age: without it no shared cache keeps anything.\n',
  });
});
