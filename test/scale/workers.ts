// Workers that are killed and replaced under load, and reads by any worker after each write: npm run test:scale.

import { expect, test } from 'bun:test';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { KeepAliveClient as Client, type KeepAliveClient } from '../support/keep-alive-client.ts';
import { childrenOf } from '../support/processes.ts';
import { serve } from '../support/server.ts';
import {
  bodyOf,
  connectToEach,
  errorsIn,
  isAlive,
  noLimits,
  request,
  startWorkers,
  statusOf,
  type Workers,
  waitFor,
} from '../support/workers.ts';

const projects = '/api/v1/projects/';
const create = (authorization: string, title: string) =>
  request('POST', projects, [authorization], JSON.stringify({ title, content_type: 'text', text: 'x' }));

onBothDatabases((kind) => {
  test('what one worker wrote is read at once from every worker: 600 writes, 1,800 reads', async () => {
    const { server, authorization } = await startWorkers(kind, 3, ...noLimits);
    const clients = [...(await connectToEach(server.port, 3)).values()];
    const { id } = bodyOf(await clients[0]?.send(create(authorization, 'Title 0')));
    const paths = [`${projects}${id}/?fields=title`, `${projects}?fields=title`];
    const stale: string[] = [];
    // Other visitors, so that every worker has just looked whether something has changed.
    let isOver = false;
    const visitors = [...(await connectToEach(server.port, 3)).values()].map(async (visitor) => {
      while (!isOver) await visitor.send(request('GET', paths[0] as string));
    });
    for (let round = 1; round <= 600; round++) {
      const title = `Title ${round}`;
      const writer = clients[round % clients.length] as KeepAliveClient;
      const change = request('PATCH', `${projects}${id}/`, [authorization], JSON.stringify({ title }));
      expect(statusOf(await writer.send(change))).toBe(200);
      const path = paths[round % paths.length] as string;
      for (const answer of await Promise.all(clients.map((client) => client.send(request('GET', path)))))
        if (!answer?.includes(`"title":"${title}"`)) stale.push(title);
    }
    isOver = true;
    await Promise.all(visitors);
    expect(stale).toEqual([]);
    await server.stop();
  }, 60_000);

  test('a worker that is killed under load is replaced at once, and no acknowledged write is lost', async () => {
    const workers = await startWorkers(kind, 2, ...noLimits);
    const { server } = workers;
    const load = startLoad(workers, 8);
    const replacedAfter: number[] = [];
    const startedAfter: number[] = [];
    for (let kill = 0; kill < 4; kill++) {
      await load.waitForWrites(100);
      const before = childrenOf(server.process.pid);
      // The writer first, which is then the younger one.
      const victim = before[kill % 2] as number;
      process.kill(victim, 'SIGKILL');
      const killedAt = performance.now();
      await waitFor(async () => !isAlive(victim) && (await countWorkers(server.port)) === 2);
      replacedAfter.push(performance.now() - killedAt);
      startedAfter.push(await timeStart());
    }
    await load.waitForWrites(100);
    const { created, statuses } = await load.stop();
    expect(Object.keys(statuses).filter((status) => !['200', '201', '503', 'lost'].includes(status))).toEqual(
      [],
    );
    expect(await readTitles(server.port)).toEqual(expect.arrayContaining(created));
    // As long as a server takes to start under the same load, and a little to see the death.
    expect(Math.min(...replacedAfter)).toBeLessThan(2 * Math.max(...startedAfter));
    const deaths = server.lines.filter((line) => line.includes('has ended with SIGKILL'));
    expect(deaths).toHaveLength(4);
    expect(await server.stop()).toBe(0);
  }, 60_000);

  test('SIGHUP under load replaces every worker, and no request is lost', async () => {
    const workers = await startWorkers(kind, 2, ...noLimits);
    const { server } = workers;
    const load = startLoad(workers, 8);
    await load.waitForWrites(100);
    const before = childrenOf(server.process.pid);
    server.process.kill('SIGHUP');
    await waitFor(
      () => server.lines.some((line) => line.includes('All workers have been replaced.')),
      30_000,
    );
    await load.waitForWrites(100);
    const { created, statuses } = await load.stop();

    expect(Object.keys(statuses).sort()).toEqual(['200', '201']);
    expect(await readTitles(server.port)).toEqual(expect.arrayContaining(created));
    expect(childrenOf(server.process.pid).filter((pid) => before.includes(pid))).toEqual([]);
    expect(await server.stop()).toBe(0);
  }, 60_000);
});

onBothDatabases((kind) => {
  test('a worker that stands still is killed and replaced, and requests go on', async () => {
    const workers = await startWorkers(kind, 2, ...noLimits);
    const { server } = workers;
    const [victim] = childrenOf(server.process.pid) as [number];
    const load = startLoad(workers, 8);
    await load.waitForWrites(20);
    process.kill(victim, 'SIGSTOP');
    const stoppedAt = performance.now();
    await waitFor(() => !isAlive(victim), 20_000);
    const seconds = (performance.now() - stoppedAt) / 1000;
    await waitFor(async () => (await countWorkers(server.port)) === 2);
    await load.waitForWrites(100);
    const { created, statuses } = await load.stop();

    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(15);
    expect(Object.keys(statuses).filter((status) => !['200', '201', '503', 'lost'].includes(status))).toEqual(
      [],
    );
    expect(await readTitles(server.port)).toEqual(expect.arrayContaining(created));
    expect(errorsIn(server.lines).filter((error) => error.startsWith('Worker'))).toEqual([
      'Worker 1 has stood still for 10 s: it is killed.',
      'Worker 1 has ended with SIGKILL, it is started again.',
    ]);
    expect(await server.stop()).toBe(0);
  }, 60_000);
});

/** The milliseconds that a server of its own takes to start. */
async function timeStart(): Promise<number> {
  const beganAt = performance.now();
  const server = await serve('--database', temporaryPath('gallery.sqlite'));
  const ms = performance.now() - beganAt;
  await server.stop();
  return ms;
}

async function countWorkers(port: number): Promise<number> {
  const clients = await connectToEach(port, 2).catch(() => new Map<string, KeepAliveClient>());
  for (const client of clients.values()) client.close();
  return clients.size;
}

async function readTitles(port: number): Promise<string[]> {
  const titles: string[] = [];
  let path: string | undefined = `${projects}?page_size=100&fields=title`;
  const client = new Client(port);
  while (path) {
    const { next, results } = bodyOf(await client.send(request('GET', path)));
    titles.push(...results.map(({ title }: { title: string }) => title));
    path = next?.replace(/^http:..[^/]*/, '');
  }
  client.close();
  return titles;
}

/** Clients that create projects and read, each over a connection that it opens again after a loss. */
function startLoad({ server, authorization }: Workers, count: number) {
  const created: string[] = [];
  const statuses: Record<string, number> = {};
  let isOver = false;
  const run = async (name: number) => {
    const client = new Client(server.port);
    for (let round = 0; !isOver; round++) {
      const title = `Of ${name}, ${round}`;
      const text = round % 2 ? create(authorization, title) : request('GET', projects);
      const answer = await client.send(text).catch(() => undefined);
      const status = answer === undefined ? 'lost' : statusOf(answer);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 201) created.push(title);
      if (status === 'lost') client.close();
      if (status === 'lost' || status === 503) await Bun.sleep(20);
    }
    client.close();
  };
  const clients = Promise.all(Array.from({ length: count }, (_, name) => run(name)));
  return {
    waitForWrites(more: number) {
      const enough = created.length + more;
      return waitFor(() => created.length >= enough);
    },
    async stop() {
      isOver = true;
      await clients;
      return { created, statuses };
    },
  };
}
