// Workers that are killed and replaced under load, and reads by any worker after each write: npm run test:scale.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import type { KeepAliveClient } from '../support/keep-alive-client.ts';
import { childrenOf } from '../support/processes.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import {
  bodyOf,
  connectToEach,
  errorsIn,
  noLimits,
  request,
  startWorkers,
  statusOf,
} from '../support/workers.ts';
import { countWorkers, create, projects, readTitles, startLoad } from './load.ts';
import { scaled } from './size.ts';

onBothDatabases((kind) => {
  test('what one worker wrote is read at once from every worker', async () => {
    const { server, authorization } = await startWorkers(kind, 3, ...noLimits);
    const clients = [...(await connectToEach(server.port, 3)).values()];
    const { id } = bodyOf(await clients[0]?.send(create(authorization, 'Title 0')));
    const paths = [`${projects}${id}/?fields=title`, `${projects}?fields=title`];
    const stale: string[] = [];
    // Other visitors, so that every worker has just looked whether something has changed.
    let isOver = false;
    const visitors = [...(await connectToEach(server.port, 3)).values()].map(async (visitor) => {
      for (; !isOver; await randomPause(10)) await visitor.send(request('GET', paths[0] as string));
    });
    for (let round = 1; round <= scaled(600); round++) {
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
  });

  test('a worker that is killed under load is replaced at once, and no acknowledged write is lost', async () => {
    const workers = await startWorkers(kind, 2, ...noLimits);
    const { server } = workers;
    const load = startLoad(workers);
    const listDeaths = () => errorsIn(server.lines).filter((error) => error.includes('has ended'));
    const deaths: string[] = [];
    for (let kill = 0; kill < 4; kill++) {
      await load.waitForWrites(scaled(100));
      const before = childrenOf(server.process.pid);
      // The writer first, which is then the younger one.
      const number = kill < 2 ? 1 : 2;
      process.kill(before[kill % 2] as number, 'SIGKILL');
      deaths.push(`Worker ${number} has ended with SIGKILL, it is started again.`);
      await waitFor(() => listDeaths().length > kill);
      // Who reads of the death finds the next one there.
      expect(childrenOf(server.process.pid)).toHaveLength(2);
      await waitFor(async () => (await countWorkers(server.port)) === 2);
    }
    expect(listDeaths()).toEqual(deaths);
    await load.waitForWrites(scaled(100));
    const { created, statuses } = await load.stop();
    expect(Object.keys(statuses).filter((status) => !['200', '201', '503', 'lost'].includes(status))).toEqual(
      [],
    );
    expect(await readTitles(server.port)).toEqual(expect.arrayContaining(created));
    expect(await server.stop()).toBe(0);
  });

  test('SIGHUP under load replaces every worker, and no request is lost', async () => {
    const workers = await startWorkers(kind, 2, ...noLimits);
    const { server } = workers;
    const load = startLoad(workers);
    await load.waitForWrites(scaled(100));
    const before = childrenOf(server.process.pid);
    server.process.kill('SIGHUP');
    await waitFor(() => server.lines.some((line) => line.includes('All workers have been replaced.')));
    await load.waitForWrites(scaled(100));
    const { created, statuses } = await load.stop();

    expect(Object.keys(statuses).sort()).toEqual(['200', '201']);
    expect(await readTitles(server.port)).toEqual(expect.arrayContaining(created));
    expect(childrenOf(server.process.pid).filter((pid) => before.includes(pid))).toEqual([]);
    expect(await server.stop()).toBe(0);
  });
});
