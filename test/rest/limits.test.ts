import { expect, test } from 'bun:test';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { ada, dump, project, siteAt, siteOn } from '../support/site.ts';

const gallery = dump(ada, project(1));

test('an address that asks too often is told when to come back', async () => {
  const site = await siteOn('SQLite', {
    dump: gallery,
    peer: '192.0.2.1',
    environment: { VITRINE_READ_LIMIT: '3' },
  });
  const answers = [];
  for (let asked = 0; asked < 4; asked++) answers.push(await site.get('/api/v1/projects/1/'));
  const health = await site.get('/livez');
  await site.close();

  const last = answers[3] as Response;
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(await last.text()).toBe('{"detail":"Request was throttled. Expected available in 20 seconds."}');
  expect([...['Retry-After', 'RateLimit', 'RateLimit-Policy'].map((name) => last.headers.get(name))]).toEqual(
    ['20', '"read";r=0;t=20', '"read";q=3;w=60'],
  );
  expect(health.status).toBe(200);
});

test('readers behind a proxy of ours are counted one by one, and cannot choose who they are', async () => {
  const proxied = { VITRINE_READ_LIMIT: '1', VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' };
  const site = await siteOn('SQLite', { dump: gallery, peer: '10.1.2.3', environment: proxied });
  const statuses = [];
  for (const forwarded of ['192.0.2.1', '192.0.2.2', '203.0.113.9, 192.0.2.1', '192.0.2.1, 10.9.9.9']) {
    statuses.push((await site.get('/api/v1/', { 'X-Forwarded-For': forwarded })).status);
  }
  const stranger = await siteAt(site.address, { peer: '192.0.2.7', environment: proxied });
  for (const forwarded of ['192.0.2.50', '192.0.2.51'])
    statuses.push((await stranger.get('/api/v1/', { 'X-Forwarded-For': forwarded })).status);
  await Promise.all([site.close(), stranger.close()]);

  expect(statuses).toEqual([200, 200, 429, 429, 200, 429]);
});

test('host and scheme are taken from a proxy of ours, and from nobody else', async () => {
  const environment = { VITRINE_TRUSTED_PROXIES: '10.0.0.1' };
  const headers = { Host: 'localhost', 'X-Forwarded-Host': 'gallery.example', 'X-Forwarded-Proto': 'https' };
  const behind = await siteOn('SQLite', { peer: '10.0.0.1', environment });
  const direct = await siteAt(behind.address, { peer: '10.0.0.2', environment });
  const roots = [await behind.json('/api/v1/', headers), await direct.json('/api/v1/', headers)];
  const wrong = await behind.get('/api/v1/', { 'X-Forwarded-Host': 'evil.example' });
  await Promise.all([behind.close(), direct.close()]);

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

test('a request that the database keeps waiting is answered 503 before the server would give up', async () => {
  const address = await emptyDatabase('PostgreSQL');
  const site = await siteAt(address, { dump: gallery, deadline: 300 });
  const other = new Bun.SQL(address);
  const locked = await other.reserve();
  await locked.unsafe('begin');
  await locked.unsafe('lock table project in access exclusive mode');
  const waiting = await site.get('/api/v1/projects/1/');
  await locked.unsafe('rollback');
  locked.release();
  const served = await site.get('/api/v1/projects/1/');
  await Promise.all([site.close(), other.close()]);

  expect([waiting.status, waiting.headers.get('Retry-After'), await waiting.text()]).toEqual([
    503,
    '1',
    '{"detail":"Service temporarily unavailable, try again later."}',
  ]);
  expect(served.status).toBe(200);
});

onBothDatabases((kind) => {
  test('a fault of ours says nothing of the inside, and the log knows it by the answer’s id', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await site.database.change((transaction) =>
      transaction.run({ sql: 'drop table tally', text: 'drop table tally', values: [] } as never),
    );
    const response = await site.get('/api/v1/projects/');
    const id = response.headers.get('X-Request-Id');
    await site.close();

    expect([response.status, await response.text()]).toEqual([500, '{"detail":"A server error occurred."}']);
    expect(site.logged).toEqual([
      expect.stringMatching(new RegExp(`^${id} fault .*tally`)),
      `${id} GET /api/v1/projects/ 500`,
    ]);
  });
});
