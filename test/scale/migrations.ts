// A later release migrates a gallery of 30,000 projects on PostgreSQL (PROJECTS) while clients write to a server of today's
// release, and is killed in the middle of filling a column and of making an index. Then both releases serve side by side.

import { expect, test } from 'bun:test';
import { createWriteStream } from 'node:fs';
import { newest } from '../../src/database/migrations/migration.ts';
import { closeLater } from '../support/closing.ts';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { laterRelease } from '../support/program.ts';
import { resultOf, type Server, serve, serveWith, start, vitrineProcess } from '../support/server.ts';
import { ada, project, siteAt } from '../support/site.ts';
import { noLimits, waitFor } from '../support/workers.ts';

const count = Number(process.env.PROJECTS ?? 30_000);
const text = 'A kite with a red wheel, which flies over the roofs. '.repeat(6);
const clients = 6;

/** Imports the projects, and returns the headers of a key. */
async function fillGallery(database: string): Promise<Record<string, string>> {
  const path = temporaryPath('dump.ndjson');
  const file = createWriteStream(path);
  file.write(`${ada}\n`);
  for (let id = 1; id <= count; id++) file.write(`${project(id, { text })}\n`);
  await new Promise((resolve) => file.end(resolve));
  expect(await vitrineProcess('import', path, '--database', database)).toMatchObject({ code: 0 });
  const site = await siteAt(database);
  const headers = await site.key('ada');
  await site.close();
  return { ...headers, 'Content-Type': 'application/json' };
}

interface Waits {
  readonly statuses: Map<number, number>;
  writes: number;
  longest: number;
}

const noWaits = (): Waits => ({ statuses: new Map(), writes: 0, longest: 0 });

/** Clients that create projects and change others, in the order in which the migration fills them and anywhere. */
function startWriters(servers: readonly Server[], headers: Record<string, string>) {
  let waits = noWaits();
  let isOver = false;
  const write = async (client: number) => {
    for (let turn = 0; !isOver; turn++) {
      const { address } = servers[(client + turn) % servers.length] as Server;
      const id = 1 + Math.floor(Math.random() * count);
      const [method, path] = client % 3 === 0 ? ['POST', ''] : ['PATCH', `${id}/`];
      const startedAt = performance.now();
      const response = await fetch(`${address}/api/v1/projects/${path}`, {
        method,
        headers,
        body: JSON.stringify({ title: `By ${client}, ${turn}` }),
      });
      await response.text();
      waits.longest = Math.max(waits.longest, performance.now() - startedAt);
      waits.writes++;
      waits.statuses.set(response.status, (waits.statuses.get(response.status) ?? 0) + 1);
      await Bun.sleep(5);
    }
  };
  const writing = Array.from({ length: clients }, (_, client) => write(client));
  const stop = async () => {
    isOver = true;
    await Promise.all(writing);
  };
  closeLater(stop);
  return {
    stop,
    /** What the writers saw since the last call. */
    takeWaits() {
      const taken = waits;
      waits = noWaits();
      return taken;
    },
  };
}

/** Notes how long somebody has waited for a lock on a table or a row. */
function watchLocks(database: string) {
  const client = new Bun.SQL({ url: database, max: 1 });
  let longest = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const [row] =
        await client`select max(extract(epoch from clock_timestamp() - waitstart))::float as seconds
        from pg_locks where locktype in ('relation', 'tuple', 'transactionid')`;
      longest = Math.max(longest, row.seconds ?? 0);
      await Bun.sleep(50);
    }
    await client.close();
    return longest;
  };
  const watching = watch();
  const stop = () => {
    isOver = true;
    return watching;
  };
  closeLater(stop);
  return { stop };
}

test('a release migrates while the one before serves; killed, it goes on; no write waits for a lock for a second', async () => {
  const postgres = await PostgresServer.start({ fsync: 'on' });
  closeLater(() => postgres.stop());
  const database = postgres.address();
  const query = (statement: string) => postgres.query(statement);
  const headers = await fillGallery(database);
  const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits];
  const today = await serve(...options);
  const locks = watchLocks(database);
  const writers = startWriters([today], headers);
  const report = (what: string, { writes, longest, statuses }: Waits, startedAt: number) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${what}: ${seconds} s, ${writes} writes, longest ${Math.round(longest)} ms`);
    expect([...statuses.keys()].filter((status) => status >= 300)).toEqual([]);
  };
  await Bun.sleep(3000);
  report('before', writers.takeWaits(), performance.now() - 3000);

  const startMigration = () => start([...laterRelease, 'migrate', '--database', database], 'ignore');
  const filledUpTo = async () => {
    const [row] = await query("select value from secret where name = 'migration'");
    const { step, position } = row ? JSON.parse(String(row.value)) : { step: 0, position: 0 };
    return step === 1 ? position : step > 1 ? count : 0;
  };
  let startedAt = performance.now();
  let migration = startMigration();
  await waitFor(async () => (await filledUpTo()) > count / 3, 300_000);
  migration.kill('SIGKILL');
  await migration.exited;
  const reached = await filledUpTo();
  expect(reached).toBeLessThan(count);
  report('filled until it was killed', writers.takeWaits(), startedAt);

  // Another process waits for the job of the killed one: up to 20 s. PostgreSQL does not end the making of an index while an
  // older transaction reads.
  startedAt = performance.now();
  const snapshot = await new Bun.SQL({ url: database, max: 1 }).reserve();
  await snapshot.unsafe('begin isolation level repeatable read; select 1');
  migration = startMigration();
  const indexes = () =>
    query("select indisvalid from pg_index where indexrelid = to_regclass('project_by_text_length')");
  await waitFor(async () => (await indexes()).length > 0, 300_000);
  report('went on with filling', writers.takeWaits(), startedAt);
  migration.kill('SIGKILL');
  await migration.exited;
  await query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%' and pid <> pg_backend_pid()",
  );
  expect(await indexes()).toEqual([{ indisvalid: false }]);
  await snapshot.unsafe('commit');
  snapshot.release();

  startedAt = performance.now();
  const next = await serveWith(laterRelease, ...options);
  report('made the index again, and the new server started', writers.takeWaits(), startedAt);
  await writers.stop();
  expect(await indexes()).toEqual([{ indisvalid: true }]);
  expect(await query(`select number from migration where number > ${newest}`)).toEqual([
    { number: String(newest + 1) },
  ]);

  // Servers of today's release can also be started again.
  const again = await serve(...options);
  await today.stop();
  const besides = startWriters([again, next], headers);
  startedAt = performance.now();
  await Bun.sleep(3000);
  report('side by side', besides.takeWaits(), startedAt);
  await besides.stop();
  expect(await locks.stop(), 'seconds').toBeLessThan(1);

  // Only rows that servers of today's release have made since are empty, until the release after that fills them.
  const [row] = await query(
    `select count(*) filter (where text_length is null)::int as empty,
            count(*) filter (where text_length is null and id <= ${count})::int as old from project`,
  );
  expect(row?.old).toBe(0);
  expect(row?.empty).toBeGreaterThan(0);
  await Promise.all([again.stop(), next.stop()]);
  const afterNext = start([...laterRelease, 'migrate', '--database', database], 'ignore', {
    LATER_RELEASES: '2',
  });
  expect(await resultOf(afterNext)).toMatchObject({ code: 0 });
  expect(await query('select count(*)::int as empty from project where text_length is null')).toEqual([
    { empty: 0 },
  ]);
}, 900_000);
