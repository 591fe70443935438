// Raw sockets send bytes to a server that are not proper HTTP. No request may hang, become an internal error, or
// prevent the response to the next client.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { temporaryPath } from '../support/databases.ts';
import { type Server, serve } from '../support/server.ts';

const host = 'Host: localhost\r\n';
const get = (path: string, headers = host) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const lastRequest = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes, and returns the bytes that the server sends before it closes. */
function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const end = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.on('error', () => end(received));
    socket.on('close', () => end(received));
  });
}

/**
 * The responses in order, each as long as its headers say. Bytes that are not a response have the status 0.
 * `headRequests` are the numbers of the responses to HEAD, which have no body.
 */
function parseResponses(text: string, headRequests: readonly number[] = []): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest; ) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
    if (end < 0 || status === 0) return [...responses, { status: 0, head: rest, body: '' }];
    const hasNoBody = status < 200 || headRequests.includes(responses.length);
    const length = hasNoBody ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    responses.push({ status, head, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

let server: Server;
beforeAll(async () => {
  server = await serve('--demo', '--database', temporaryPath('hostile.sqlite'), '--read-limit', 'off');
});
afterAll(() => server.stop());

/** The responses to the bytes and to a proper request after them. */
async function exchange(bytes: string, headRequests?: readonly number[]): Promise<RawResponse[]> {
  const text = await sendBytes(server.port, bytes + lastRequest);
  return parseResponses(text, headRequests);
}

const statuses = (responses: readonly RawResponse[]) => responses.map(({ status }) => status);

const invalidHosts: [name: string, headers: string][] = [
  ['two hosts', `${host}Host: evil.example\r\n`],
  ['the same host twice', host + host],
  ['an empty host', 'Host:\r\n'],
  ['another host', 'Host: evil.example\r\n'],
  ['a host that only ends like an allowed one', 'Host: evillocalhost\r\n'],
  ['a host with a name before it', 'Host: localhost@evil.example\r\n'],
  ['a host with a path', 'Host: localhost/evil\r\n'],
  ['a host with a space', 'Host: local host\r\n'],
  ['a host with an invalid port', 'Host: localhost:http\r\n'],
  ['a host that is not ASCII', 'Host: \xe9.localhost\r\n'],
];
for (const [name, headers] of invalidHosts) {
  test(`${name} is refused, and the connection stays open`, async () => {
    const responses = await exchange(get('/api/v1/', headers));
    expect(statuses(responses)).toEqual([400, 200]);
    expect(responses[0]?.body).toContain('Invalid Host header.');
  });
}

/** After these bytes it is unknown where the next request would begin. */
const closingRequests: [name: string, bytes: string, expected: number[]][] = [
  ['no host in HTTP/1.1', get('/api/v1/', ''), [400]],
  ['no host in HTTP/1.0', 'GET /api/v1/ HTTP/1.0\r\n\r\n', [400]],
  ['an unknown method', `BREW / HTTP/1.1\r\n${host}\r\n`, []],
  ['a method in small letters', `get / HTTP/1.1\r\n${host}\r\n`, []],
  ['a target that is not a path', get('api/v1/'), [400]],
  ['a target of a star', get('*'), [400]],
  ['no target', `GET HTTP/1.1\r\n${host}\r\n`, [400]],
  ['a query of 60 kB', get(`/api/v1/?q=${'a'.repeat(60_000)}`), [431]],
  ['a header of 17 kB', get('/api/v1/', `${host}X-Long: ${'a'.repeat(17_000)}\r\n`), [431]],
  ['300 headers', get('/api/v1/', host + 'X-Many: 1\r\n'.repeat(300)), [431]],
  ['NUL in a header', get('/api/v1/', `${host}X-Nul: a\0b\r\n`), [400]],
  ['a header over two lines', get('/api/v1/', `${host}X-Folded: a\r\n b\r\n`), [400]],
  ['a space before the colon', get('/api/v1/', 'Host : localhost\r\n'), [400]],
  ['two lengths', `POST /api/v1/ HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, [400]],
  [
    'a length and chunks',
    `POST /api/v1/ HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    [400],
  ],
  ['a body of 99 MB', `POST /api/v1/projects/ HTTP/1.1\r\n${host}Content-Length: 99000000\r\n\r\n`, [401]],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
];
for (const [name, bytes, expected] of closingRequests) {
  test(`${name} ends the connection, and no later request is served`, async () => {
    expect(statuses(await exchange(bytes))).toEqual(expected);
  });
}

const methods: [request: string, allowed: string][] = [
  ['TRACE /api/v1/projects/', 'GET, POST, HEAD, OPTIONS'],
  ['CONNECT /api/v1/projects/1/', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
  ['PROPFIND /', 'GET, HEAD'],
];
for (const [request, allowed] of methods) {
  test(`${request} is not allowed`, async () => {
    const responses = await exchange(`${request} HTTP/1.1\r\n${host}\r\n`);

    expect(statuses(responses)).toEqual([405, 200]);
    expect(/^allow: (.*)$/im.exec(responses[0]?.head ?? '')?.[1]).toBe(allowed);
  });
}

test('CONNECT does not open a connection to another server', async () => {
  const text = await sendBytes(
    server.port,
    `CONNECT localhost:443 HTTP/1.1\r\n${host}Connection: close\r\n\r\n${lastRequest}`,
  );

  expect(statuses(parseResponses(text ?? ''))).toEqual([405]);
});

test('a target with scheme and host is served like its path, and its host is ignored', async () => {
  const responses = await exchange(get('http://localhost/api/v1/') + get('http://evil.example/api/v1/'));

  const projects = { projects: 'http://localhost/api/v1/projects/' };
  expect(responses.slice(0, 2).map(({ status, body }) => [status, JSON.parse(body)])).toEqual([
    [200, expect.objectContaining(projects)],
    [200, expect.objectContaining(projects)],
  ]);
});

test('bytes that are not ASCII are encoded in a redirect', async () => {
  const responses = await exchange(
    get('/api/v1/projects?search=\xc3\xa9') + get('/api/v1/projects?search=\xff'),
  );

  expect(responses.slice(0, 2).map(({ head }) => /^location: (.*)$/im.exec(head)?.[1])).toEqual([
    'http://localhost/api/v1/projects/?search=%C3%A9',
    'http://localhost/api/v1/projects/?search=%EF%BF%BD',
  ]);
});

test('responses to pipelined requests have the order of the requests', async () => {
  const ids = [3, 1, 2, 1, 3];
  const projects = ids.map((id) => get(`/api/v1/projects/${id}/?fields=id`)).join('');
  const pages = [get('/'), get('/readyz'), get('/api/v1/projects/?fields=id&page=last')].join('');
  const responses = await exchange(projects + pages);

  expect(responses.slice(0, 5).map(({ body }) => body)).toEqual(ids.map((id) => `{"id":${id}}`));
  expect(statuses(responses)).toEqual(Array(9).fill(200));
  expect(responses.slice(5).map(({ body }) => body.slice(0, 9))).toEqual([
    '<!doctype',
    '{"status"',
    '{"count":',
    '{"status"',
  ]);
});

test('HEAD has the length that GET has, and no body', async () => {
  const paths = ['/api/v1/projects/1/', '/', '/nowhere', '/livez', '/api/v1/projects/0/'];
  const responses = await exchange(
    paths.map((path) => `HEAD ${get(path).slice(4)}${get(path)}`).join(''),
    [0, 2, 4, 6, 8],
  );
  const lengths = responses.map(({ head }) => Number(/^content-length: (\d+)$/im.exec(head)?.[1]));

  expect(statuses(responses)).toEqual([200, 200, 200, 200, 404, 404, 200, 200, 404, 404, 200]);
  for (const index of paths.keys()) expect(lengths[2 * index]).toBe(lengths[2 * index + 1]);
});

test('the body of a GET request is skipped, and is not read as the next request', async () => {
  const smuggled = get('/api/v1/projects/2/?fields=id');
  const responses = await exchange(
    get('/api/v1/projects/1/?fields=id', `${host}Content-Length: ${smuggled.length}\r\n`) +
      smuggled +
      get('/api/v1/projects/3/?fields=id', `${host}Transfer-Encoding: chunked\r\n`) +
      `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
  );

  expect(responses.map(({ body }) => body)).toEqual(['{"id":1}', '{"id":3}', '{"status":"alive"}']);
});

test('a client that expects 100 Continue gets it, and then the response', async () => {
  const responses = await exchange(
    `POST /api/v1/projects/ HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  );
  expect(statuses(responses)).toEqual([100, 401, 200]);
});

test('after all these requests the server still works, and has logged no error', async () => {
  const response = await fetch(`${server.address}/livez`);
  expect([response.status, await response.text()]).toEqual([200, '{"status":"alive"}']);
  expect(await server.stop()).toBe(0);

  const entries = server.lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries.filter(({ level, status }) => level === 'error' || Number(status) >= 500)).toEqual([]);
  expect(entries.length).toBeGreaterThan(20);
});
