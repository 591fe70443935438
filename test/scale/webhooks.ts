// Webhooks from two server processes, while servers and receivers are killed: npm run test:scale.

import { expect, test } from 'bun:test';
import sql, { raw } from 'sql-template-tag';
import { type Database, executeAlone, pick, select } from '#sql';
import { changeTable } from '../../src/core/changes/tables.ts';
import { openGallery } from '../../src/core/open-gallery.ts';
import { jobTable } from '../../src/core/server-tables.ts';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Event, firstTimes, KillableReceiver } from '../support/killable.ts';
import { freePort } from '../support/processes.ts';
import { type Server, serve, vitrine } from '../support/server.ts';
import { ada, contributor, dump, project, siteAt } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { connectToEach, noLimits, request, startWorkers, statusOf } from '../support/workers.ts';
import { scaled } from './size.ts';

const writes = scaled(600);
const kills = 4;
const writers = 8;

const allowed = ['--webhook-allow-network', '127.0.0.1'];

async function addWebhook(database: string, name: string, url: string, events: string): Promise<void> {
  const webhook = [name, url, 'http://localhost', events];
  expect((await vitrine('webhook', 'add', ...webhook, '--database', database, ...allowed)).code).toBe(0);
}

const createProject = (server: Server | undefined, key: string, title: string, visibility = 'public') =>
  fetch(`${server?.address}/api/v1/projects/`, {
    method: 'POST',
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title, visibility }),
  });

const changeProject = (server: Server | undefined, key: string, id: number, title: string) =>
  fetch(`${server?.address}/api/v1/projects/${id}/`, {
    method: 'PATCH',
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });

/** The first projects belong to ada, the next ones to bob. */
const projectsOfEach = 5;

/** Creates and changes projects at both servers; what a killed server did not answer is not repeated. */
async function write(servers: readonly Server[], keys: readonly string[], kill: () => Promise<void>) {
  let next = 0;
  let killing = Promise.resolve();
  const step = Math.floor(writes / (kills + 1));
  const run = async () => {
    for (let number = ++next; number <= writes; number = ++next) {
      if (number % step === 0 && number / step <= kills) killing = killing.then(kill);
      const visibility = ['public', 'private', 'unlisted'][number % 3];
      const [server, key = ''] = [servers[number % 2], keys[number % 2]];
      const own = (number % 2) * projectsOfEach + 1 + (number % projectsOfEach);
      const written =
        number % 4 < 2
          ? changeProject(server, key, own, `${number}`)
          : createProject(server, key, `${number}`, visibility);
      await written.catch(() => killing);
    }
  };
  await Promise.all(Array.from({ length: writers }, run));
  await killing;
}

/** Who holds how many shares of the owners. */
async function countShares(gallery: Database): Promise<Map<string, number>> {
  const rows = await gallery.all(
    select(
      pick(jobTable.columns, 'held_by'),
      sql`from job where kind = 'webhooks' and name like 'share %' and held_by <> ''`,
    ),
  );
  return new Map(
    [...Map.groupBy(rows, ({ held_by }) => held_by)].map(([holder, { length }]) => [holder, length]),
  );
}

/** As eight seconds after a process was killed that holds shares. */
const endHold = (gallery: Database, holder: string | undefined) =>
  executeAlone(gallery)`update job set held_until = 0 where kind = 'webhooks' and held_by = ${holder}`;

/** The same, by projects. */
const byProject = (events: readonly Event[]) =>
  [...Map.groupBy(events, ({ id }) => id)]
    .map(([id, ofProject]) => [id, firstTimes(ofProject)] as const)
    .sort(([one], [other]) => one - other);

onBothDatabases((kind) => {
  test('while servers and receivers are killed, each webhook gets every event of its owner, in the order that it wants', async () => {
    const database = await emptyDatabase(kind);
    const projects = Array.from({ length: 2 * projectsOfEach }, (_, index) =>
      project(index + 1, { contributor: index < projectsOfEach ? 1 : 2 }),
    );
    const people = [ada, contributor(2, 'bob'), contributor(3, 'mo')];
    const site = await siteAt(database, { dump: dump(...people, ...projects) });
    const keyOf = async (name: string, role?: 'moderator') =>
      (await site.key(name, { role })).Authorization ?? '';
    const keys = [await keyOf('ada'), await keyOf('bob'), await keyOf('mo', 'moderator')];
    await site.close();
    const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits];
    const start = (port = freePort()) => serve(...options, ...allowed, '--port', String(port));
    const servers = await Promise.all([start(), start()]);
    const receivers = await Promise.all(keys.map(() => KillableReceiver.start()));
    for (const [index, receiver] of receivers.entries()) {
      const [name = '', events = ''] =
        [
          ['ada', 'own'],
          ['bob', 'own'],
          ['mo', 'gallery'],
        ][index] ?? [];
      await addWebhook(database, name, receiver.url, events);
    }

    const gallery = await openGallery(database);
    closeLater(() => gallery.close());
    const setPace = (id: number, pace: string) =>
      gallery.transaction((transaction) =>
        transaction.run(raw(`update webhook set ${pace} where id = ${id}`)),
      );
    await setPace(2, 'concurrency = 8');
    await setPace(3, 'concurrency = 4, batch_size = 10');

    let killed = 0;
    await write(servers, keys, async () => {
      const index = killed++ % 2;
      const { port, stop } = servers[index] as Server;
      await stop('SIGKILL');
      await receivers[killed % 3]?.kill();
      servers[index] = await start(port);
    });
    expect(killed).toBe(kills);
    const logged = await gallery.all(
      select(
        pick(changeTable.columns, 'sequence', 'owner', 'subject'),
        sql`from change where kind = 'project' and action <> 'imported' order by sequence`,
      ),
    );
    for (const [index, receiver] of receivers.entries()) {
      const expected = logged
        .filter(({ owner }) => index === 2 || owner === index + 1)
        .map(({ sequence, subject }) => ({ sequence, id: subject }));
      expect(expected.length).toBeGreaterThan(writes / 8);
      await waitFor(() => firstTimes(receiver.events).length >= expected.length);
      // In order: one that comes a second time is followed by the same ones again.
      if (index === 0) expect(firstTimes(receiver.events)).toEqual(firstTimes(expected));
      else expect(byProject(receiver.events)).toEqual(byProject(expected));
    }
  });

  test('when the process that sends is killed, another one goes on', async () => {
    const database = await emptyDatabase(kind);
    const site = await siteAt(database, { dump: dump(ada) });
    const key = (await site.key('ada')).Authorization ?? '';
    await site.close();
    const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits, ...allowed];
    const receiver = startReceiver();
    await addWebhook(database, 'ada', receiver.url, 'own');
    const gallery = await openGallery(database);
    closeLater(() => gallery.close());
    const first = await serve(...options);
    await createProject(first, key, 'One');
    await waitFor(() => receiver.received.length === 1);
    const [holder] = (await countShares(gallery)).keys();
    const second = await serve(...options);
    await createProject(second, key, 'Two');
    await waitFor(() => receiver.received.length === 2);
    await first.stop('SIGKILL');
    await createProject(second, key, 'Three');
    await endHold(gallery, holder);
    await waitFor(() => new Set(receiver.numbers).size === 3);
  });

  test('two servers share the owners of webhooks, and the one that stays takes over those of a killed one', async () => {
    const database = await emptyDatabase(kind);
    const owners = Array.from({ length: 8 }, (_, index) => index + 1);
    const people = owners.map((id) => contributor(id, `owner-${id}`));
    const projects = owners.map((id) => project(id, { contributor: id }));
    const site = await siteAt(database, { dump: dump(...people, ...projects) });
    const keys: string[] = [];
    for (const id of owners) keys.push((await site.key(`owner-${id}`)).Authorization ?? '');
    await site.close();
    const receivers = owners.map(() => startReceiver());
    for (const [index, { url }] of receivers.entries())
      await addWebhook(database, `owner-${index + 1}`, url, 'own');
    const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits, ...allowed];
    const gallery = await openGallery(database);
    closeLater(() => gallery.close());
    const haveShares = (...counts: number[]) =>
      waitFor(async () => Bun.deepEquals([...(await countShares(gallery)).values()], counts));
    const first = await serve(...options);
    await haveShares(32);
    const [holder] = (await countShares(gallery)).keys();
    const second = await serve(...options);
    await haveShares(16, 16);
    const writeRound = async (server: Server | undefined, rounds: number) => {
      for (let round = 0; round < rounds; round++)
        await Promise.all(
          owners.map((id) => changeProject(server, keys[id - 1] ?? '', id, `Round ${round}`)),
        );
    };
    await writeRound(first, 10);
    await waitFor(() => receivers.every(({ received }) => received.length >= 10));
    const killing = first.stop('SIGKILL');
    await writeRound(second, 10);
    await killing;
    await endHold(gallery, holder);
    await waitFor(() => receivers.every(({ numbers }) => new Set(numbers).size === 20));
    for (const { numbers } of receivers)
      expect([...new Set(numbers)]).toEqual(
        numbers
          .toSorted((one, other) => one - other)
          .filter((number, index, all) => number !== all[index - 1]),
      );
    await haveShares(32);
  });

  test('of several workers, one sends', async () => {
    const { server, database, authorization } = await startWorkers(kind, 3, ...noLimits, ...allowed);
    const receiver = startReceiver();
    await addWebhook(database, 'ada', receiver.url, 'own');
    const clients = [...(await connectToEach(server.port, 3)).values()];
    for (let number = 1; number <= 30; number++) {
      const body = JSON.stringify({ title: `Number ${number}` });
      const response = await clients[number % 3]?.send(
        request('POST', '/api/v1/projects/', [authorization], body),
      );
      expect(statusOf(response)).toBe(201);
    }
    await waitFor(() => receiver.received.length >= 30);
    await server.stop();
    // Each once, in order: two processes would send each twice.
    expect(receiver.numbers).toEqual([...new Set(receiver.numbers)].sort((one, other) => one - other));
    expect(receiver.numbers.length).toBe(30);
  });
});
