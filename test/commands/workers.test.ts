// `serve --workers`: several processes that answer as one. test/scale/ has what takes longer.

import { expect, test } from 'bun:test';
import { temporaryPath } from '../support/databases.ts';
import { onFreePort } from '../support/processes.ts';
import { serve, vitrine } from '../support/server.ts';
import { limitTime } from '../support/waiting.ts';
import { bodyOf, connectToEach, noLimits, request, startWorkers, statusOf } from '../support/workers.ts';

test('every worker gives the same answers to what reads and to what writes', async () => {
  const { server, authorization } = await startWorkers('SQLite', 2, '--demo', ...noLimits);
  const clients = [...(await connectToEach(server.port, 2)).values()];
  const title = JSON.stringify({ title: 'Größe "1"', text: 'é'.repeat(3000) });
  const forged = 'Vitrine-Forwarded: 192.0.2.1 Authorization';
  const requests = [
    request('GET', '/api/v1/projects/1/'),
    request('GET', '/'),
    request('POST', '/api/v1/projects/', [authorization, 'Content-Type: text/csv'], '{}'),
    request('POST', '/api/v1/projects/', [authorization, 'Idempotency-Key: "one"'], title),
    request('POST', '/api/v1/projects/?format=api', [authorization, forged], '{"title":""}'),
    request('PUT', '/api/v1/projects/1/', ['Accept: text/html'], title),
    request('PATCH', "/api/v1/../v1/projects//%2e%2e/x?a=%zz&b=|{}'", [authorization], '{}'),
    request('DELETE', '/api/v1/auth/session/', [authorization]),
    request('DELETE', '/nowhere', ['Accept: text/html', 'Accept-Language: es', 'User-Agent: é']),
    request('POST', '/sign-in/', ['Content-Type: application/x-www-form-urlencoded'], 'username=a'),
    request('POST', '/api/v1/projects/', [authorization]).replace('Host: localhost', 'Host: evil.example'),
    ...['Host: a b', 'Host: localhost:99999', 'Host:'].map((host) =>
      request('POST', '/api/v1/projects/', [authorization], '{}').replace('Host: localhost', host),
    ),
    request('OPTIONS', '/api/v1/projects/', ['Origin: https://other.example']),
  ];

  for (const text of requests) {
    const [one, other] = await Promise.all(clients.map((client) => client.send(text)));
    expect(withoutIds(other)).toBe(withoutIds(one));
    expect(one).toStartWith('HTTP/1.1 ');
  }
  expect(server.lines[0]).toEndWith('/api/v1/), with 2 workers"}');
  expect(await server.stop()).toBe(0);
  const logged = server.lines.slice(1).map((line) => JSON.parse(line) as { method?: string });
  expect(logged.filter(({ method }) => method === 'PUT')).toHaveLength(2);
});

/** In any order of the headers. */
function withoutIds(response = '') {
  const [head = '', body] = response.split('\r\n\r\n');
  const lines = head.replace(/^(date|x-request-id): .*$/gim, '$1').split('\r\n');
  return [...lines.sort(), body].join('\n');
}

test('all workers count a visitor and a person together', async () => {
  // The next request would be allowed after a minute.
  const limits = ['--read-limit', '1', '--write-limit', '1'];
  const { server, authorization } = await startWorkers('PostgreSQL', 2, ...limits);
  const clients = [...(await connectToEach(server.port, 2)).values()];
  const sendInTurn = async (text: string) => {
    const statuses: number[] = [];
    for (let count = 0; count < 2; count++)
      for (const client of clients) statuses.push(statusOf(await client.send(text)));
    return statuses;
  };
  const head = [authorization];
  expect(await sendInTurn(request('POST', '/api/v1/projects/', head, '{"title":""}'))).toEqual([
    400,
    ...Array(3).fill(429),
  ]);
  expect(await sendInTurn(request('GET', '/api/v1/me/', head))).toEqual([200, ...Array(3).fill(429)]);
  const [first] = clients;
  expect(bodyOf(await first?.send(request('GET', '/api/v1/projects/', head))).detail).toMatch(/^Request was/);
});

test.each(['0', '129', '10000', 'abc', '1.5', '-1'])(
  '%p workers are refused in one sentence',
  async (count) => {
    const error = `vitrine: --workers must be auto or a whole number from 1 to 128; it was "${count}".\n`;
    expect(await vitrine('serve', `--workers=${count}`)).toEqual({ code: 2, out: '', error });
  },
);

test('after its supervisor was killed, a server with workers starts again at once', async () => {
  const database = temporaryPath('killed.sqlite');
  const start = (port: number) => serve('--database', database, '--workers', '2', '--port', String(port));
  const [killed, port] = await onFreePort(start);
  await fetch(`${killed.address}/api/v1/projects/`);
  await killed.stop('SIGKILL');
  const next = await start(port);
  expect((await fetch(`${next.address}/api/v1/projects/`)).status).toBe(200);
  expect(await next.stop()).toBe(0);
});

test('what keeps workers from starting is said once', async () => {
  limitTime('port', 0);
  const server = await serve('--database', temporaryPath('first.sqlite'), '--workers', '2');
  const database = temporaryPath('second.sqlite');
  expect(
    await vitrine('serve', '--workers', '2', '--port', String(server.port), '--database', database),
  ).toEqual({
    code: 2,
    out: '',
    error: `vitrine: The port ${server.port} is taken: stop the other program or choose one with --port.\n`,
  });
  expect(await server.stop('SIGINT')).toBe(0);

  const folder = temporaryPath('none');
  expect(await vitrine('serve', '--workers', '3', '--port', '0', '--database', `${folder}/x.sqlite`)).toEqual(
    {
      code: 2,
      out: '',
      error: `vitrine: The folder of the database ${folder}/x.sqlite does not exist.\n`,
    },
  );
});
