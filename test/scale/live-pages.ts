// Open pages while their server is killed and started again, and at the limit of streams.

import { expect, test } from 'bun:test';
import { openBrowser } from '../support/browser.ts';
import { emptyDatabase } from '../support/databases.ts';
import { installClock, turnClock } from '../support/page-clock.ts';
import { freePort } from '../support/processes.ts';
import { serve } from '../support/server.ts';
import { ada, dump, siteAt } from '../support/site.ts';

test('a wall goes on after its server was killed, and a tab without a stream stays as it was', async () => {
  const database = await emptyDatabase('SQLite');
  const site = await siteAt(database, { dump: dump(ada) });
  const headers = { ...(await site.key('ada')), 'Content-Type': 'application/json' };
  await site.close();
  // One stream for the wall; the list gets 429.
  const options = ['--database', database, '--stream-limit', '1', '--port', String(freePort())];
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
  /** The statuses of the streams. */
  const opened = { wall: [] as number[], list: [] as number[] };
  for (const [page, statuses] of [
    [wall, opened.wall],
    [list, opened.list],
  ] as const) {
    page.on('pageerror', (error) => errors.push(error));
    page.on('response', (response) => {
      if (response.url().includes('/stream/')) statuses.push(response.status());
    });
    await installClock(page);
  }
  await wall.goto('/wall/');
  await turnClock(wall, () => opened.wall.length > 0);
  await list.goto('/');
  await turnClock(list, () => opened.list.length > 0);
  expect(opened).toEqual({ wall: [200], list: [429] });

  const wallShows = (...titles: string[]) =>
    turnClock(wall, async () => Bun.deepEquals(await wall.locator('.name').allTextContents(), titles));
  await create('While it runs');
  await wallShows('While it runs', 'Before');
  await turnClock(list, () => opened.list.length > 1);
  expect(opened.list).toEqual([429, 429]);
  expect(await list.locator('.name').allTextContents()).toEqual(['Before']);
  expect(await list.getByRole('status').textContent()).toBe('');
  await list.close();
  await server.stop('SIGKILL');
  await serve(...options);
  await create('After');
  await wallShows('After', 'While it runs', 'Before');
  expect(errors).toEqual([]);
});
