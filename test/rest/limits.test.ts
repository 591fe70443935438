// Limits of a site: how many requests and sign-in attempts, from which hosts and proxies, and for how long.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { type Server, serve } from '../support/server.ts';
import { ada as adasLine, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1));
/** A gallery in which Ada has a password: see exchanges/README.md. */
const galleryWithAccounts = ['gallery', 'people']
  .map((file) => readFileSync(join(import.meta.dir, `../exchanges/${file}.ndjson`), 'utf8'))
  .join('');
const adasPassword = 'analytical engine';
const wrongPassword = 'difference engine';

/** Signs in with a password, from the address of the site's client. */
async function signIn(site: Site, username: string, password: string): Promise<number> {
  const response = await visitor(site).post('/api/v1/auth/token/', { username, password });
  return response.status;
}

/** The statuses of requests that are sent one after another. */
async function inOrder<Value>(values: Iterable<Value>, request: (value: Value) => Promise<Response>) {
  const statuses: number[] = [];
  for (const value of values) statuses.push((await request(value)).status);
  return statuses;
}

test('an address that sends too many requests gets Retry-After', async () => {
  const environment = { VITRINE_READ_LIMIT: '3' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '192.0.2.1', environment });

  const allowed = await inOrder([1, 2, 3], () => site.get('/api/v1/projects/1/'));
  expect(allowed).toEqual([200, 200, 200]);

  const refused = await site.get('/api/v1/projects/1/');
  expect([refused.status, await refused.text()]).toEqual([
    429,
    '{"detail":"Request was throttled. Expected available in 20 seconds."}',
  ]);
  expect(refused.headers.get('Retry-After')).toBe('20');
  expect(refused.headers.get('RateLimit')).toBe('"read";r=0;t=20');
  expect(refused.headers.get('RateLimit-Policy')).toBe('"read";q=3;w=60');

  const health = await site.get('/livez');
  expect(health.status).toBe(200);
});

test('visitors behind a trusted proxy are counted separately, and cannot forge their address', async () => {
  const environment = { VITRINE_READ_LIMIT: '1', VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' };
  const behindProxy = await siteOn('SQLite', { dump: gallery, peer: '10.1.2.3', environment });
  const readBehindProxy = (forwardedFor: string) =>
    behindProxy.get('/api/v1/', { 'X-Forwarded-For': forwardedFor });

  expect(await inOrder(['192.0.2.1', '192.0.2.2'], readBehindProxy)).toEqual([200, 200]);
  // The proxy appends the address that it sees, so only the last one is true.
  expect(await inOrder(['203.0.113.9, 192.0.2.1'], readBehindProxy)).toEqual([429]);
  // Two proxies, and both are trusted.
  expect(await inOrder(['192.0.2.1, 10.9.9.9'], readBehindProxy)).toEqual([429]);

  const direct = await siteAt(behindProxy.address, { peer: '192.0.2.7', environment });
  const statuses = await inOrder(['192.0.2.50', '192.0.2.51'], (forged) =>
    direct.get('/api/v1/', { 'X-Forwarded-For': forged }),
  );
  expect(statuses).toEqual([200, 429]);
});

test('host and scheme are taken from a trusted proxy only', async () => {
  const environment = { VITRINE_TRUSTED_PROXIES: '10.0.0.1' };
  const headers = { Host: 'localhost', 'X-Forwarded-Host': 'gallery.example', 'X-Forwarded-Proto': 'https' };

  const behindProxy = await siteOn('SQLite', { peer: '10.0.0.1', environment });
  expect(await behindProxy.json('/api/v1/', headers)).toEqual(
    expect.objectContaining({ projects: 'https://gallery.example/api/v1/projects/' }),
  );

  const direct = await siteAt(behindProxy.address, { peer: '10.0.0.2', environment });
  expect(await direct.json('/api/v1/', headers)).toEqual(
    expect.objectContaining({ projects: 'http://localhost/api/v1/projects/' }),
  );

  const wrongHost = await behindProxy.get('/api/v1/', { 'X-Forwarded-Host': 'evil.example' });
  expect([wrongHost.status, await wrongHost.text()]).toEqual([400, '{"detail":"Invalid Host header."}']);
});

test.each([
  ['a.example', [200, 200, 400, 400, 400, 400, 400, 400]],
  ['.b.example', [400, 400, 200, 200, 400, 400, 400, 400]],
  ['*', [200, 200, 200, 200, 200, 400, 400, 400]],
])('hosts are allowed by name, by domain, or all of them: %p', async (allowedHosts, statuses) => {
  const site = await siteOn('SQLite', { environment: { VITRINE_ALLOWED_HOSTS: allowedHosts } });
  const hosts = ['a.example', 'A.Example:81', 'b.example', 'x.b.example', 'xb.example'];
  const malformedHosts = ['a.example, evil', 'a.example@evil', ''];

  expect(await inOrder([...hosts, ...malformedHosts], (Host) => site.get('/api/v1/', { Host }))).toEqual(
    statuses,
  );
});

test('a request that waits for the database gets 503 at its deadline', async () => {
  const address = await emptyDatabase('PostgreSQL');
  const site = await siteAt(address, { dump: gallery, timeoutMs: 300 });
  const client = new Bun.SQL({ url: address, max: 1 });
  await client.unsafe('begin');
  await client.unsafe('lock table project in access exclusive mode');

  const refused = await site.get('/api/v1/projects/1/');
  expect([refused.status, refused.headers.get('Retry-After'), await refused.text()]).toEqual([
    503,
    '1',
    '{"detail":"Service temporarily unavailable, try again later."}',
  ]);

  await client.unsafe('rollback');
  await client.close();
  expect((await site.get('/api/v1/projects/1/')).status).toBe(200);
});

test('requests with a key are counted by key, and requests in a session by session', async () => {
  const environment = { VITRINE_READ_LIMIT: '2' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '192.0.2.1', environment });
  const withKey = await person(site, 'ada');
  const withOtherKey = await person(site, 'ada');
  const { browser } = await person(site, 'ada');

  for (const client of [withKey, withOtherKey, browser, visitor(site)]) {
    const statuses = await inOrder(['/api/v1/', '/', '/api/v1/projects/1/'], (path) => client.get(path));
    expect(statuses).toEqual([200, 200, 429]);
  }
});

test.each([
  ['Authorization', 'Token %'],
  ['Authorization', 'Basic %'],
  ['Cookie', 'vitrine_session=%'],
  ['Cookie', 'other=%'],
])(
  'requests with an invalid header are counted by address, not by its value: %s: %s',
  async (name, value) => {
    const environment = { VITRINE_READ_LIMIT: '4' };
    const site = await siteOn('SQLite', { dump: gallery, peer: '192.0.2.1', environment });
    const paths = ['/', '/api/v1', '/nowhere', '/api/v1/?format=x', '/'];

    const statuses = await inOrder(paths.entries(), ([index, path]) =>
      site.get(path, { [name]: value.replace('%', String(index)) }),
    );
    expect(statuses.slice(0, 4)).not.toContain(429);
    expect(statuses[4]).toBe(429);
  },
);

test('writes have a limit of their own', async () => {
  const environment = { VITRINE_WRITE_LIMIT: '2' };
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const write = () => ada.delete('/api/v1/auth/session/');

  expect(await inOrder([1, 2], write)).toEqual([204, 204]);
  expect((await ada.get('/api/v1/auth/session/')).status).toBe(200);

  const refused = await write();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('RateLimit-Policy')).toBe('"write";q=2;w=60');
  expect(refused.headers.get('Retry-After')).toBe('30');
});

test('IPv6 addresses are counted by their first 64 bits', async () => {
  const { address } = await siteOn('SQLite', { dump: gallery });
  const signInTwiceFrom = async (peer: string) => {
    const site = await siteAt(address, { peer, environment: { VITRINE_SIGN_IN_LIMIT: '2' } });
    const statuses = [await signIn(site, 'ada', wrongPassword), await signIn(site, 'ada', wrongPassword)];
    await site.close();
    return statuses;
  };

  expect(await signInTwiceFrom('2001:db8:1:2::1')).toEqual([400, 400]);
  expect(await signInTwiceFrom('2001:db8:1:2:ffff::9')).toEqual([429, 429]);
  expect(await signInTwiceFrom('2001:db8:1:3::1')).toEqual([400, 400]);
  expect(await signInTwiceFrom('2001:DB8:1:2::1')).toEqual([429, 429]);
  expect(await signInTwiceFrom('::1')).toEqual([400, 400]);
});

onBothDatabases((kind) => {
  test('the limit of sign-in attempts holds for simultaneous attempts at two processes', async () => {
    const site = await siteOn(kind, { dump: galleryWithAccounts });
    await site.close();
    const servers = await Promise.all([1, 2].map(() => serve('--database', site.address)));
    const signInAt = async ({ address }: Server, username: string, password: string) => {
      const body = new URLSearchParams({ username, password });
      const { status } = await fetch(`${address}/api/v1/auth/token/`, { method: 'POST', body });
      return status;
    };

    const usernames = Array.from({ length: 15 }, (_, index) => (index % 3 ? 'ada' : 'ADA'));
    const statuses = await Promise.all(
      servers.flatMap((server) => usernames.map((username) => signInAt(server, username, wrongPassword))),
    );
    expect(statuses.sort()).toEqual([...Array(10).fill(400), ...Array(20).fill(429)]);

    const withPassword = await Promise.all(servers.map((server) => signInAt(server, 'ada', adasPassword)));
    expect(withPassword).toEqual([429, 429]);
    await Promise.all(servers.map((server) => server.stop()));
  });

  test('wrong passwords from other addresses do not lock out a known address', async () => {
    const { address } = await siteOn(kind, { dump: galleryWithAccounts });
    const signInFrom = async (peer: string, password: string) => {
      const site = await siteAt(address, { peer, environment: { VITRINE_SIGN_IN_LIMIT: '1' } });
      const status = await signIn(site, 'ada', password);
      await site.close();
      return status;
    };
    expect(await signInFrom('192.0.2.1', adasPassword)).toBe(200);

    for (let last = 1; last <= 10; last++)
      expect(await signInFrom(`198.51.100.${last}`, wrongPassword)).toBe(400);
    expect(await signInFrom('198.51.100.11', wrongPassword)).toBe(429);

    expect(await signInFrom('203.0.113.1', adasPassword)).toBe(429);
    expect(await signInFrom('192.0.2.1', adasPassword)).toBe(200);
  });

  test('an address that tries many usernames is limited, whether they exist or not', async () => {
    const environment = { VITRINE_SIGN_IN_LIMIT: '1' };
    const site = await siteOn(kind, { dump: galleryWithAccounts, peer: '192.0.2.1', environment });

    for (let count = 1; count <= 10; count++)
      expect(await signIn(site, `name${count}`, wrongPassword)).toBe(400);
    expect(await signIn(site, 'name11', wrongPassword)).toBe(429);

    const elsewhere = await siteAt(site.address, { peer: '192.0.2.2', environment });
    expect(await signIn(elsewhere, 'ada', adasPassword)).toBe(200);
  });

  test('an internal error reveals no details, and the log has it with the response’s id', async () => {
    const site = await siteAt(await emptyDatabase(kind), { dump: gallery });
    await site.database.transaction((transaction) => transaction.run(sql`drop table project_count`));

    const response = await site.get('/api/v1/projects/');
    expect([response.status, await response.text()]).toEqual([500, '{"detail":"A server error occurred."}']);

    const id = response.headers.get('X-Request-Id');
    expect(site.logged).toEqual([
      expect.stringMatching(new RegExp(`^${id} fault .*project_count`)),
      `${id} GET /api/v1/projects/ 500`,
    ]);
  });
});
