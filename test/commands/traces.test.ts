// Traces for OpenTelemetry, and the header Server-Timing.

import { expect, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { describeTrace, startCollector } from '../support/collector.ts';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Server, serveIn, vitrineIn } from '../support/server.ts';
import { limitTime, waitFor, waitMs } from '../support/waiting.ts';
import { connectToEach, noLimits, processOf, request, startWorkersIn } from '../support/workers.ts';

const clientSpan = 'b7ad6b7169203331';
/** The headers of a request that belongs to the client's span. */
const within = (traceId: string, flags = '01') => [
  `traceparent: 00-${traceId}-${clientSpan}-${flags}`,
  'tracestate: vendor=state',
];
const [first, second, third, unsampled, invalid] = ['a', 'b', 'c', 'd', '0'].map((digit) =>
  digit.repeat(32),
) as [string, string, string, string, string];

onBothDatabases((kind) => {
  test('a trace has what a request spends its time on, across the workers', async () => {
    const collector = startCollector();
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=correct%20horse',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.version=7',
    };
    const { server, authorization } = await startWorkersIn(environment, kind, 2, '--demo', ...noLimits);
    const clients = await connectToEach(server.port, 2);
    const deletion = request('DELETE', '/api/v1/projects/999/');
    const forwards = new Set<string>();
    for (const [name, client] of clients) {
      // The last use of the key is written.
      await client.send(request('GET', '/api/v1/me/', [authorization]));
      if (processOf(await client.send(deletion)) !== name) forwards.add(name);
    }
    const [client] = [...clients]
      .filter(([name]) => kind !== 'SQLite' || forwards.has(name))
      .map(([, it]) => it);
    const get = (path: string, head: string[]) => client?.send(request('GET', path, head));
    const read = await get('/api/v1/projects/1/?fields=id&x=confidential', within(first));
    await get('/content/nowhere/', within(second));
    await get('/api/v1/tags/', within(unsampled, '00'));
    await get('/api/v1/?x', within(invalid));
    const body = JSON.stringify({ title: 'A kite', content_type: 'text', text: 'confidential' });
    await client?.send(request('POST', '/api/v1/projects/', [authorization, ...within(third)], body));
    expect(await server.stop()).toBe(0);

    const system = kind === 'SQLite' ? 'sqlite' : 'postgresql';
    const db = (name: string) => `client ${name} db.system.name=${system}`;
    const served = (method: string, status: number, route: string, path = route) =>
      `server ${method} ${route} http.request.method=${method} http.response.status_code=${status} ` +
      `http.route=${route} url.scheme=http server.address=localhost url.path=${path}`;
    // The data of the layout is cached, and read again when it may be old.
    const describe = (traceId: string) =>
      describeTrace(collector.spans, traceId, clientSpan).filter(
        (line) => !/select (site_setting|account) /.test(line),
      );
    expect(describe(first)).toEqual([
      `${served('GET', 200, '/api/v1/projects/:id/', '/api/v1/projects/1/')} url.query=fields=id&x=...`,
      `  ${db('select project')}`,
      '  internal render',
    ]);
    expect(describe(second)).toEqual([
      served('GET', 404, '/content/:uuid/', '/content/nowhere/'),
      `  ${db('select project')}`,
      '  internal render',
    ]);
    const write = [
      served('POST', 201, '/api/v1/projects/'),
      `  ${db('select api_key')}`,
      `  ${db('transaction')}`,
      '    internal wait',
      '  internal render',
    ];
    const forward = [write[0], '  client forward', ...write.map((line) => `    ${line}`)];
    expect(describe(third)).toEqual(kind === 'SQLite' ? (forward as string[]) : write);
    const known = collector.spans.filter(({ traceId }) => [first, second, third].includes(traceId));
    expect(new Set(known.map(({ traceState }) => traceState))).toEqual(new Set(['vendor=state']));
    expect(collector.spans.filter(({ traceId }) => [unsampled, invalid].includes(traceId))).toEqual([]);
    expect(JSON.stringify(collector.spans)).not.toContain('confidential');

    const traceOf = (path: string) =>
      server.lines.map((line) => JSON.parse(line)).find((line) => line.path === path)?.trace_id;
    expect(traceOf('/api/v1/projects/')).toBe(third);
    expect(traceOf('/api/v1/tags/')).toBe(unsampled);
    expect(traceOf('/api/v1/?x=...')).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(read).not.toContain('Server-Timing');
    expect(collector.resources[0]).toEqual({
      'deployment.environment.name': 'test',
      'process.pid': expect.any(Number),
      'service.name': 'vitrine',
      'service.version': '7',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.version': expect.any(String),
    });
    const [sent] = collector.requests;
    expect([URL.parse(sent?.url ?? '')?.pathname, sent?.headers.get('x-key')]).toEqual([
      '/v1/traces',
      'correct horse',
    ]);
  });
});

test('a collector that is gone, silent or endless stops nothing, and is in the log once', async () => {
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(100_000)) });
  let batches = 0;
  const collector = Bun.serve({
    port: 0,
    fetch({ url }) {
      batches++;
      return url.endsWith('/silent') ? new Promise<Response>(() => {}) : new Response(endless());
    },
  });
  closeLater(() => collector.stop(true));
  const start = (endpoint: string, timeoutMs: number) => {
    const environment = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TIMEOUT: String(timeoutMs),
      OTEL_BSP_SCHEDULE_DELAY: '20',
    };
    return serveIn(environment, '--database', temporaryPath('traces.sqlite'));
  };
  const read = async ({ address }: Server) =>
    expect((await fetch(`${address}/api/v1/tags/`)).status).toBe(200);
  const warnAbout = async (endpoint: string, timeoutMs: number) => {
    const server = await start(endpoint, timeoutMs);
    const findWarnings = () => server.lines.filter((line) => line.includes('Traces are lost'));
    await waitFor(async () => {
      await read(server);
      return findWarnings().length > 0;
    });
    for (let lost = 0; lost < 3; lost++) await read(server);
    expect(await server.stop()).toBe(0);
    return findWarnings().map((line) => JSON.parse(line).error);
  };
  const base = `http://127.0.0.1:${collector.port}`;
  const warnings = await Promise.all([
    warnAbout('http://127.0.0.1:9/v1/traces', 400),
    warnAbout(`${base}/silent`, 400),
    warnAbout(`${base}/endless`, waitMs),
  ]);
  expect(warnings).toEqual([
    ['Traces are lost: ECONNREFUSED.'],
    ['Traces are lost: Request timed out.'],
    ['Traces are lost: OTLP export response body exceeded size limit of 4194304 bytes.'],
  ]);

  // Neither requests nor the end of the server wait for a collector that has ten minutes to answer.
  batches = 0;
  limitTime('traces', 100);
  const server = await start(`${base}/silent`, 600_000);
  await read(server);
  await waitFor(() => batches);
  await read(server);
  expect(await server.stop()).toBe(0);
});

test('Server-Timing says what took how long, if the operator wants it; OTEL_SDK_DISABLED stops traces', async () => {
  const environment = {
    OTEL_SDK_DISABLED: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere',
    VITRINE_SERVER_TIMING: 'true',
  };
  const database = temporaryPath('timing.sqlite');
  const server = await serveIn(environment, '--demo', '--database', database);
  const read = async () =>
    (await fetch(`${server.address}/api/v1/projects/1/`)).headers
      .get('Server-Timing')
      ?.replace(/\d+\.\d/g, 'n');
  // A response is kept from the second request on.
  for (const _ of [1, 2]) expect(await read()).toBe('total;dur=n, db;dur=n, render;dur=n');
  expect(await read()).toBe('total;dur=n');
  await waitFor(() => server.lines.some((line) => line.includes('"path"')));
  expect(server.lines.join()).not.toContain('trace_id');
});

const endpoint = 'https://collector.example.org';
const pairs = 'must be pairs such as name=value, separated by commas, with values as in URLs';
test.each([
  ['OTEL_SDK_DISABLED', 'maybe', 'must be true or false'],
  [
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'localhost:4318',
    'must be an address that begins with http:// or https://',
  ],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/json'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret', pairs],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=%', pairs],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
])('%s=%s is refused', async (name, value, reason) => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, [name]: value };
  const { code, error } = await vitrineIn(environment, 'serve', '--database', temporaryPath('none.sqlite'));
  expect([code, error]).toEqual([2, `vitrine: ${name} ${reason}.\n`]);
});
