// Several processes write to one PostgreSQL: their changes get numbers in one order, and nobody waits for a killed one.

import { expect, test } from 'bun:test';
import { locks } from '#sql/postgres/change-queue.ts';
import { emptyDatabase } from '../support/databases.ts';
import { type Server, serve, vitrine } from '../support/server.ts';
import { ada, contributor, dump, siteAt } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';
import { scaled } from './size.ts';

const limits = ['--read-limit', 'off', '--write-limit', 'off'];

interface FeedPage {
  readonly last: number;
  readonly results: readonly { sequence: number; action: string; kind: string; id: number }[];
}

async function startGallery(...options: string[]) {
  const database = await emptyDatabase('PostgreSQL');
  const site = await siteAt(database, { dump: dump(ada, contributor(2, 'bob')) });
  const headers = await Promise.all(['ada', 'bob'].map((name) => site.key(name)));
  await site.close();
  const start = () => serve('--database', database, ...limits, ...options);
  return { database, headers, servers: await Promise.all([start(), start()]) };
}

const create = (server: Server | undefined, headers: Record<string, string> | undefined, title: string) =>
  fetch(`${server?.address}/api/v1/projects/`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title, tags: ['paper'] }),
  });

/** With a key: what visitors get may be half a second old. */
async function readChanges(
  server: Server | undefined,
  headers: Record<string, string> | undefined,
  since: number,
): Promise<FeedPage> {
  const response = await fetch(`${server?.address}/api/v1/changes/?since=${since}&limit=50`, { headers });
  return (await response.json()) as FeedPage;
}

test('who follows two processes gets every change once and in order, counts are exact, and a quota holds', async () => {
  const writes = scaled(1300);
  const quota = Math.floor(writes * 0.8);
  const { database, headers, servers } = await startGallery('--project-quota', String(quota));
  const begin = (await readChanges(servers[0], headers[1], 0)).last;
  const followed: number[] = [];
  let isWriting = true;
  let since = begin;
  const follow = async () => {
    const { last, results } = await readChanges(servers[0], headers[1], since);
    for (const { sequence, action, id } of results) {
      expect(sequence).toBeGreaterThan(since);
      since = sequence;
      if (action === 'created') followed.push(id);
    }
    since = last;
    return results.length;
  };
  const following = (async () => {
    while (isWriting) await follow();
    while (await follow());
  })();

  const created: number[] = [];
  const statuses = new Map<number, number>();
  let next = 0;
  const write = async () => {
    for (let number = next++; number < writes; number = next++) {
      // Ada comes to her quota. Bob does not.
      const response = await create(servers[number % 2], headers[number % 7 ? 0 : 1], `Number ${number}`);
      const { id } = (await response.json()) as { id: number };
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 201) created.push(id);
    }
  };
  await Promise.all(Array.from({ length: 64 }, write));
  isWriting = false;
  await following;

  const ofBob = Math.ceil(writes / 7);
  expect(statuses).toEqual(
    new Map([
      [201, quota + ofBob],
      [403, writes - quota - ofBob],
    ]),
  );
  expect(followed.length).toBe(created.length);
  expect(new Set(followed)).toEqual(new Set(created));
  for (const server of servers) {
    const response = await fetch(`${server.address}/api/v1/projects/`, { headers: headers[1] });
    const { count } = (await response.json()) as { count: number };
    expect(count).toBe(quota + ofBob);
  }
  expect(await vitrine('check', '--database', database)).toEqual({
    code: 0,
    out: 'All is well.\n',
    error: '',
  });
});

test('what a killed process has committed and not numbered, another numbers', async () => {
  const { database, headers, servers } = await startGallery();
  const [survivor, killed] = servers;
  const begin = (await readChanges(survivor, headers[1], 0)).last;
  const client = new Bun.SQL({ url: database, max: 1 });
  await client.unsafe(`select pg_advisory_lock(${locks.numbering})`);
  const response = create(killed, headers[0], 'Not numbered').catch(() => undefined);
  const isQueued = async () => (await client.unsafe('select from change_queue')).length === 1;
  await waitFor(isQueued);
  killed?.process.kill('SIGKILL');
  await response;
  // As if its machine were gone: otherwise the server would still run the last statement of the killed process.
  await client.unsafe(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted",
  );
  expect(await isQueued()).toBe(true);
  await client.unsafe(`select pg_advisory_unlock(${locks.numbering})`);
  await waitFor(async () => (await readChanges(survivor, headers[1], begin)).results.length > 0);
  await client.close();
});
