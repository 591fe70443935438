// `vitrine-moving shadow`: the gallery serves, and its answers are compared with those of the old site.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { copyDatabase, temporaryPath } from '../../test/support/databases.ts';
import { emptyGallery } from '../../test/support/galleries.ts';
import { startServer } from '../../test/support/server.ts';
import { siteAt } from '../../test/support/site.ts';
import { waitFor } from '../../test/support/waiting.ts';
import { buildHeaders } from '../src/adopt-command.ts';
import { OldSite as OldSiteClient } from '../src/old-site.ts';
import { Report } from '../src/report.ts';
import { Shadow } from '../src/shadow.ts';
import { findComparable } from '../src/shadow-command.ts';
import { moving, run } from './moving.ts';
import { item, type OldSite, startOldSite } from './old-site.ts';

const items = () => Array.from({ length: 12 }, (_, index) => item(index + 10));

let adopted: Promise<string> | undefined;

/** A gallery that was adopted from a site with these items. */
async function adoptedGallery(): Promise<string> {
  adopted ??= (async () => {
    const database = await emptyGallery('SQLite');
    await run('adopt', startOldSite(items()).address, '--database', database, '--rate', '1000');
    return database;
  })();
  return copyDatabase('SQLite', await adopted);
}

interface ShadowOptions {
  readonly token?: string;
  readonly rate?: number;
  readonly environment?: Record<string, string>;
}

/** A gallery beside the old site. The clock of the comparisons stands still until the test advances it. */
async function startShadow(old: OldSite, { token = '', rate = 1000, environment }: ShadowOptions = {}) {
  const headers = buildHeaders('vitrine-shadow', { token, login: '', requestHeaders: [] });
  const report = temporaryPath('shadow-report.ndjson');
  const lines = new Report(report);
  let now = 0;
  const shadow = new Shadow(new OldSiteClient(old.address, { headers, requestsPerSecond: rate }), {
    sample: 1,
    requestsPerSecond: rate,
    report: (finding) => lines.add(finding),
    now: () => now,
  });
  const site = await siteAt(await adoptedGallery(), {
    environment,
    observe(context) {
      const answer = findComparable(context);
      if (answer) shadow.compare(answer);
    },
  });
  return {
    site,
    shadow,
    report,
    advance(ms: number) {
      now += ms;
    },
    untilCompared: () => waitFor(() => shadow.running === 0),
  };
}

/** Reads one after another, so that none is left out because of the pace. */
async function readEach(
  { site, advance, untilCompared }: Awaited<ReturnType<typeof startShadow>>,
  ...paths: string[]
): Promise<string[]> {
  const bodies: string[] = [];
  for (const path of paths) {
    advance(1000);
    bodies.push(await (await site.get(`/api/v1/${path}`)).text());
    await untilCompared();
  }
  return bodies;
}

const readReport = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('the command serves the gallery, and says what differs', async () => {
  const old = startOldSite(items());
  const report = temporaryPath('shadow-report.ndjson');
  const options = ['--database', await adoptedGallery(), '--files', temporaryPath('files')];
  const server = await startServer(
    [...moving, 'shadow'],
    [...options, '--old', old.address, '--token', 'secret', '--report', report],
  );
  old.items.set(10, item(10, { title: 'Another title' }));
  const response = await fetch(`${server.address}/api/v1/projects/10/`);
  expect(await response.json()).toMatchObject({ id: 10, title: 'Item 10' });

  await waitFor(() => existsSync(report) && readFileSync(report, 'utf8').endsWith('\n'));
  expect(readReport(report)).toMatchObject([
    { path: '/api/v1/projects/10/', differences: [{ old: 'Another title', new: 'Item 10' }] },
  ]);
  expect(old.requests[0]?.headers.get('Authorization')).toBe('Token secret');
  await server.stop();
  expect(JSON.parse(server.lines.at(-1) ?? '{}')).toMatchObject({ message: '0 of 1 answers equal.' });
});

test('equal answers are counted, and each difference of status, members and order is reported', async () => {
  const old = startOldSite(items());
  old.pageSize = 20;
  const started = await startShadow(old);
  const paths = ['projects/10/', 'projects/99/', 'projects/?ordering=id&content_type=text'];

  const [record] = await readEach(started, ...paths);
  expect(JSON.parse(record ?? '')).toMatchObject({ id: 10, title: 'Item 10' });
  expect(existsSync(started.report)).toBe(false);

  old.items.set(10, item(10, { title: 'Another title', karma: 3 }));
  old.items.set(99, item(99));
  old.intercept = async (url) => {
    if (!url.search) return undefined;
    old.intercept = () => undefined;
    const page = (await (await fetch(url)).json()) as { results: unknown[] };
    return Response.json({ ...page, count: 12, results: page.results.slice(0, 12).reverse() });
  };
  await readEach(started, ...paths);
  expect(started.shadow.summarize()).toBe('3 of 6 answers equal.');

  const titles = [
    { member: 'title', old: 'Another title', new: 'Item 10' },
    { member: 'karma', old: 3, new: 0 },
  ];
  const ids = items().map(({ id }) => id);
  expect(readReport(started.report)).toEqual([
    { at: expect.any(String), path: '/api/v1/projects/10/', differences: titles },
    {
      at: expect.any(String),
      path: '/api/v1/projects/99/',
      differences: [{ member: 'status', old: 200, new: 404 }],
    },
    {
      at: expect.any(String),
      path: '/api/v1/projects/?ordering=id&content_type=text',
      differences: [
        { member: 'order', old: ids.toReversed(), new: ids },
        ...titles.map((difference) => ({ id: 10, ...difference })),
      ],
    },
  ]);
  expect(statSync(started.report).mode & 0o077).toBe(0);
});

test('the old site gets no credentials of clients, no other address and no other parameters', async () => {
  const old = startOldSite(items());
  const environment = { VITRINE_ALLOWED_HOSTS: 'gallery.example,evil.example' };
  const { site, shadow, advance, untilCompared } = await startShadow(old, { token: 'secret', environment });
  const ask = async (path: string, init?: RequestInit) => {
    advance(1000);
    await (await site.request(path, init)).text();
  };
  const projects = '/api/v1/projects';

  await ask(`${projects}/10/`, { headers: { Authorization: 'Token stolen' } });
  await ask(`${projects}/10/`, { method: 'DELETE' });
  await ask(`${projects}/10/`, { headers: { Accept: 'text/html' } });
  for (const path of [
    ...['/', '/api/v1/', '/api/v1/tags/', `${projects}/10/comments/`, `${projects}/?search=private`],
    ...[`${projects}/?page=1&page=2`, `${projects}/..%2f..%2fadmin/`, `//evil.example${projects}/`],
    ...[`${projects}/%31%30/`, `${projects}/?format=csv`, `${projects}/010/`, `${projects}@evil.example/`],
    `${projects}/?ordering=${'a'.repeat(600)}`,
  ])
    await ask(path);
  expect(shadow.running).toBe(0);

  await ask(`${projects}/?ordering=id%26x%3d%0d%0a`, {
    headers: { Host: 'evil.example', Cookie: 'sessionid=1', 'X-Forwarded-Host': 'evil.example' },
  });
  await untilCompared();
  expect(shadow.summarize()).toEndWith(' of 1 answers equal.');
  expect(old.requests.map(({ url }) => url.href)).toEqual([
    `${old.address}projects/?ordering=id%26x%3D%0D%0A`,
  ]);
  expect([...(old.requests[0]?.headers ?? [])]).toEqual(
    expect.arrayContaining([
      ['authorization', 'Token secret'],
      ['host', new URL(old.origin).host],
    ]),
  );
  expect(old.requests[0]?.headers.get('Cookie')).toBeNull();
});

test('a flood is asked at the given pace, and an old site that hangs or is down changes nothing for clients', async () => {
  const old = startOldSite(items());
  const { site, shadow, advance, untilCompared } = await startShadow(old, { rate: 10 });
  const flood = async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => site.get('/api/v1/projects/10/')));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  };

  for (const [ms, requests] of [
    [0, 1],
    [99, 1],
    [1, 2],
  ] as const) {
    advance(ms);
    await flood();
    await untilCompared();
    expect(old.requests).toHaveLength(requests);
  }

  const gate = Promise.withResolvers<void>();
  old.intercept = async () => {
    await gate.promise;
    return new Response('', { status: 503, headers: { 'Retry-After': '3600' } });
  };
  for (let count = 0; count < 6; count++) {
    advance(100);
    await flood();
  }
  expect(shadow.running).toBe(4);
  gate.resolve();
  await untilCompared();
  expect(old.requests).toHaveLength(6);

  old.intercept = () => undefined;
  advance(3_599_999);
  await flood();
  await untilCompared();
  expect(old.requests).toHaveLength(6);
  advance(1);
  await flood();
  await untilCompared();
  expect(shadow.summarize()).toBe(
    '3 of 3 answers equal; 543 not compared, to keep the pace; 4 not answered by the old site (it answers 503).',
  );
});

test('an answer of the old site that would take seconds to compare is not compared', async () => {
  const old = startOldSite(items());
  const started = await startShadow(old);
  const deep = `{"results":[{"id":10,"title":${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}}]}`;
  old.intercept = () => new Response(deep, { headers: { 'Content-Type': 'application/json' } });

  await readEach(started, 'projects/?page=1');
  expect(started.shadow.summarize()).toBe(
    '0 of 0 answers equal; 1 not answered by the old site (/api/v1/projects/?page=1 cannot be compared: it is nested too deeply.).',
  );
});

test('a wrong option is one sentence', async () => {
  const database = ['--database', await emptyGallery('SQLite')];
  const errors = await Promise.all(
    [[], ['--old', 'file:///etc/passwd'], ['--old', 'https://old.example.org/', '--sample', '0%']].map(
      async (options) => await run('shadow', ...database, ...options),
    ),
  );
  expect(errors).toEqual(
    [
      'It is: vitrine-moving shadow --old https://old.example.org/api/v1/',
      '"file:///etc/passwd" is not the address of an API, such as https://old.example.org/api/v1/.',
      '--sample must be a percentage such as 10%, more than 0% and up to 100%; it was "0%".',
    ].map((sentence) => ({ code: 2, out: '', error: `vitrine-moving: ${sentence}\n` })),
  );
});

test('ids that JavaScript would round are compared exactly', async () => {
  const old = startOldSite(items());
  const started = await startShadow(old);
  old.intercept = async (url) => {
    old.intercept = () => undefined;
    const { copied_from, ...record } = (await (await fetch(url)).json()) as Record<string, unknown>;
    const body = JSON.stringify({ ...record, copied_from: 'huge' }).replace('"huge"', '9007199254740993');
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  };
  await readEach(started, 'projects/10/');
  expect(readReport(started.report)).toMatchObject([
    { differences: [{ member: 'copied_from', old: '9007199254740993', new: null }] },
  ]);
});
