// `npm run test:crash`: kills servers repeatedly while many clients write, and compares the stored data with the
// acknowledged writes. It takes minutes, and is not part of `npm test`.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import type { Server } from '../support/server.ts';
import { randomPause } from '../support/waiting.ts';
import { CrashTest, names } from './crash-test.ts';
import { rounds } from './kill.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start({ fsync: 'on' });
});
afterAll(() => postgres.stop());

async function createDatabase(kind: 'SQLite' | 'PostgreSQL', name: string): Promise<string> {
  if (kind === 'SQLite') return temporaryPath(`${name}.sqlite`);
  await postgres.query(`create database ${name}`);
  return postgres.address(name);
}

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  describe(`on ${kind}`, () => {
    test(`nothing is lost when the server is killed ${rounds} times while ${names.length} people write`, async () => {
      const crashTest = await CrashTest.on(await createDatabase(kind, 'killed'));
      for (let round = 1; round <= rounds; round++) {
        await crashTest.writeUntil(() => (crashTest.server as Server).stop('SIGKILL'));
        await crashTest.start();
        await crashTest.check(round % 5 === 0 || round === rounds);
      }
      await crashTest.server?.stop();
      crashTest.report(`${kind}, server killed ${rounds} times`);
    });
  });
}

/** The ways in which PostgreSQL ends while the server runs. */
const failures: (() => Promise<void>)[] = [
  async function killed() {
    await postgres.kill();
    await randomPause(1500);
    await postgres.restart();
  },
  async function crashed() {
    const [one] = await query('select min(pid) as pid from pg_stat_activity where application_name like $1');
    if (!one) throw new Error('the server has no connection');
    process.kill(one.pid, 'SIGKILL');
    await postgres.ready();
  },
  async function disconnected() {
    await query(
      'select pg_terminate_backend(pid) as pid from pg_stat_activity where application_name like $1',
    );
  },
];

async function query(text: string): Promise<{ pid: number }[]> {
  const client = new Bun.SQL({ url: postgres.address(), max: 1 });
  try {
    return await client.unsafe(text, ['vitrine schema %']);
  } finally {
    await client.close({ timeout: 0 });
  }
}

test(`nothing is lost when PostgreSQL goes away ${rounds} times in the middle of transactions`, async () => {
  const crashTest = await CrashTest.on(await createDatabase('PostgreSQL', 'gone'));
  for (let round = 1; round <= rounds; round++) {
    await crashTest.writeThrough(failures[round % failures.length] as () => Promise<void>);
    await crashTest.check(round % 5 === 0 || round === rounds);
  }
  expect(await crashTest.server?.stop()).toBe(0);
  crashTest.report(`PostgreSQL gone ${rounds} times`);
});
