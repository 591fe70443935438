// Servers on PostgreSQL hear of each other's changes: npm run test:scale. Their clock stands still, so that nobody asks for
// changes until the test advances it.

import { beforeEach, expect, type Mock, spyOn, test } from 'bun:test';
import { PostgresChangeLog } from '#sql/postgres/change-log.ts';
import { ChangeNotifications, checkIntervalMs } from '#sql/postgres/change-notifications.ts';
import { closeLater } from '../support/closing.ts';
import { startDeafProxy } from '../support/deaf-proxy.ts';
import { areMissing, pooledAddress, startPgBouncer } from '../support/engines.ts';
import { EventReader } from '../support/event-reader.ts';
import { person } from '../support/person.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { ada, dump, project, type Site, siteAt } from '../support/site.ts';
import { stopClock, waitFor } from '../support/waiting.ts';

/** How often a server asks that does not hear of changes. */
const pollMs = 500;
const path = '/api/v1/projects/1/';

async function startPostgres() {
  const postgres = await PostgresServer.start();
  closeLater(() => postgres.stop());
  const site = await siteAt(postgres.address(), { dump: dump(ada, project(1)) });
  await site.close();
  // It may have begun to listen before it was closed.
  listen.mockClear();
  const clock = stopClock();
  const writer = await person(await siteAt(postgres.address()), 'ada');
  const rename = async (title: string) => expect((await writer.patch(path, { title })).status).toBe(200);
  return { postgres, clock, rename };
}

/** Shows what listens. */
let listen: Mock<ChangeNotifications['listen']>;
beforeEach(() => {
  listen = spyOn(ChangeNotifications.prototype, 'listen');
  closeLater(async () => listen.mockRestore());
});

type Clock = ReturnType<typeof stopClock>;

/** Reads a stream of changes. */
class Follower {
  #events = 0;
  #taken = 0;

  private constructor(private readonly clock: Clock) {}

  static async start(site: Site, clock: Clock): Promise<Follower> {
    const reader = new EventReader(await site.get('/api/v1/changes/stream/'));
    closeLater(() => reader.close());
    const follower = new Follower(clock);
    void (async () => {
      while (await reader.next()) follower.#events++;
    })();
    // The server begins to listen.
    clock.advance(pollMs);
    return follower;
  }

  /** Waits for the next event, but for no timer. */
  async take(): Promise<void> {
    this.#taken++;
    // After each event, the server makes a pause of as long as that has taken.
    this.clock.advance(1);
    await waitFor(() => this.#events >= this.#taken);
  }
}

/** Waits until all servers of the test hear notifications, or none. */
async function untilHeard(heard: boolean): Promise<void> {
  const servers = listen.mock.contexts as ChangeNotifications[];
  await waitFor(() => servers.length > 0 && servers.every(({ areHeard }) => areHeard === heard));
}

const readTitle = async (site: Site) => ((await site.json(path)) as { title: string }).title;

const countListeners = async (postgres: PostgresServer) =>
  (await postgres.query("select from pg_stat_activity where query ilike 'listen%'")).length;

test('a change is in the streams of another server at once', async () => {
  const { postgres, clock, rename } = await startPostgres();
  const follower = await Follower.start(await siteAt(postgres.address()), clock);
  await untilHeard(true);
  for (let round = 0; round < 20; round++) {
    await rename(`Round ${round}`);
    await follower.take();
  }
});

test('an idle server asks for changes once in five seconds, also while somebody reads a stream', async () => {
  const postgres = await PostgresServer.start();
  closeLater(() => postgres.stop());
  const clock = stopClock();
  const proxy = await startDeafProxy(postgres.address());
  const ask = spyOn(PostgresChangeLog.prototype, 'refresh');
  closeLater(async () => ask.mockRestore());
  await Follower.start(await siteAt(proxy.address), clock);
  const poll = async () => {
    const before = ask.mock.calls.length;
    clock.advance(pollMs);
    await Promise.all(ask.mock.results.map(({ value }) => value));
    return ask.mock.calls.length - before;
  };
  await untilHeard(true);
  let asked = 0;
  for (let ms = 0; ms < 6 * checkIntervalMs; ms += pollMs) {
    const { heard } = proxy.state;
    const count = await poll();
    if (count > 0) await waitFor(() => proxy.state.heard > heard);
    asked += count;
  }
  // It looks twice a second whether it is time.
  expect(asked).toBeOneOf([5, 6]);
});

test('when notifications are lost, visitors see what is at most half a second old, and streams get everything', async () => {
  const { postgres, clock, rename } = await startPostgres();
  const proxy = await startDeafProxy(postgres.address());
  const deaf = await siteAt(proxy.address);
  const follower = await Follower.start(deaf, clock);
  await untilHeard(true);
  await rename('Heard');
  await follower.take();

  proxy.state.isDeaf = true;
  for (let round = 0; round < 3; round++) {
    let before = '';
    // Then from the cache, which knows of no change.
    for (let reads = 0; reads < 5; reads++) before = await readTitle(deaf);
    await rename(`Lost ${round}`);
    expect(await readTitle(deaf)).toBe(before);
    clock.advance(deaf.database.maxStalenessMs);
    expect(await readTitle(deaf)).toBe(`Lost ${round}`);
    // Reads have woken it. Without them it is late, not lost.
    await follower.take();
  }
  expect(proxy.state.lost).toBeGreaterThan(0);
  await rename('Without readers');
  clock.advance(checkIntervalMs + pollMs);
  await follower.take();

  // When it has noticed, it asks as without notifications.
  clock.advance(3 * checkIntervalMs);
  await rename('Noticed');
  clock.advance(pollMs);
  await follower.take();
});

test('a connection that ends is opened again, and what was missed meanwhile is read', async () => {
  const { postgres, clock, rename } = await startPostgres();
  const follower = await Follower.start(await siteAt(postgres.address()), clock);
  for (let round = 0; round < 5; round++) {
    await untilHeard(true);
    await postgres.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'",
    );
    await untilHeard(false);
    await rename(`Round ${round}`);
    // Long before it would have asked.
    clock.advance(pollMs);
    await follower.take();
    // Both servers listen again.
    await waitFor(async () => {
      clock.advance(pollMs);
      return (await countListeners(postgres)) === 2;
    });
  }
});

test.skipIf(areMissing('PgBouncer'))(
  'behind PgBouncer in transaction mode, servers ask as without notifications',
  async () => {
    const { postgres, clock, rename } = await startPostgres();
    const pooled = await siteAt(pooledAddress(await startPgBouncer(postgres)));
    const follower = await Follower.start(pooled, clock);
    for (let round = 0; round < 5; round++) {
      await rename(`Round ${round}`);
      clock.advance(pollMs);
      await follower.take();
    }
    expect(await countListeners(postgres)).toBe(1);
  },
);
