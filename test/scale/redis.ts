// Several servers count limits together in Redis, also after it was killed: npm run test:scale.

import { expect, test } from 'bun:test';
import { SharedLimits } from '#common/shared-limits.ts';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, temporaryPath } from '../support/databases.ts';
import { areMissing, startRedis } from '../support/engines.ts';
import { freePort } from '../support/processes.ts';
import { serve, vitrine } from '../support/server.ts';
import { ada, dump, importInto, type Site, siteAt } from '../support/site.ts';
import { limitTime, waitFor, waitMs } from '../support/waiting.ts';

const writeLimit = 60;
const address = '192.0.2.7';

class CountingServer {
  private constructor(
    readonly site: Site,
    readonly limits: SharedLimits,
    /** What it says about Redis. */
    readonly said: readonly string[],
  ) {}

  static async start(database: string, redis: string): Promise<CountingServer> {
    const said: string[] = [];
    const log = {
      info: (sentence: string) => void said.push(sentence),
      error: (_: string, error: unknown) => void said.push(String(error)),
    };
    const sharedLimits = new SharedLimits(redis, 'a secret', log);
    closeLater(async () => sharedLimits.close());
    const environment = { VITRINE_WRITE_LIMIT: String(writeLimit), VITRINE_STREAM_LIMIT: '3' };
    const site = await siteAt(database, { environment, sharedLimits, peer: address });
    return new CountingServer(site, sharedLimits, said);
  }

  /** How many of so many writes are allowed. */
  async countAllowed(count: number, headers: Record<string, string>): Promise<number> {
    let allowed = 0;
    for (let number = 0; number < count; number++) {
      const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
      const body = JSON.stringify({ title: 'Kite' });
      const { status } = await this.site.request('/api/v1/projects/', { ...init, body });
      expect([201, 429]).toContain(status);
      if (status === 201) allowed++;
    }
    return allowed;
  }

  /** Waits until Redis has counted everything so far: streams after the writes of the same moment. */
  async untilCounted(): Promise<void> {
    for (const name of ['first', 'second'])
      await new Promise((resolve) => this.limits.take(name, 1, resolve));
  }

  stream = (method = 'GET') => this.site.request('/api/v1/changes/stream/', { method });

  /** Whether there is room for one more stream. */
  hasRoom = async () => (await this.stream('HEAD')).status === 200;
}

/** As thirty seconds later, when what a killed server has told does not count any more. */
async function makeStreamsOld(client: Bun.RedisClient): Promise<void> {
  for (const key of await client.keys('vitrine:*')) {
    if ((await client.send('TYPE', [key])) !== 'hash') continue;
    for (const [server, told] of Object.entries(await client.hgetall(key)))
      await client.hset(key, { [server]: told.replace(/ .*/, ' 0') });
  }
}

test.skipIf(areMissing('Redis'))(
  'servers count requests and streams together, and each by itself without Redis',
  async () => {
    const redis = await startRedis();
    const url = `redis://127.0.0.1:${redis.port}`;
    const database = await emptyDatabase('PostgreSQL');
    const one = await CountingServer.start(database, url);
    const other = await CountingServer.start(database, url);
    await importInto(one.site, dump(ada));
    const headers = await one.site.key('ada');

    // In each second, another one is allowed. A server hears of the others when it has told of its own.
    const startedAt = performance.now();
    expect(await one.countAllowed(40, headers)).toBe(40);
    await one.untilCounted();
    expect(await other.countAllowed(1, headers)).toBe(1);
    await other.untilCounted();
    const more = await other.countAllowed(writeLimit, headers);
    await other.untilCounted();
    await one.countAllowed(1, headers);
    await one.untilCounted();
    const late = await one.countAllowed(20, headers);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(more).toBeGreaterThanOrEqual(19);
    expect(40 + 1 + more + late).toBeLessThanOrEqual(writeLimit + seconds);

    const open = [await one.stream(), await one.stream(), await other.stream()];
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all([one.untilCounted(), other.untilCounted()]);
    expect([await one.hasRoom(), await other.hasRoom()]).toEqual([false, false]);
    await open[0]?.body?.cancel();
    await waitFor(other.hasRoom);

    const client = new Bun.RedisClient(url);
    closeLater(async () => client.close());
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.join()).not.toMatch(/192\.0\.2|contributor|ada/);
    const doctor = async (...options: string[]) =>
      (await vitrine('doctor', '--database', database, '--files', temporaryPath('files'), ...options)).out;
    await waitFor(async () => (await doctor('--redis', url)).includes('2 servers'));
    expect(await doctor('--redis', url)).not.toContain('together they allow');
    expect(await doctor()).toContain(
      '- 2 servers use the database, and each limits requests and streams by itself: together they allow 2 times as many.',
    );

    // While it is frozen, no write waits for it, and a stream only for as long as it may take.
    redis.signal('SIGSTOP');
    await one.countAllowed(1, headers);
    expect(one.said).toEqual([]);
    limitTime('redis', 100);
    expect(await one.hasRoom()).toBe(true);
    const lost = 'Redis cannot be used, and each server counts by itself: ';
    expect(one.said).toEqual([`${lost}it does not respond.`]);

    // Killed: streams of other servers are unknown now.
    limitTime('redis', waitMs);
    await redis.stop();
    await one.countAllowed(1, headers);
    expect((await one.stream()).status).toBe(200);
    expect(await doctor('--redis', url)).toContain('- Redis cannot be used: ');
    expect(one.said).toHaveLength(1);

    await redis.restart();
    await waitFor(() => one.said.includes('Redis counts the limits of all servers again.'));
    expect(one.said).toHaveLength(2);

    // The servers tell it of all streams again. Those of a server that is killed cease to count.
    await waitFor(async () => !(await one.hasRoom()));
    other.limits.close();
    await makeStreamsOld(client);
    await waitFor(one.hasRoom);
  },
);

test('a server says that it cannot use Redis, and goes on', async () => {
  const server = await serve(
    ...['--database', temporaryPath('gallery.sqlite'), '--redis', `redis://127.0.0.1:${freePort()}`],
  );
  await waitFor(() => server.lines.some((line) => line.includes('Redis cannot be used')));
  expect((await fetch(`${server.address}/api/v1/projects/`)).status).toBe(200);
});
