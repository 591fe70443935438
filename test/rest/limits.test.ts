// Limits of a site: how many requests and sign-in attempts, from which hosts and proxies, and for how long.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { type Server, serve } from '../support/server.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { stopClock } from '../support/waiting.ts';

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
  stopClock();
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
  stopClock();
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

test.each([
  ['an entry with a port', '192.0.2.1:5678', '192.0.2.1:9999'],
  ['an IPv6 address with a port', '[2001:db8::1]:5678', '2001:db8::1'],
  ['an element of the header Forwarded', 'for="[2001:db8::1]:5678";proto=http', 'For=[2001:db8::2]'],
  ['an entry in quotes', '"192.0.2.1"', '192.0.2.1'],
  ['an IPv4 address in IPv6 form', '::ffff:192.0.2.1', '192.0.2.1'],
])('behind a trusted proxy, %s counts as its address', async (_, one, other) => {
  stopClock();
  const environment = { VITRINE_READ_LIMIT: '1', VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '10.1.2.3', environment });
  const statuses = await inOrder([one, `203.0.113.9, ${other}`, '198.51.100.1:80'], (forwardedFor) =>
    site.get('/api/v1/', { 'X-Forwarded-For': forwardedFor }),
  );
  expect(statuses).toEqual([200, 429, 200]);
});

test('an entry that is not an address counts as the proxy that wrote it, not as a forged entry before it', async () => {
  stopClock();
  const environment = { VITRINE_READ_LIMIT: '2', VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '10.1.2.3', environment });
  const read = (forwardedFor: string) => site.get('/api/v1/', { 'X-Forwarded-For': forwardedFor });

  const unreadable = [
    '203.0.113.1, unknown',
    '203.0.113.2, _hidden',
    '203.0.113.3, ',
    '203.0.113.4, 1.2.3',
    '',
  ];
  expect(await inOrder(unreadable, read)).toEqual([200, 200, 429, 429, 429]);

  // Another of our proxies has written it.
  const throughTwoProxies = [
    '203.0.113.5, unknown, 10.9.9.9',
    '203.0.113.6, 192.0.2.1:99999999, 10.9.9.9:80',
  ];
  expect(await inOrder([...throughTwoProxies, 'unknown, 10.9.9.9'], read)).toEqual([200, 200, 429]);
});

test('several X-Forwarded-For headers count as one list', async () => {
  stopClock();
  const environment = { VITRINE_READ_LIMIT: '1', VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '10.1.2.3', environment });
  const statuses = await inOrder([1, 2, 3], (count) => {
    const headers = new Headers();
    for (let forged = 0; forged < 2000; forged++) headers.append('X-Forwarded-For', `203.0.113.${count}`);
    headers.append('X-Forwarded-For', '192.0.2.1:5678');
    return site.request('/api/v1/', { headers });
  });
  expect(statuses).toEqual([200, 429, 429]);
});

test('wrong passwords behind a proxy that appends a port are counted by address', async () => {
  stopClock();
  const environment = { VITRINE_SIGN_IN_LIMIT: '1', VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '10.1.2.3', environment });
  const statuses = await inOrder([1, 2, 3], (count) =>
    site.request('/api/v1/auth/token/', {
      method: 'POST',
      headers: { 'X-Forwarded-For': `203.0.113.${count}, 192.0.2.1:${5000 + count}` },
      body: new URLSearchParams({ username: 'ada', password: wrongPassword }),
    }),
  );
  expect(statuses).toEqual([400, 429, 429]);
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
  // The log names the option, once.
  await behindProxy.get('/', { 'X-Forwarded-Host': 'EVIL.example:81' });
  const hint =
    'Requests for the host evil.example are refused. If it is yours, allow it: --allowed-host evil.example';
  expect(behindProxy.logged.filter((line) => line.includes('refused'))).toEqual([hint]);
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
  const site = await siteOn('PostgreSQL', { dump: gallery, timeoutMs: 300 });
  const client = new Bun.SQL({ url: site.address, max: 1 });
  await client.unsafe('begin');
  await client.unsafe('lock table project in access exclusive mode');

  const clock = stopClock();
  const waiting = site.get('/api/v1/projects/1/');
  clock.advance(300);
  const refused = await waiting;
  expect([refused.status, refused.headers.get('Retry-After'), await refused.text()]).toEqual([
    503,
    '1',
    '{"detail":"Service temporarily unavailable, try again later."}',
  ]);

  await client.unsafe('rollback');
  await client.close();
  expect((await site.get('/api/v1/projects/1/')).status).toBe(200);
});

test('requests with keys and sessions are counted by person, however many the person has', async () => {
  stopClock();
  const environment = { VITRINE_READ_LIMIT: '2' };
  const both = dump(adasLine, contributor(2, 'bob'), project(1));
  const site = await siteOn('SQLite', { dump: both, peer: '192.0.2.1', environment });
  const withKey = await person(site, 'ada');
  const withOtherKey = await person(site, 'ada');
  const { browser } = await person(site, 'ada');

  const statuses = await inOrder([withKey, withOtherKey, browser, withKey], (client) =>
    client.get('/api/v1/'),
  );
  expect(statuses).toEqual([200, 200, 429, 429]);

  for (const client of [await person(site, 'bob'), visitor(site)]) {
    const statuses = await inOrder(['/api/v1/', '/', '/api/v1/projects/1/'], (path) => client.get(path));
    expect(statuses).toEqual([200, 200, 429]);
  }
});

test('new keys do not let a person write more', async () => {
  stopClock();
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_WRITE_LIMIT: '5' } });
  const people = await Promise.all(Array.from({ length: 15 }, () => person(site, 'ada')));
  const statuses = await inOrder(people, (ada) => ada.patch('/api/v1/projects/1/', { title: 'New' }));
  expect(statuses).toEqual([...Array(5).fill(200), ...Array(10).fill(429)]);
});

test.each([
  ['Authorization', 'Token %'],
  ['Authorization', 'Basic %'],
  ['Cookie', 'vitrine_session=%'],
  ['Cookie', 'other=%'],
])(
  'requests with an invalid header are counted by address, not by its value: %s: %s',
  async (name, value) => {
    stopClock();
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
  stopClock();
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
  stopClock();
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
