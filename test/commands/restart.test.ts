// A restart without lost requests, as docs/running/workers.md describes it.

import { expect, test } from 'bun:test';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { temporaryPath } from '../support/databases.ts';
import { KeepAliveClient } from '../support/keep-alive-client.ts';
import { type Server, serve } from '../support/server.ts';
import { limitTime, randomPause } from '../support/waiting.ts';

const minRequests = 2000;
const clientCount = 16;

test('no request over a keep-alive connection is lost while two processes are restarted one by one', async () => {
  limitTime('drain', 1500);
  const options = ['--database', temporaryPath('restart.sqlite'), '--reuse-port', '--read-limit', 'off'];
  const first = await serve('--demo', ...options);
  const start = () => serve('--port', String(first.port), ...options);
  const running: Server[] = [first, await start()];

  let succeeded = 0;
  let lost = 0;
  let restarts = 0;
  const sendRequests = async () => {
    const client = new KeepAliveClient(first.port);
    while (succeeded < minRequests || restarts < 2) {
      if (succeeded % 4 === 0) await randomPause(20);
      // A connection that was closed meanwhile is not used.
      await nextEventLoopTurn();
      if ((await client.get('/api/v1/projects/1/')) === 200) succeeded++;
      else lost++;
    }
    client.close();
  };
  const exitCodes: number[] = [];
  const clients = Promise.all(Array.from({ length: clientCount }, sendRequests));
  for (; restarts < 2; restarts++) {
    running.push(await start());
    exitCodes.push(await (running.shift() as Server).stop());
  }
  await clients;
  expect(exitCodes).toEqual([0, 0]);
  expect(lost).toBe(0);
  expect(succeeded).toBeGreaterThanOrEqual(minRequests);

  await Promise.all(running.map((server) => server.stop()));
});
