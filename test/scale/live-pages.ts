// Open pages while their server is killed and started again, with the real clock, and at the limit of streams.

import { expect, test } from 'bun:test';
import { openBrowser } from '../support/browser.ts';
import { emptyDatabase } from '../support/databases.ts';
import { serve } from '../support/server.ts';
import { ada, dump, siteAt } from '../support/site.ts';
import { waitFor } from '../support/workers.ts';

test('a wall goes on after its server was killed, and a tab without a stream stays as it was', async () => {
  const database = await emptyDatabase('SQLite');
  const site = await siteAt(database, { dump: dump(ada) });
  const headers = { ...(await site.key('ada')), 'Content-Type': 'application/json' };
  await site.close();
  // One stream for the wall; the list gets 429.
  const options = ['--database', database, '--stream-limit', '1'];
  const server = await serve(...options);
  const create = async (title: string) => {
    const body = JSON.stringify({ title });
    const response = await fetch(`${server.address}/api/v1/projects/`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
  };
  await create('Before');

  const window = await (await openBrowser()).newContext({ baseURL: server.address });
  const [wall, list] = [await window.newPage(), await window.newPage()];
  const errors: Error[] = [];
  for (const page of [wall, list]) page.on('pageerror', (error) => errors.push(error));
  const opened = wall.waitForResponse(/stream/);
  await wall.goto('/wall/');
  expect((await opened).status()).toBe(200);
  const refused = list.waitForResponse(/stream/);
  await list.goto('/');
  expect((await refused).status()).toBe(429);

  const hasTitles = async (titles: string[]) =>
    Bun.deepEquals(await wall.locator('.name').allTextContents(), titles);
  await create('While it runs');
  await waitFor(() => hasTitles(['While it runs', 'Before']), 20_000);
  expect(await list.locator('.name').allTextContents()).toEqual(['Before']);
  expect(await list.getByRole('status').textContent()).toBe('');
  await list.close();
  await server.stop('SIGKILL');
  await serve(...options, '--port', String(server.port));
  await create('After');
  await waitFor(() => hasTitles(['After', 'While it runs', 'Before']), 60_000);
  expect(errors).toEqual([]);
}, 120_000);
