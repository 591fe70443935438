// A replica is promoted under load, after the server that takes writes was killed: npm run test:scale.

import { expect, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { ada, dump, project, siteAt } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { noLimits } from '../support/workers.ts';

test('after a promotion, writes are accepted again, and none that was acknowledged is missing', async () => {
  const primary = await PostgresServer.start();
  const standby = await primary.startReplica();
  closeLater(() => Promise.all([primary.stop(), standby.stop()]));
  // Writes are acknowledged when the replica has them too.
  await primary.set('synchronous_standby_names', '*');
  const database = `postgres://vitrine@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`;
  const servers = await Promise.all(
    [1, 2].map(() =>
      serve('--database', database, '--replica', database, '--files', temporaryPath('files'), ...noLimits),
    ),
  );
  await vitrineWithInput('correct horse battery', 'user', 'add', 'ada', '--database', database);
  const key = await vitrine('key', 'add', 'ada', 'test', 'write', '--database', database);
  const headers = { Authorization: `Token ${key.out.trim()}`, 'Content-Type': 'application/json' };

  const acknowledged: string[] = [];
  const refused = new Set<string>();
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let count = 1; !isOver; count++) {
      const title = `Of ${writer}, ${count}`;
      const response = await fetch(`${servers[writer % 2]?.address}/api/v1/projects/`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title, content_type: 'text', text: 'x' }),
      });
      await response.text();
      if (response.status === 201) acknowledged.push(title);
      else {
        refused.add(`${response.status} ${response.headers.get('Retry-After')}`);
        await randomPause(40);
      }
    }
  });
  const reads = new Set<number>();
  const readers = [headers, {}].map(async (credentials, reader) => {
    while (!isOver) {
      const path = `/api/v1/projects/?search=count${Math.random()}`;
      const response = await fetch(`${servers[reader]?.address}${path}`, { headers: credentials });
      await response.text();
      reads.add(response.status);
    }
  });
  await waitFor(() => acknowledged.length > 200);
  primary.signal('SIGKILL');
  await waitFor(() => refused.size > 0);
  const readiness = await fetch(`${servers[0]?.address}/readyz`);
  expect([readiness.status, await readiness.json()]).toEqual([
    200,
    { status: 'ready to read: the database takes no writes' },
  ]);
  const before = acknowledged.length;
  await standby.promote();
  await waitFor(() => acknowledged.length > before + 200);
  isOver = true;
  await Promise.all([...writers, ...readers]);

  expect([...reads]).toEqual([200]);
  expect([...refused]).toEqual(['503 1']);
  const stored = await standby.query('select title from project');
  expect(stored.map(({ title }) => title)).toEqual(expect.arrayContaining(acknowledged));
  for (const server of servers) {
    const notes = server.lines.filter((line) => line.includes('Writes go to the PostgreSQL server'));
    expect(notes.map((line) => JSON.parse(line).message)).toEqual([
      `Writes go to the PostgreSQL server 127.0.0.1:${standby.port} now (timeline 2).`,
    ]);
  }
  const doctor = await vitrine('doctor', '--database', database);
  expect(doctor.out).toContain(`127.0.0.1:${standby.port} takes writes`);
  expect(doctor.out).toContain(`The PostgreSQL server 127.0.0.1:${primary.port} cannot be used: `);

  // The server that was replaced comes back alone: it lacks writes that were acknowledged.
  standby.signal('SIGKILL');
  await primary.restart();
  await primary.set('synchronous_standby_names', '');
  for (const server of servers) {
    const outdated = `Only the PostgreSQL server 127.0.0.1:${primary.port} takes writes, and it lacks`;
    await waitFor(() => server.lines.some((line) => line.includes(outdated)));
    const body = JSON.stringify({ title: 'Lost', content_type: 'text', text: 'x' });
    const response = await fetch(`${server.address}/api/v1/projects/`, { method: 'POST', headers, body });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1']);
  }
});

test('after a promotion that lost the last writes, deep pages are those of the new server', async () => {
  const primary = await PostgresServer.start();
  const standby = await primary.startReplica();
  closeLater(() => Promise.all([primary.stop(), standby.stop()]));
  const address = `postgres://vitrine@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const lines = Array.from({ length: 1500 }, (_, index) => project(index + 1));
  const site = await siteAt(address, { dump: dump(ada, ...lines) });
  const key = await site.key('ada');
  const create = async () =>
    site.request('/api/v1/projects/', {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'New', content_type: 'text', text: 'x' }),
    });
  const readIds = async () => {
    const path = `/api/v1/projects/?page_size=50&page=25&fields=id&other=${Math.random()}`;
    const response = await site.get(path);
    return response.ok
      ? ((await response.json()) as { results: { id: number }[] }).results.map(({ id }) => id)
      : [];
  };
  const expectExactPage = async (server: PostgresServer) => {
    const rows = await server.query(
      'select id from project where status = 1 order by created desc, id desc limit 50 offset 1200',
    );
    await waitFor(async () => (await readIds()).length > 0);
    expect(await readIds()).toEqual(rows.map(({ id }) => Number(id)));
  };
  await expectExactPage(primary);
  await waitFor(async () => (await standby.query('select from api_key')).length === 1);
  await standby.set('primary_conninfo', '');
  await waitFor(async () => (await standby.query('select from pg_stat_wal_receiver')).length === 0);
  for (let count = 0; count < 3; count++) expect((await create()).status).toBe(201);
  await expectExactPage(primary);

  primary.signal('SIGKILL');
  await standby.promote();
  await waitFor(async () => (await create()).status === 201);
  await expectExactPage(standby);
});
