// A later release migrates a gallery on PostgreSQL while clients write to a server of today's release, and is killed in the
// middle of filling a column and of making an index. Then both releases serve side by side: npm run test:scale.

import { expect, test } from 'bun:test';
import { createWriteStream } from 'node:fs';
import { newest } from '../../src/core/migrations/newest.ts';
import { closeLater } from '../support/closing.ts';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { laterRelease } from '../support/program.ts';
import { resultOf, type Server, serve, serveWith, start, vitrineProcess } from '../support/server.ts';
import { ada, project, siteAt } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { noLimits } from '../support/workers.ts';
import { scaled } from './size.ts';

const count = scaled(30_000);
const text = 'A kite with a red wheel, which flies over the roofs. '.repeat(6);
const clients = 6;
/** The largest batch that a column is filled in. */
const maxBatch = 1000;
const waitingMigration =
  "select from pg_locks where not granted and mode = 'AccessExclusiveLock' and relation = 'project'::regclass";
/** So many of them show that writes go on. */
const enoughWrites = 100;

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

const gate = 1;
/** The column of this project is filled only when nobody holds the lock of the gate. */
const closeGateAt = (project: number) => `
  create function wait_at_gate() returns trigger language plpgsql as $$ begin
    if to_jsonb(new) -> 'text_length' is distinct from to_jsonb(old) -> 'text_length' then
      perform pg_advisory_xact_lock(${gate});
    end if;
    return new;
  end $$;
  create trigger gate before update on project for each row when (old.id = ${project})
    execute function wait_at_gate()`;

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
      await randomPause(50);
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
    /** Waits until they have written so often since the last call of `takeWaits`. */
    haveWritten: (count: number) => waitFor(() => waits.writes >= count),
    /** What the writers saw since the last call. */
    takeWaits() {
      const taken = waits;
      waits = noWaits();
      return taken;
    },
  };
}

test('a release migrates while the one before serves; killed, it goes on; no write waits for it', async () => {
  const postgres = await PostgresServer.start({ fsync: 'on' });
  closeLater(() => postgres.stop());
  const database = postgres.address();
  const query = (statement: string) => postgres.query(statement);
  const headers = await fillGallery(database);
  const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits];
  const today = await serve(...options);
  const writers = startWriters([today], headers);
  const report = (what: string, { writes, longest, statuses }: Waits, startedAt: number) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${what}: ${seconds} s, ${writes} writes, longest ${Math.round(longest)} ms`);
    expect([...statuses.keys()].filter((status) => status >= 300)).toEqual([]);
  };
  let startedAt = performance.now();
  await writers.haveWritten(enoughWrites);
  report('before', writers.takeWaits(), startedAt);

  const reserve = () => {
    const client = new Bun.SQL({ url: database, max: 1 });
    closeLater(() => client.close({ timeout: 0 }));
    return client.reserve();
  };
  // As 20 seconds after a kill, when another process may go on.
  const endHold = () => query("update job set held_until = 0 where name = 'migration'");
  const startMigration = () => start([...laterRelease, 'migrate', '--database', database], 'ignore');
  const filledUpTo = async () => {
    const [row] = await query("select value from secret where name = 'migration'");
    const { step, position } = row ? JSON.parse(String(row.value)) : { step: 0, position: 0 };
    return step === 1 ? position : step > 1 ? count : 0;
  };
  // Somebody reads the table that gets a column. Who wants to write does not wait for the migration, which waits for them.
  const reader = await reserve();
  await query(closeGateAt(Math.ceil((count * 2) / 3)));
  await reader.unsafe(`select pg_advisory_lock(${gate})`);
  await reader.unsafe('begin; select from project limit 1');
  startedAt = performance.now();
  let migration = startMigration();
  await waitFor(async () => (await query(waitingMigration)).length > 0);
  await writers.haveWritten(enoughWrites);
  report('waited for the lock of a table', writers.takeWaits(), startedAt);
  await reader.unsafe('commit');

  startedAt = performance.now();
  await waitFor(async () => (await filledUpTo()) > count / 3);
  migration.kill('SIGKILL');
  await migration.exited;
  expect(await filledUpTo()).toBeLessThan(count);
  await reader.unsafe(`select pg_advisory_unlock(${gate})`);
  report('filled until it was killed', writers.takeWaits(), startedAt);
  // A write waits for one of these at most.
  const [largest] = await query(
    'select max(rows)::int as rows from (select count(*) as rows from project where text_length is not null group by xmin::text)',
  );
  expect(largest?.rows).toBeWithin(1, maxBatch + 1);

  // PostgreSQL does not end the making of an index while an older transaction reads.
  startedAt = performance.now();
  const snapshot = await reserve();
  await snapshot.unsafe('begin isolation level repeatable read; select 1');
  await endHold();
  migration = startMigration();
  const indexes = () =>
    query("select indisvalid from pg_index where indexrelid = to_regclass('project_by_text_length')");
  await waitFor(async () => (await indexes()).length > 0);
  writers.takeWaits();
  // A write that waits for a lock of the migration would wait as long as that transaction reads.
  await writers.haveWritten(enoughWrites);
  report('went on with filling', writers.takeWaits(), startedAt);
  migration.kill('SIGKILL');
  await migration.exited;
  await query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%' and pid <> pg_backend_pid()",
  );
  expect(await indexes()).toEqual([{ indisvalid: false }]);
  await snapshot.unsafe('commit');
  await endHold();

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
  await besides.haveWritten(enoughWrites);
  report('side by side', besides.takeWaits(), startedAt);
  await besides.stop();

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
});
