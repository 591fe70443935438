// `serve --redis`: several servers count limits together, also after Redis was killed: npm run test:scale.

import { expect, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, temporaryPath } from '../support/databases.ts';
import { areMissing, startRedis } from '../support/engines.ts';
import { type Server, serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { waitFor } from '../support/workers.ts';

/** Until the other servers know. */
const sharedAfterMs = 250;

const errorsOf = ({ lines }: Server) => lines.filter((line) => line.includes('Redis'));

test.skipIf(areMissing('Redis'))(
  'servers count requests and streams together, and each by itself without Redis',
  async () => {
    const redis = await startRedis();
    const url = `redis://127.0.0.1:${redis.port}`;
    const database = await emptyDatabase('PostgreSQL');
    const options = ['--database', database, '--files', temporaryPath('files')];
    const limits = ['--read-limit', 'off', '--write-limit', '60', '--stream-limit', '3', '--redis', url];
    const servers = await Promise.all([serve(...options, ...limits), serve(...options, ...limits)]);
    const [one, other] = servers as [Server, Server];
    await vitrineWithInput('correct horse battery', 'user', 'add', 'ada', '--database', database);
    const key = await vitrine('key', 'add', 'ada', 'test', 'write', '--database', database);
    const headers = { Authorization: `Token ${key.out.trim()}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ title: 'Kite', content_type: 'text', text: 'x' });
    const create = async (server: Server) => {
      const startedAt = performance.now();
      const response = await fetch(`${server.address}/api/v1/projects/`, { method: 'POST', headers, body });
      return { status: response.status, ms: performance.now() - startedAt };
    };
    const countAllowed = async (server: Server, count: number) => {
      let allowed = 0;
      for (let number = 0; number < count; number++) if ((await create(server)).status === 201) allowed++;
      return allowed;
    };
    const stream = async (server: Server) => {
      const response = await fetch(`${server.address}/api/v1/changes/stream/`);
      closeLater(async () => response.body?.cancel().catch(() => {}));
      return response;
    };

    // In each second, another one is allowed, and until a server knows of the others, a few more.
    const startedAt = performance.now();
    expect(await countAllowed(one, 40)).toBe(40);
    await Bun.sleep(sharedAfterMs);
    const more = await countAllowed(other, 60);
    const late = await countAllowed(one, 20);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(40 + more + late).toBeGreaterThanOrEqual(60);
    expect(40 + more + late).toBeLessThanOrEqual(60 + seconds + 20);

    const open = [await stream(one), await stream(one), await stream(other)];
    await Bun.sleep(sharedAfterMs);
    expect([(await stream(one)).status, (await stream(other)).status]).toEqual([429, 429]);
    await open[0]?.body?.cancel();
    await waitFor(async () => (await stream(other)).status === 200);

    expect((await new Bun.RedisClient(url).keys('*')).join()).not.toMatch(/127\.0\.0\.1|contributor|ada/);
    const doctor = ['doctor', ...options, '--upload-limit', '1'];
    expect((await vitrine(...doctor, '--redis', url)).out).toContain('2 servers');
    expect((await vitrine(...doctor, '--redis', url)).out).not.toContain('together they allow');
    expect((await vitrine(...doctor)).out).toContain(
      '- 2 servers use the database, and each limits requests and streams by itself: together they allow 2 times as many.',
    );

    // Frozen, then killed.
    redis.signal('SIGSTOP');
    await waitFor(async () => {
      const { status, ms } = await create(one);
      expect(ms).toBeLessThan(1000);
      return status === 201;
    }, 15_000);
    await waitFor(() => errorsOf(one).length === 1);
    await redis.stop();
    const { status, ms } = await create(one);
    expect([201, 429]).toContain(status);
    expect(ms).toBeLessThan(1000);
    // Streams of other servers are unknown now.
    expect((await stream(one)).status).toBe(200);
    expect(errorsOf(one)).toHaveLength(1);
    expect((await vitrine(...doctor, '--redis', url)).out).toContain('- Redis cannot be used: ');

    await redis.restart();
    await waitFor(() => errorsOf(one).some((line) => line.includes('again')));
    expect(errorsOf(one)).toHaveLength(2);

    // The servers tell it of all streams again. Those of a server that is killed cease to count.
    await Bun.sleep(12_000);
    expect((await stream(one)).status).toBe(429);
    await other.stop('SIGKILL');
    await waitFor(async () => (await stream(one)).status === 200, 40_000);
  },
  120_000,
);
