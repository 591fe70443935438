// `vitrine-moving shadow`: the gallery serves, and its answers are compared with those of the old site.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { temporaryPath } from '../../test/support/databases.ts';
import { emptyGallery } from '../../test/support/galleries.ts';
import { type Server, startServer } from '../../test/support/server.ts';
import { waitFor } from '../../test/support/workers.ts';
import { moving, run } from './moving.ts';
import { item, type OldSite, startOldSite } from './old-site.ts';

const items = () => Array.from({ length: 12 }, (_, index) => item(index + 10));

/** A gallery that was adopted from the old site, and is served beside it. */
async function startShadow(old: OldSite, database: string, ...options: string[]) {
  await run('adopt', old.address, '--database', database, '--rate', '1000');
  old.requests.length = 0;
  const report = temporaryPath('shadow-report.ndjson');
  const server = await startServer(
    [...moving, 'shadow'],
    [
      ...['--database', database, '--files', temporaryPath('files'), '--old', old.address],
      ...['--rate', '1000', '--report', report, ...options],
    ],
  );
  return { server, report };
}

/** Asks one after another, so that none is left out because of the pace. */
async function readEach(old: OldSite, { address }: Server, ...paths: string[]): Promise<string[]> {
  const bodies: string[] = [];
  for (const path of paths) {
    const before = old.requests.length;
    bodies.push(await (await fetch(`${address}/api/v1/${path}`)).text());
    await untilCompared(old, before + 1);
  }
  return bodies;
}

/** Waits until the old site has so many requests, and then for the comparison of its last response. */
async function untilCompared(old: OldSite, requests: number): Promise<void> {
  await waitFor(() => old.requests.length >= requests);
  await Bun.sleep(300);
}

async function stop(server: Server): Promise<string> {
  await server.stop();
  return (JSON.parse(server.lines.at(-1) ?? '{}') as { message: string }).message;
}

const readReport = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('equal answers are counted, and each difference of status, members and order is reported', async () => {
  const old = startOldSite(items());
  old.pageSize = 20;
  const { server, report } = await startShadow(old, await emptyGallery('SQLite'));
  const paths = ['projects/10/', 'projects/99/', 'projects/?ordering=id&content_type=text'];

  const [record] = await readEach(old, server, ...paths);
  expect(JSON.parse(record ?? '')).toMatchObject({ id: 10, title: 'Item 10' });
  expect(existsSync(report)).toBe(false);

  old.items.set(10, item(10, { title: 'Another title', karma: 3 }));
  old.items.set(99, item(99));
  old.intercept = async (url) => {
    if (!url.search) return undefined;
    old.intercept = () => undefined;
    const page = (await (await fetch(url)).json()) as { results: unknown[] };
    return Response.json({ ...page, count: 12, results: page.results.slice(0, 12).reverse() });
  };
  await readEach(old, server, ...paths);
  expect(await stop(server)).toBe('3 of 6 answers equal.');

  const titles = [
    { member: 'title', old: 'Another title', new: 'Item 10' },
    { member: 'karma', old: 3, new: 0 },
  ];
  const ids = items().map(({ id }) => id);
  expect(readReport(report)).toEqual([
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
  expect(statSync(report).mode & 0o077).toBe(0);
});

test('the old site gets no credentials of clients, no other address and no other parameters', async () => {
  const old = startOldSite(items());
  const options = ['--token', 'secret', '--allowed-host', 'localhost,evil.example'];
  const { server } = await startShadow(old, await emptyGallery('SQLite'), ...options);
  const ask = (path: string, init?: RequestInit) => fetch(`${server.address}${path}`, init);
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
  expect(old.requests.map(({ url }) => url.href)).toEqual([]);

  await ask(`${projects}/?ordering=id%26x%3d%0d%0a`, {
    headers: { Host: 'evil.example', Cookie: 'sessionid=1', 'X-Forwarded-Host': 'evil.example' },
  });
  await untilCompared(old, 1);
  expect(await stop(server)).toEndWith(' answers equal.');
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
  const database = await emptyGallery('SQLite');
  const { server } = await startShadow(old, database, '--rate', '10');
  const flood = async (count: number) => {
    const startedAt = performance.now();
    const responses = await Promise.all(
      Array.from({ length: count }, () => fetch(`${server.address}/api/v1/projects/10/`)),
    );
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    return (performance.now() - startedAt) / 1000;
  };

  const startedAt = performance.now();
  await flood(300);
  await untilCompared(old, 1);
  const seconds = (performance.now() - startedAt) / 1000;
  expect(old.requests.length).toBeLessThanOrEqual(10 * seconds + 2);

  old.intercept = () => new Promise(() => {});
  await Bun.sleep(120);
  const hanging = old.requests.length + 1;
  expect(await flood(50)).toBeLessThan(3);
  await waitFor(() => old.requests.length >= hanging);
  old.intercept = () => new Response('', { status: 503, headers: { 'Retry-After': '3600' } });
  await Bun.sleep(120);
  const before = old.requests.length;
  await flood(1);
  await untilCompared(old, before + 1);
  const requests = old.requests.length;
  await flood(50);
  await Bun.sleep(120);
  expect(old.requests.length).toBe(requests);
  expect(await stop(server)).toMatch(
    /^\d+ of \d+ answers equal; \d+ not compared, to keep the pace; 1 not answered by the old site \(it answers 503\)\.$/,
  );
});

test('an answer of the old site that would take seconds to compare is not compared', async () => {
  const old = startOldSite(items());
  const { server } = await startShadow(old, await emptyGallery('SQLite'));
  const deep = `{"results":[{"id":10,"title":${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}}]}`;
  old.intercept = () => new Response(deep, { headers: { 'Content-Type': 'application/json' } });

  await fetch(`${server.address}/api/v1/projects/?page=1`);
  await untilCompared(old, 1);
  expect(await stop(server)).toBe(
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
  const { server, report } = await startShadow(old, await emptyGallery('SQLite'));
  old.intercept = async (url) => {
    old.intercept = () => undefined;
    const { copied_from, ...record } = (await (await fetch(url)).json()) as Record<string, unknown>;
    const body = JSON.stringify({ ...record, copied_from: 'huge' }).replace('"huge"', '9007199254740993');
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  };
  await readEach(old, server, 'projects/10/');
  await stop(server);
  expect(readReport(report)).toMatchObject([
    { differences: [{ member: 'copied_from', old: '9007199254740993', new: null }] },
  ]);
});
