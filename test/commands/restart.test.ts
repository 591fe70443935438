import { expect, test } from 'bun:test';
import { temporaryPath } from '../support/databases.ts';
import { KeepAliveClient } from '../support/keep-alive-client.ts';
import { type Server, serve } from '../support/server.ts';

const wanted = 50_000;
const clients = 16;

test('no request over a keep-alive connection is lost while two processes are restarted one by one', async () => {
  const database = temporaryPath('restart.sqlite');
  const first = await serve('--database', database, '--demo', '--reuse-port', '--read-limit', 'off');
  const port = String(first.port);
  const start = () => serve('--port', port, '--database', database, '--reuse-port', '--read-limit', 'off');
  const running: Server[] = [first, await start()];

  let answered = 0;
  let lost = 0;
  let restarts = 0;
  const ask = async () => {
    const client = new KeepAliveClient(first.port);
    while (answered < wanted || restarts < 4) {
      if ((await client.get('/api/v1/projects/1/')) === 200) answered++;
      else lost++;
    }
    client.close();
  };
  const asking = Promise.all(Array.from({ length: clients }, ask));
  const codes: number[] = [];
  for (; restarts < 4; restarts++) {
    running.push(await start());
    codes.push(await (running.shift() as Server).stop());
  }
  await asking;
  await Promise.all(running.map((server) => server.stop()));

  expect({ lost, codes, enough: answered >= wanted }).toEqual({ lost: 0, codes: [0, 0, 0, 0], enough: true });
}, 60_000);
