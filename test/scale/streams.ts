// Streams of changes from two server processes, while servers and clients are killed: npm run test:scale.

import { expect, test } from 'bun:test';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { EventReader } from '../support/event-reader.ts';
import { type Entry, KillableClient, KillableServer, readAll } from '../support/killable.ts';
import { serve } from '../support/server.ts';
import { ada, contributor, dump, siteAt } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { noLimits } from '../support/workers.ts';
import { scaled } from './size.ts';

const writes = scaled(600);
const serverKills = 4;
const clientKills = 6;

/** Without contributors, whom visitors see as long as they have something listed: in the end, others than on the way. */
const numbersOf = (entries: readonly Entry[]) =>
  entries.filter(({ kind }) => kind !== 'contributor').map(({ sequence }) => sequence);

/** Creates, hides, shows and rates projects at both servers; what a killed server did not answer is not repeated. */
function startWriting(servers: readonly KillableServer[], keys: readonly string[]) {
  let next = 0;
  const own = keys.map(() => [] as number[]);
  const send = async (
    number: number,
    method: string,
    path: string,
    body: object,
    key: string | undefined,
  ) => {
    const response = await fetch(`${servers[number % servers.length]?.address}/api/v1/projects/${path}`, {
      method,
      headers: { Authorization: key ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.ok ? ((await response.json()) as { id?: number }) : undefined;
  };
  const writeOne = async (number: number) => {
    const person = number % keys.length;
    const [key, ids] = [keys[person], own[person] ?? []];
    const visibility = ['public', 'private', 'unlisted', 'public'][number % 4];
    const id = ids[(number * 7) % Math.max(1, ids.length)];
    if (number % 3 > 0 || id === undefined) {
      const created = await send(number, 'POST', '', { title: `Number ${number}`, visibility }, key);
      if (created?.id !== undefined) ids.push(created.id);
    } else await send(number, 'PATCH', `${id}/`, { visibility }, key);
  };
  let answered = 0;
  const run = async () => {
    while (answered < writes)
      await writeOne(next++).then(
        () => answered++,
        () => randomPause(100),
      );
  };
  return {
    finished: Promise.all(Array.from({ length: 8 }, run)),
    /** Waits until so many of all writes are answered. */
    reaches: (share: number) => waitFor(() => answered >= share * writes),
  };
}

onBothDatabases((kind) => {
  test('while servers and clients are killed, each gets every change that they may see, in order, and no other', async () => {
    const database = await emptyDatabase(kind);
    const site = await siteAt(database, { dump: dump(ada, contributor(2, 'bob'), contributor(3, 'mo')) });
    const keyOf = async (name: string, role?: 'moderator') =>
      (await site.key(name, { role })).Authorization ?? '';
    const keys = [await keyOf('ada'), await keyOf('bob')];
    const readers = ['', ...keys, await keyOf('mo', 'moderator')];
    await site.close();
    const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits];
    const servers = await Promise.all([KillableServer.start(...options), KillableServer.start(...options)]);
    const clients = readers.map((authorization) => new KillableClient(authorization, servers));

    const writing = startWriting(servers, keys);
    const killServers = async () => {
      for (let kill = 0; kill < serverKills; kill++) {
        await writing.reaches((kill + 0.5) / serverKills);
        await servers[kill % 2]?.kill();
      }
    };
    const killClients = async () => {
      for (let kill = 0; kill < clientKills; kill++) {
        await writing.reaches((kill + 0.5) / clientKills);
        await clients[kill % clients.length]?.kill();
      }
    };
    await Promise.all([writing.finished, killServers(), killClients()]);

    for (const client of clients) {
      const expected = numbersOf(await readAll(servers[0], client.authorization));
      await waitFor(() => client.entries.at(-1)?.sequence === expected.at(-1));
      // Once: a client that was killed had written all that it had received.
      expect(numbersOf(client.entries)).toEqual(expected);
    }
    const counts = clients.map(({ entries }) => entries.length);
    expect(Math.min(...counts)).toBeGreaterThan(writes / 4);
    // The moderator sees all, and the visitor least.
    expect(Math.max(...counts)).toBe(counts[3] as number);
    expect(Math.min(...counts)).toBe(counts[0] as number);
  });
});

test('a stream without events stays open, and its comments say how far it has come', async () => {
  const database = await emptyDatabase('SQLite');
  const site = await siteAt(database, { dump: dump(ada) });
  const headers = await site.key('ada');
  await site.close();
  const server = await serve('--database', database);
  const events = new EventReader(await fetch(`${server.address}/api/v1/changes/stream/?tags=none`));
  const next = events.next();
  await waitFor(() => events.lastId !== undefined);
  const start = events.lastId ?? 0;
  const response = await fetch(`${server.address}/api/v1/projects/`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Kite' }),
  });
  expect(response.status).toBe(201);
  await waitFor(() => events.lastId !== start);
  expect(events.lastId).toBe(start + 1);
  await events.close();
  expect(await next).toBeUndefined();
});
