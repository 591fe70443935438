// More reads than the database can answer: what is over leaves the queue, what cannot be answered in time is refused
// at once, and reads by id go on.

import { describe, expect, spyOn, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { type Kind, onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { onPostgres } from '../support/shared-postgres.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { stopClock, waitFor } from '../support/waiting.ts';

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

/** How many searches run at a time, and how many wait at most. */
const running = { SQLite: 1, PostgreSQL: 4 };
const maxWaiting = 128;

/** Keeps every search from its end until the result is called. */
const holdSearches = (kind: Kind, site: Site): Promise<() => Promise<void>> =>
  kind === 'SQLite' ? holdThread() : lockSearch(site);

/** The thread that searches gets its jobs later. */
async function holdThread(): Promise<() => Promise<void>> {
  const held: (() => void)[] = [];
  const { postMessage } = Worker.prototype;
  const spy = spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    held.push(() => postMessage.apply(this, message as Parameters<typeof postMessage>));
  });
  const release = async () => {
    spy.mockRestore();
    for (const post of held.splice(0)) post();
  };
  closeLater(release);
  return release;
}

/** Another connection has the index. */
async function lockSearch(site: Site): Promise<() => Promise<void>> {
  const client = new Bun.SQL({ url: site.address, max: 1 });
  await client.unsafe('begin');
  await client.unsafe('lock table project_search in access exclusive mode');
  return async () => {
    await client.unsafe('rollback');
    await client.close();
  };
}

/** How many searches wait for the lock. */
async function countLocked(site: Site): Promise<number> {
  const waiting = await onPostgres(
    "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
    [site.address.split('/').at(-1)],
  );
  return waiting.length;
}

const countWaiting = (site: Site) => site.database.stats().queues.slow_reads?.waiting;

/** Sends searches whose clients hang up before the response, and waits until no search waits any more. */
async function abandonSearches(kind: Kind, site: Site): Promise<void> {
  const origin = site.serve();
  const controller = new AbortController();
  const requests = Array.from({ length: running[kind] + maxWaiting }, () =>
    fetch(`${origin}${newSearch()}`, { signal: controller.signal }),
  );
  await waitFor(() => countWaiting(site) === maxWaiting);
  controller.abort();
  await Promise.allSettled(requests);
  await waitFor(() => countWaiting(site) === 0);
}

onBothDatabases((kind) => {
  test('searches that would wait too long are refused at once, and the others are answered', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const release = await holdSearches(kind, site);

    const responses: Awaited<ReturnType<typeof search>>[] = [];
    const searches = Array.from({ length: 200 }, async () => responses.push(await search(site)));
    await waitFor(() => responses.length + running[kind] + (countWaiting(site) ?? 0) === 200);
    const refusals = [...responses];
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals).toEqual(Array(refusals.length).fill(refused));

    await release();
    await Promise.all(searches);
    const answers = responses.slice(refusals.length);
    expect(answers.map(({ status }) => status)).toEqual(Array(200 - refusals.length).fill(200));
    expect(answers.length).toBeGreaterThan(100);
    expect((await search(site)).status).toBe(200);
    // The log has one line for each request, and no error.
    expect(site.logged.filter((line) => line.includes('fault'))).toEqual([]);
  });

  test('searches whose clients have hung up leave room for others', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const release = await holdSearches(kind, site);

    await abandonSearches(kind, site);
    const searches = Array.from({ length: 100 }, () => search(site));
    await release();

    expect((await Promise.all(searches)).map(({ status }) => status)).toEqual(Array(100).fill(200));
  });
});

describe('on PostgreSQL', () => {
  test('abandoned searches end on the server, and meanwhile a project is read', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery });
    const unlock = await lockSearch(site);

    await abandonSearches('PostgreSQL', site);
    expect((await site.get('/api/v1/projects/1/')).status).toBe(200);
    await waitFor(async () => (await countLocked(site)) === 0);

    await unlock();
    expect((await search(site)).status).toBe(200);
  });

  test('while searches wait, other reads, writes, probes and cached responses are not refused', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery });
    const bob = await person(site, 'bob');
    await bob.key();
    const unlock = await lockSearch(site);
    const searches = Array.from({ length: running.PostgreSQL + maxWaiting }, () => search(site));
    await waitFor(() => countWaiting(site) === maxWaiting);

    for (const path of [
      '/livez',
      '/readyz',
      '/api/v1/projects/1/',
      '/api/v1/projects/1/',
      '/api/v1/projects/2/',
    ])
      expect((await site.get(path)).status).toBe(200);
    expect((await bob.put('/api/v1/projects/1/rating/', { value: 5 })).status).toBe(200);

    await unlock();
    await Promise.all(searches);
  });

  test('a write whose commit takes longer than the time limit is answered when it is stored', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery, timeoutMs: 400 });
    const ada = await person(site, 'ada');
    await ada.key();
    const client = new Bun.SQL({ url: site.address, max: 1 });
    await client.unsafe(`
      create function wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(1); return null; end';
      create constraint trigger slow_commit after insert on project
        deferrable initially deferred for each row execute function wait()`);
    closeLater(async () => {
      await client.unsafe('drop function wait cascade');
      await client.close();
    });
    await client.unsafe('select pg_advisory_lock(1)');
    const clock = stopClock();

    const writing = ada.post('/api/v1/projects/', { title: 'Stored' });
    await waitFor(() => countLocked(site));
    clock.advance(400);
    await client.unsafe('select pg_advisory_unlock(1)');
    const response = await writing;

    expect(response.status).toBe(201);
    const { results } = await visitor(site).json<{ results: { title: string }[] }>(
      '/api/v1/projects/?ordering=id',
    );
    expect(results.map(({ title }) => title)).toEqual(['A lamp', 'Another lamp', 'Stored']);
  });

  test('a download goes on after the time limit of a request', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery, timeoutMs: 500 });
    const ada = await person(site, 'ada');
    await ada.key();
    const clock = stopClock();
    const response = await ada.get('/api/v1/me/dump/?format=ndjson');

    const lines: string[] = [];
    for await (const chunk of response.body ?? []) {
      if (lines.length === 0) clock.advance(700);
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
