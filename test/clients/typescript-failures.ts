// npm run test:clients: the client of clients/typescript while servers and connections fail, in Bun, Node and Deno.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Runtime, runWithClient } from '../support/client-package.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import {
  cut,
  type Reply,
  type RudeServer,
  reply,
  startRudeServer,
  streamOf,
} from '../support/rude-server.ts';
import { ada, dump, siteOn } from '../support/site.ts';

const source = await Bun.file(join(import.meta.dir, '../support/client-scenarios.ts')).text();
const program = new Bun.Transpiler({ loader: 'ts' })
  .transformSync(source)
  .replace('../../clients/typescript/src/index.ts', 'vitrine-client');

const runtimes: readonly Runtime[] = ['Bun', 'Node', 'Deno'];
/** Deno 2.9.5 sends a request again by itself when the connection is lost, and 2.9.6 does not. */
const exactRuntimes: readonly Runtime[] = ['Bun', 'Node'];

type Answers = Parameters<typeof startRudeServer>;

const run = (scenario: string, ...answers: Answers) => runIn(runtimes, scenario, ...answers);

/** The output of a scenario, which must be the same in all runtimes. Each has a server of its own. */
async function runIn(runtimes: readonly Runtime[], scenario: string, ...answers: Answers) {
  const outcomes = await Promise.all(
    runtimes.map(async (runtime) => {
      const { address, requests } = await startRudeServer(...answers);
      const { stdout, stderr } = await runWithClient(runtime, program, scenario, address);
      expect([runtime, stderr]).toEqual([runtime, '']);
      return { printed: JSON.parse(stdout), requests };
    }),
  );
  const printed = outcomes[0]?.printed;
  expect(outcomes.map((outcome) => outcome.printed)).toEqual(outcomes.map(() => printed));
  return { printed, requests: outcomes.map(({ requests }) => requests) };
}

/** The same for each runtime. */
const each = <Value>(value: Value): Value[] => runtimes.map(() => value);

const header = (requests: RudeServer['requests'][], name: string) =>
  requests.map((all) => all.map(({ headers }) => headers.get(name)));

const kite = { id: 1, title: 'Kite', modified: '2024-01-01T00:00:01.000001+00:00' };
const busy = (status: number, seconds: number | string) =>
  reply(status, { detail: 'Later.' }, { 'Retry-After': String(seconds), 'X-Request-Id': 'abc-1' });
const entry = (sequence: number, action = 'changed') =>
  JSON.stringify({ sequence, at: '', action, kind: 'project', id: 1, url: '' });
const event = (sequence: number, action?: string) => `id: ${sequence}\ndata: ${entry(sequence, action)}\n\n`;

test('a request is sent again after 503, 429 and a lost connection', async () => {
  const { printed, requests } = await run('get', busy(503, 0), cut(), busy(429, 0), reply(200, kite));
  expect(printed).toBe('Kite');
  expect(requests.map((all) => all.length)).toEqual(each(4));
});

test('a wait of more than a minute is an error, which says how long', async () => {
  const { printed, requests } = await run('get', busy(429, 3600));
  expect(printed).toEqual({
    error: 'GalleryError',
    status: 429,
    detail: 'Later.',
    fields: {},
    requestId: 'abc-1',
    retryAfter: 3600,
  });
  expect(requests.map((all) => all.length)).toEqual(each(1));
});

test('a list goes on at the address that the program knows, whatever address the gallery believes to have', async () => {
  const next = 'http://internal.example/api/v1/projects/?cursor=abc&page_size=100&tags=a%2Cb';
  const { printed, requests } = await run(
    'list',
    reply(200, { next, previous: null, results: [kite] }),
    cut(),
    reply(200, { next: null, previous: null, results: [{ ...kite, title: 'Last' }] }),
  );
  expect(printed).toEqual(['Kite', 'Last']);
  const queries = requests.map((all) => all.map(({ url }) => new URL(url).search));
  const rest = '&tags=a%2Cb';
  const expected = [
    `?page_size=100${rest}&cursor=`,
    `?page_size=100${rest}&cursor=abc`,
    `?page_size=100${rest}&cursor=abc`,
  ];
  expect(queries).toEqual(each(expected));
});

onBothDatabases((kind) => {
  test('a create that lost its response makes one project', async () => {
    const site = await siteOn(kind, { dump: dump(ada) });
    const adas = await person(site, 'ada');
    const forward = async (request: Request) =>
      adas.request('POST', '/api/v1/projects/', await request.json(), {
        'Idempotency-Key': request.headers.get('Idempotency-Key') ?? '',
      });
    const lose = async (request: Request): Promise<Reply> => {
      const text = await (await forward(request)).text();
      return cut(`HTTP/1.1 201 Created\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, 40)}`);
    };
    const { printed, requests } = await run('create', lose, async (request) => {
      const response = await forward(request);
      return reply(response.status, await response.text());
    });
    expect(printed).toBe('Kite');
    expect(requests.map((all) => all.length)).toEqual(each(2));
    const { count } = await adas.json<{ count: number }>('/api/v1/projects/');
    expect(count).toBe(runtimes.length);
  });
});

test('an update of a record that came without an ETag reads it first, and is not sent twice', async () => {
  const current = reply(200, kite, { ETag: '"v1"' });
  const { printed, requests } = await runIn(exactRuntimes, 'updateFromList', current, cut());
  expect(printed).toMatchObject({ error: 'ConnectionLost', status: 0 });
  expect(header(requests, 'If-Match')).toEqual(exactRuntimes.map(() => [null, '"v1"']));

  const changed = reply(200, { ...kite, modified: '2024-01-02T00:00:01.000001+00:00' }, { ETag: '"v2"' });
  const late = await run('updateFromList', changed);
  expect(late.printed).toMatchObject({ error: 'Conflict', status: 412 });
  expect(late.requests.map((all) => all.length)).toEqual(each(1));

  const between = await run('updateFromList', current, reply(412, { detail: 'It has changed.' }));
  expect(between.printed).toMatchObject({ error: 'Conflict', status: 412, detail: 'It has changed.' });
});

test('what was deleted although the response was lost is deleted', async () => {
  const { printed } = await runIn(exactRuntimes, 'delete', cut(), reply(404, { detail: 'Not found.' }));
  expect(printed).toBe('deleted');
  const absent = await run('delete', reply(404, { detail: 'Not found.' }));
  expect(absent.printed).toMatchObject({ error: 'GalleryError', status: 404, detail: 'Not found.' });
});

test('errors of a proxy are errors, too, and a write does not follow a redirect', async () => {
  const page = reply(502, '<h1>Bad gateway</h1>', { 'Content-Type': 'text/html' });
  expect((await run('get', page)).printed).toMatchObject({
    status: 502,
    detail: 'The gallery answered with 502.',
  });
  expect((await run('get', reply(200, '<h1>Sign in to the Wi-Fi</h1>'))).printed).toMatchObject({
    status: 200,
    detail: 'The response is not JSON.',
  });
  const fields = { title: ['Too long.'], tags: ['Too many.', 'Too odd.'], non_field_errors: ['Wait.'] };
  expect((await run('create', reply(400, fields))).printed).toMatchObject({
    status: 400,
    detail: 'title: Too long. tags: Too many. Too odd. Wait.',
    fields,
  });
  const moved = reply(301, '', { Location: '/api/v1/projects/' });
  expect((await run('create', moved)).printed).toMatchObject({ error: 'GalleryError', status: 301 });
});

test('an upload tells its progress, and is sent again with the same key', async () => {
  const { printed, requests } = await run('upload', cut(), reply(201, []));
  expect(printed).toEqual([[], true, true, true]);
  for (const [first, second] of header(requests, 'Idempotency-Key')) expect(second).toBe(first ?? '');
});

test('a stream that is cut in an event and in a character is resumed, and each change comes once', async () => {
  const bytes = new TextEncoder().encode(event(6, 'geändert 🪁'));
  const middle = bytes.indexOf(0xf0) + 2;
  const { printed, requests } = await run(
    'follow',
    streamOf(
      'retry: 10\nid: 4\n\n',
      event(5),
      bytes.slice(0, middle),
      bytes.slice(middle),
      event(7).slice(0, 30),
    ),
    streamOf(': still here\r\nid: 6\r\n\r', '\n', event(6), event(8)),
  );
  expect(printed).toEqual(['5 changed', '6 geändert 🪁', '8 changed']);
  expect(header(requests, 'Last-Event-ID')).toEqual(each(['4', '6']));
  const paths = new Set(requests.flat().map(({ url }) => url.replace(/^.*?\d\//, '/')));
  expect([...paths]).toEqual(['/api/v1/changes/stream/?tags=kite%2Cwind']);
});

test.each([
  ['is a page', reply(200, '<h1>Sign in</h1>', { 'Content-Type': 'text/html' })],
  ['is unknown', reply(404, { detail: 'Not found.' })],
  ['is kept back by a proxy', { ...streamOf(), staysOpen: true }],
])('where the stream %s, requests that wait replace it', async (_, stream) => {
  const answers = (request: Request): Reply => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/stream/')) return stream;
    const since = Number(searchParams.get('since'));
    const results = [JSON.parse(entry(since + 1)), JSON.parse(entry(since + 2))];
    return searchParams.get('wait') === '30'
      ? reply(200, { last: since + 2, next: null, results })
      : reply(400, { detail: 'It does not wait.' });
  };
  const { printed, requests } = await run('follow', answers);
  expect(printed).toEqual(['5 changed', '6 changed', '7 changed']);
  expect(requests.map((all) => all.length)).toEqual(each(3));
});

test('a gallery that was restored from an older backup is an error of its own', async () => {
  const { printed } = await run('follow', reply(410, { detail: 'Begin anew.' }));
  expect(printed).toMatchObject({ error: 'Gone', status: 410, detail: 'Begin anew.' });
});

test('whoever gives up does not wait', async () => {
  const { printed } = await run('abort', busy(503, 50));
  expect(printed).toEqual([true, 0]);
});
