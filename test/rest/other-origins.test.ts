// In a real browser, a script of another website reads, and writes with a key if the operator names the website. It can do
// nothing with the visitor's session.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, openWindow } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { type Person, person } from '../support/person.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

let ada: Person;
let origin: string;
/** Pages of two other websites, of which the operator names one. Ada is signed in at the gallery in the same browser. */
let page: Page;
let namedPage: Page;

beforeAll(async () => {
  // The browser sends Ada's cookies from the second one too: they depend on the host, not on the port.
  const [otherSite, namedSite] = [serveEmptyPage('127.0.0.1'), serveEmptyPage('localhost')];
  const site = await siteOn('SQLite', {
    dump: dump(adasLine, project(1, { title: 'Kite' })),
    environment: { VITRINE_CORS_ORIGINS: `https://app.example, ${namedSite}` },
  });
  ada = await person(site, 'ada');
  origin = site.serve();
  const window = await openWindow(await openBrowser(), ada);
  [page, namedPage] = [await window.newPage(), await window.newPage()];
  await Promise.all([page.goto(otherSite), namedPage.goto(namedSite)]);
});

/** Returns the origin of the website. */
function serveEmptyPage(hostname: string): string {
  const fetch = () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
  const server = Bun.serve({ port: 0, hostname, fetch });
  closeLater(() => server.stop(true));
  return server.url.origin;
}

interface SentRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly credentials?: 'include';
}

/** What the page can read of the response: its status, ETag and body; or the error. */
const send = (path: string, init: SentRequest = {}, from = page) =>
  from.evaluate(
    async ([url, options]) => {
      try {
        const response = await fetch(url, options);
        const text = await response.text();
        return { status: response.status, hasEtag: response.headers.has('ETag'), text: text.slice(0, 60) };
      } catch (error) {
        return String(error);
      }
    },
    [origin + path, init] as const,
  );

const refused = 'TypeError: Failed to fetch';
const json = { 'Content-Type': 'application/json' };

test('a script of another website reads the API with its errors, and follows its redirects', async () => {
  const record = { status: 200, hasEtag: true, text: '{"title":"Kite"}' };
  expect(await send('/api/v1/projects/1/?fields=title')).toEqual(record);
  expect(await send('/api/v1/projects/1?fields=title')).toEqual(record);
  expect(await send('/api/v1/projects/1/?fields=title', { headers: { 'If-None-Match': '"x"' } })).toEqual(
    record,
  );
  const notFound = { status: 404, hasEtag: false, text: '{"detail":"Not found."}' };
  expect(await send('/api/v1/projects/9/')).toEqual(notFound);
  expect(await send('/feed.json', { headers: { 'If-None-Match': '"x"' } })).toMatchObject({ status: 200 });
  expect(await send('/oembed?url=nowhere')).toMatchObject({ status: 404 });
});

test('a script of another website writes with a key if the operator names it, and only with a key', async () => {
  const change = { method: 'PATCH', body: '{"title":"Red kite"}' };
  const withKey = { ...change, headers: { ...json, ...(await ada.key()) } };
  expect(await send('/api/v1/projects/1/', withKey)).toBe(refused);
  expect(await send('/api/v1/projects/1/?fields=title', withKey, namedPage)).toEqual({
    status: 200,
    hasEtag: true,
    text: '{"title":"Red kite"}',
  });
  expect(await send('/api/v1/nowhere/', withKey, namedPage)).toMatchObject({ status: 405 });
  const withoutKey = { ...change, headers: json };
  expect(await send('/api/v1/projects/1/', withoutKey, namedPage)).toMatchObject({ status: 401 });
});

test('a script of another website reads and writes nothing by the session of the visitor', async () => {
  for (const from of [page, namedPage]) {
    expect(await send('/api/v1/me/', {}, from)).toMatchObject({ status: 401 });
    expect(await send('/api/v1/me/', { credentials: 'include' }, from)).toBe(refused);
    expect(await send('/', {}, from)).toBe(refused);
    expect(await send('/api/v1/projects/?format=api', {}, from)).toBe(refused);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const copy = { method: 'POST', headers: form, credentials: 'include', body: 'a=b' } as const;
    expect(await send('/api/v1/projects/1/copy/', copy, from)).toBe(refused);
  }
  const own = await (await ada.request('GET', '/api/v1/projects/?contributor=me')).json();
  expect(own).toMatchObject({ count: 1 });
});

test('a script of another website cannot sign in', async () => {
  const signIn = { method: 'POST', headers: json, body: '{"username":"ada","password":"x"}' };
  expect(await send('/api/v1/auth/token/', signIn)).toBe(refused);
  expect(await send('/api/v1/auth/token/', signIn, namedPage)).toBe(refused);
});

test('the example of a stream in the documentation works on another website', async () => {
  const document = readFileSync(join(import.meta.dir, '../../docs/api/following.md'), 'utf8');
  const [, example = ''] = /```js\n(.*?)```/s.exec(document) ?? [];
  const printed: string[] = [];
  const follower = await page.context().newPage();
  follower.on('console', (message) => printed.push(message.text()));
  await follower.goto(page.url());
  const opened = follower.waitForResponse((response) => response.url().includes('/changes/stream/'));
  await follower.evaluate(example.replace('http://localhost:8000', origin));
  expect((await opened).status()).toBe(200);
  await ada.patch('/api/v1/projects/1/', { title: 'Blue kite' });
  await waitFor(() => printed.length > 0);
  expect(printed).toEqual(['project 1: changed']);
});
