// What a script of another website can do in a real browser: read, write with a key, and nothing by the visitor's
// session.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, openWindow } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { type Person, person } from '../support/person.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';
import { waitFor } from '../support/workers.ts';

let ada: Person;
let origin: string;
/** A page of another website, open in a window in which Ada is signed in at the gallery. */
let page: Page;

beforeAll(async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: 'Kite' })) });
  ada = await person(site, 'ada');
  origin = site.serve();
  const otherSite = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response('<!doctype html>'),
  });
  closeLater(() => otherSite.stop(true));
  page = await (await openWindow(await openBrowser(), ada)).newPage();
  await page.goto(`http://127.0.0.1:${otherSite.port}/`);
});

interface SentRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly credentials?: 'include';
}

/** What the page can read of the response: its status, ETag and body; or the error. */
const send = (path: string, init: SentRequest = {}) =>
  page.evaluate(
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
  expect(await send('/feed.json')).toMatchObject({ status: 200 });
});

test('a script of another website writes with a key, and only with a key', async () => {
  const change = { method: 'PATCH', body: '{"title":"Red kite"}' };
  const withKey = { ...change, headers: { ...json, ...(await ada.key()) } };
  expect(await send('/api/v1/projects/1/?fields=title', withKey)).toEqual({
    status: 200,
    hasEtag: true,
    text: '{"title":"Red kite"}',
  });
  expect(await send('/api/v1/projects/1/', { ...change, headers: json })).toMatchObject({ status: 401 });
});

test('a script of another website reads nothing by the session of the visitor', async () => {
  expect(await send('/api/v1/me/')).toMatchObject({ status: 401 });
  expect(await send('/api/v1/me/', { credentials: 'include' })).toBe(refused);
  expect(await send('/')).toBe(refused);
  expect(await send('/api/v1/projects/?format=api')).toBe(refused);
});

test('a script of another website cannot sign in', async () => {
  const signIn = { method: 'POST', headers: json, body: '{"username":"ada","password":"x"}' };
  expect(await send('/api/v1/auth/token/', signIn)).toBe(refused);
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
