// More reads than the database can answer: what is over leaves the queue, what cannot be answered in time is refused
// at once, and reads by id go on.

import { describe, expect, test } from 'bun:test';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { onPostgres } from '../support/shared-postgres.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { waitFor } from '../support/workers.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'A lamp' }),
  project(2, { title: 'Another lamp' }),
);
const refused = {
  status: 503,
  retryAfter: '1',
  body: { detail: 'Service temporarily unavailable, try again later.' },
};

let count = 0;
/** A search that nobody has made before: the same ones share their matches. */
const newSearch = () => `/api/v1/projects/?search=lamp+${++count}`;

async function search(site: Site) {
  const response = await site.get(newSearch());
  const retryAfter = response.headers.get('Retry-After');
  return { status: response.status, retryAfter, body: (await response.json()) as unknown };
}

/** Sends searches whose clients hang up before the response, and waits until the server has noticed all of them. */
async function abandonSearches(site: Site, searches: number): Promise<void> {
  const origin = site.serve();
  const ended = site.logged.length + searches + 1;
  const controller = new AbortController();
  const requests = Array.from({ length: searches }, () =>
    fetch(`${origin}${newSearch()}`, { signal: controller.signal }),
  );
  // The server has them all when it has answered a later request.
  await fetch(`${origin}/livez`);
  controller.abort();
  await Promise.allSettled(requests);
  await waitFor(() => site.logged.length >= ended);
}

test('on SQLite, searches that cannot be answered in time are refused, and the others are answered', async () => {
  const site = await siteOn('SQLite', { dump: gallery });

  const responses = await Promise.all(Array.from({ length: 200 }, () => search(site)));
  const refusals = responses.filter(({ status }) => status !== 200);

  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.length).toBeLessThan(100);
  expect(refusals).toEqual(Array(refusals.length).fill(refused));
  expect((await search(site)).status).toBe(200);
  // The log has one line for each request, and no error.
  expect(site.logged.filter((line) => line.includes('fault'))).toEqual([]);
});

onBothDatabases((kind) => {
  test('searches whose clients have hung up leave room for others', async () => {
    const site = await siteOn(kind, { dump: gallery });

    await abandonSearches(site, 200);
    const responses = await Promise.all(Array.from({ length: 100 }, () => search(site)));

    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
  });
});

describe('on PostgreSQL', () => {
  /** Another connection keeps every search waiting until `unlock` is called. */
  async function lockSearch(site: Site) {
    const client = new Bun.SQL({ url: site.address, max: 1 });
    await client.unsafe('begin');
    await client.unsafe('lock table project_search in access exclusive mode');
    return {
      /** How many searches wait for the lock. */
      async countWaiting(): Promise<number> {
        // Within a transaction, PostgreSQL would always return the first count.
        const [row] = await onPostgres<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
           where datname = $1 and wait_event_type = 'Lock'`,
          [site.address.split('/').at(-1)],
        );
        return row?.count ?? 0;
      },
      async unlock() {
        await client.unsafe('rollback');
        await client.close();
      },
    };
  }

  test('abandoned searches end on the server, and meanwhile a project is read', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery });
    const lock = await lockSearch(site);

    await abandonSearches(site, 100);
    expect((await site.get('/api/v1/projects/1/')).status).toBe(200);
    while ((await lock.countWaiting()) > 0) await Bun.sleep(10);

    await lock.unlock();
    expect((await search(site)).status).toBe(200);
  });

  test('while searches wait, other reads, writes, probes and cached responses are not refused', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery });
    const bob = await person(site, 'bob');
    await bob.key();
    const lock = await lockSearch(site);
    const searches = Array.from({ length: 300 }, () => search(site));
    while ((await lock.countWaiting()) === 0) await Bun.sleep(10);

    for (const path of [
      '/livez',
      '/readyz',
      '/api/v1/projects/1/',
      '/api/v1/projects/1/',
      '/api/v1/projects/2/',
    ])
      expect((await site.get(path)).status).toBe(200);
    expect((await bob.put('/api/v1/projects/1/rating/', { value: 5 })).status).toBe(200);

    await lock.unlock();
    const responses = await Promise.all(searches);
    const refusals = responses.filter(({ status }) => status !== 200);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.length).toBeLessThan(200);
    expect(refusals).toEqual(Array(refusals.length).fill(refused));
  });

  test('a write whose commit takes longer than the time limit is answered when it is stored', async () => {
    const site = await siteAt(await emptyDatabase('PostgreSQL'), { dump: gallery, timeoutMs: 400 });
    const ada = await person(site, 'ada');
    await ada.key();
    const client = new Bun.SQL({ url: site.address, max: 1 });
    await client.unsafe(`
      create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end';
      create constraint trigger slow_commit after insert on project
        deferrable initially deferred for each row execute function wait()`);
    await client.close();

    const response = await ada.post('/api/v1/projects/', { title: 'Stored' });

    expect(response.status).toBe(201);
    const { results } = await visitor(site).json<{ results: { title: string }[] }>(
      '/api/v1/projects/?ordering=id',
    );
    expect(results.map(({ title }) => title)).toEqual(['A lamp', 'Another lamp', 'Stored']);
  });

  test('a download goes on after the time limit of a request', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery, timeoutMs: 500 });
    const ada = await person(site, 'ada');
    const response = await ada.get('/api/v1/me/dump/?format=ndjson');

    const lines: string[] = [];
    for await (const chunk of response.body ?? []) {
      if (lines.length === 0) await Bun.sleep(700);
      lines.push(new TextDecoder().decode(chunk));
    }
    expect(lines.map((line) => JSON.parse(line).type)).toEqual([
      'own-data',
      'contributor',
      'project',
      'project',
    ]);
  });
});
