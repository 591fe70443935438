import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { type Server, serve } from '../support/server.ts';
import { ada, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';

const gallery = dump(ada, project(1));

test('an address that sends too many requests gets Retry-After', async () => {
  const site = await siteOn('SQLite', {
    dump: gallery,
    peer: '192.0.2.1',
    environment: { VITRINE_READ_LIMIT: '3' },
  });
  const answers = [];
  for (let asked = 0; asked < 4; asked++) answers.push(await site.get('/api/v1/projects/1/'));
  const health = await site.get('/livez');

  const last = answers[3] as Response;
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(await last.text()).toBe('{"detail":"Request was throttled. Expected available in 20 seconds."}');
  expect([...['Retry-After', 'RateLimit', 'RateLimit-Policy'].map((name) => last.headers.get(name))]).toEqual(
    ['20', '"read";r=0;t=20', '"read";q=3;w=60'],
  );
  expect(health.status).toBe(200);
});

test('visitors behind a trusted proxy are counted separately, and cannot forge their address', async () => {
  const proxied = { VITRINE_READ_LIMIT: '1', VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '10.1.2.3', environment: proxied });
  const statuses = [];
  for (const forwarded of ['192.0.2.1', '192.0.2.2', '203.0.113.9, 192.0.2.1', '192.0.2.1, 10.9.9.9']) {
    statuses.push((await site.get('/api/v1/', { 'X-Forwarded-For': forwarded })).status);
  }
  const stranger = await siteAt(site.address, { peer: '192.0.2.7', environment: proxied });
  for (const forwarded of ['192.0.2.50', '192.0.2.51'])
    statuses.push((await stranger.get('/api/v1/', { 'X-Forwarded-For': forwarded })).status);

  expect(statuses).toEqual([200, 200, 429, 429, 200, 429]);
});

test('host and scheme are taken from a trusted proxy only', async () => {
  const environment = { VITRINE_TRUSTED_PROXIES: '10.0.0.1' };
  const headers = { Host: 'localhost', 'X-Forwarded-Host': 'gallery.example', 'X-Forwarded-Proto': 'https' };
  const behind = await siteOn('SQLite', { peer: '10.0.0.1', environment });
  const direct = await siteAt(behind.address, { peer: '10.0.0.2', environment });
  const roots = [await behind.json('/api/v1/', headers), await direct.json('/api/v1/', headers)];
  const wrong = await behind.get('/api/v1/', { 'X-Forwarded-Host': 'evil.example' });

  expect(roots).toEqual([
    expect.objectContaining({ projects: 'https://gallery.example/api/v1/projects/' }),
    expect.objectContaining({ projects: 'http://localhost/api/v1/projects/' }),
  ]);
  expect([wrong.status, await wrong.text()]).toEqual([400, '{"detail":"Invalid Host header."}']);
});

test('hosts are allowed by name, by domain, or all of them', async () => {
  const statuses: Record<string, number[]> = {};
  for (const allowed of ['a.example', '.b.example', '*']) {
    const site = await siteOn('SQLite', { environment: { VITRINE_ALLOWED_HOSTS: allowed } });
    const hosts = [
      'a.example',
      'A.Example:81',
      'b.example',
      'x.b.example',
      'xb.example',
      'a.example, evil',
      'a.example@evil',
      '',
    ];
    statuses[allowed] = [];
    for (const host of hosts) statuses[allowed].push((await site.get('/api/v1/', { Host: host })).status);
    await site.close();
  }

  expect(statuses).toEqual({
    'a.example': [200, 200, 400, 400, 400, 400, 400, 400],
    '.b.example': [400, 400, 200, 200, 400, 400, 400, 400],
    '*': [200, 200, 200, 200, 200, 400, 400, 400],
  });
});

test('a request that waits for the database gets 503 at its deadline', async () => {
  const address = await emptyDatabase('PostgreSQL');
  const site = await siteAt(address, { dump: gallery, timeoutMs: 300 });
  const other = new Bun.SQL(address);
  const locked = await other.reserve();
  await locked.unsafe('begin');
  await locked.unsafe('lock table project in access exclusive mode');
  const waiting = await site.get('/api/v1/projects/1/');
  await locked.unsafe('rollback');
  locked.release();
  const served = await site.get('/api/v1/projects/1/');

  expect([waiting.status, waiting.headers.get('Retry-After'), await waiting.text()]).toEqual([
    503,
    '1',
    '{"detail":"Service temporarily unavailable, try again later."}',
  ]);
  expect(served.status).toBe(200);
});

/** Signs in with a password, from an address. */
const guess = (site: Site, username: string, password = 'difference engine') =>
  site.request('/api/v1/auth/token/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });

const statusesOf = async (asked: Promise<Response>[]) =>
  (await Promise.all(asked)).map(({ status }) => status).sort();

test('requests with a key are counted by key, and requests in a session by session', async () => {
  const environment = { VITRINE_READ_LIMIT: '2' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '192.0.2.1', environment });
  const authenticator = [await site.key('ada'), await site.key('ada'), await site.signIn('ada'), {}];
  const statuses = [];
  for (const headers of authenticator) {
    const paths = ['/api/v1/', '/', '/api/v1/projects/1/'];
    for (const path of paths) statuses.push((await site.get(path, headers)).status);
  }

  expect(statuses).toEqual(authenticator.flatMap(() => [200, 200, 429]));
});

test('requests with an invalid key or cookie are counted by address', async () => {
  const inventions: ((invented: number) => Record<string, string>)[] = [
    (invented) => ({ Authorization: `Token ${invented}` }),
    (invented) => ({ Authorization: `Basic ${invented}` }),
    (invented) => ({ Cookie: `vitrine_session=${invented}` }),
    (invented) => ({ Cookie: `other=${invented}` }),
  ];
  for (const headers of inventions) {
    const environment = { VITRINE_READ_LIMIT: '4' };
    const site = await siteOn('SQLite', { dump: gallery, peer: '192.0.2.1', environment });
    const statuses = [];
    for (const [invented, path] of ['/', '/api/v1', '/nowhere', '/api/v1/?format=x', '/'].entries())
      statuses.push((await site.get(path, headers(invented))).status);

    expect(statuses.slice(0, 4)).not.toContain(429);
    expect(statuses.at(-1)).toBe(429);
  }
});

test('writes have a limit of their own', async () => {
  const environment = { VITRINE_WRITE_LIMIT: '2' };
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const headers = await site.key('ada');
  const answers = [];
  for (const method of ['DELETE', 'DELETE', 'GET', 'DELETE'])
    answers.push(await site.request('/api/v1/auth/session/', { method, headers }));

  const last = answers[3] as Response;
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 200, 429]);
  expect([last.headers.get('RateLimit-Policy'), last.headers.get('Retry-After')]).toEqual([
    '"write";q=2;w=60',
    '30',
  ]);
});

test('IPv6 addresses are counted by their first 64 bits', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const statuses = [];
  for (const peer of [
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff::9',
    '2001:db8:1:3::1',
    '2001:DB8:1:2::1',
    '::1',
  ]) {
    const asked = await siteAt(site.address, { peer, environment: { VITRINE_SIGN_IN_LIMIT: '2' } });
    for (let tries = 0; tries < 2; tries++) statuses.push((await guess(asked, 'ada')).status);
    await asked.close();
  }

  expect(statuses).toEqual([400, 400, 429, 429, 400, 400, 429, 429, 400, 400]);
});

const people = ['gallery', 'people']
  .map((file) => readFileSync(join(import.meta.dir, `../exchanges/${file}.ndjson`), 'utf8'))
  .join('');

onBothDatabases((kind) => {
  test('the limit of sign-in attempts holds for simultaneous attempts at two processes', async () => {
    const site = await siteOn(kind, { dump: people });
    await site.close();
    const servers = await Promise.all([1, 2].map(() => serve('--database', site.address)));
    const guessAt = ({ address }: Server, username: string, password: string) =>
      fetch(`${address}/api/v1/auth/token/`, {
        method: 'POST',
        body: new URLSearchParams({ username, password }),
      });
    const statuses = await statusesOf(
      servers.flatMap((server) =>
        Array.from({ length: 15 }, (_, index) =>
          guessAt(server, index % 3 ? 'ada' : 'ADA', 'difference engine'),
        ),
      ),
    );
    const right = await Promise.all(servers.map((server) => guessAt(server, 'ada', 'analytical engine')));
    await Promise.all(servers.map((server) => server.stop()));

    expect(statuses).toEqual([...Array(10).fill(400), ...Array(20).fill(429)]);
    expect(right.map(({ status }) => status)).toEqual([429, 429]);
  });

  test('wrong passwords from other addresses do not lock out a known address', async () => {
    const environment = { VITRINE_SIGN_IN_LIMIT: '1' };
    const home = await siteOn(kind, { dump: people, peer: '192.0.2.1', environment });
    const signIn = async (peer: string, password?: string) => {
      const site = await siteAt(home.address, { peer, environment });
      const { status } = await guess(site, 'ada', password);
      await site.close();
      return status;
    };
    const before = await signIn('192.0.2.1', 'analytical engine');
    const strangers = [];
    for (let last = 1; last <= 11; last++) strangers.push(await signIn(`198.51.100.${last}`));
    const abroad = await signIn('203.0.113.1', 'analytical engine');
    const atHome = await signIn('192.0.2.1', 'analytical engine');
    await home.close();

    expect(strangers).toEqual([...Array(10).fill(400), 429]);
    expect([before, abroad, atHome]).toEqual([200, 429, 200]);
  });

  test('an address that tries many usernames is limited, whether they exist or not', async () => {
    const environment = { VITRINE_SIGN_IN_LIMIT: '1' };
    const site = await siteOn(kind, { dump: people, peer: '192.0.2.1', environment });
    const statuses = [];
    for (let tried = 0; tried < 11; tried++) statuses.push((await guess(site, `name${tried}`)).status);
    const elsewhere = await siteAt(site.address, { peer: '192.0.2.2', environment });
    const other = await guess(elsewhere, 'ada', 'analytical engine');

    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    expect(other.status).toBe(200);
  });

  test('an internal error reveals no details, and the log has it with the response’s id', async () => {
    const site = await siteAt(await emptyDatabase(kind), { dump: gallery });
    await site.database.transaction((transaction) =>
      transaction.run({
        sql: 'drop table project_count',
        text: 'drop table project_count',
        values: [],
      } as never),
    );
    const response = await site.get('/api/v1/projects/');
    const id = response.headers.get('X-Request-Id');

    expect([response.status, await response.text()]).toEqual([500, '{"detail":"A server error occurred."}']);
    expect(site.logged).toEqual([
      expect.stringMatching(new RegExp(`^${id} fault .*project_count`)),
      `${id} GET /api/v1/projects/ 500`,
    ]);
  });
});
