// `npm run test:crash`: kills servers while many write to them, again and again, and holds what is left against
// what they acknowledged. It takes minutes, and is not part of `npm test`.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { personNamed } from '../../src/gallery/accounts/account.ts';
import { addAccount } from '../../src/gallery/accounts/change.ts';
import { makeKey } from '../../src/gallery/accounts/keys.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Server, serve, vitrine } from '../support/server.ts';
import { audit } from './audit.ts';
import { Ledger } from './ledger.ts';
import { type Person, Unanswered, Writer } from './writer.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 20);
const names = Array.from({ length: 12 }, (_, index) => `writer${index + 1}`);

async function people(address: string): Promise<Person[]> {
  const database = await openGallery(address);
  const made: Person[] = [];
  for (const username of names) {
    await addAccount(database, { username, first_name: '', last_name: '' }, 'contributor', null);
    const person = await personNamed(database, username);
    const wish = { contributor: person?.id ?? 0, name: 'crash', writes: true, expires: () => null };
    made.push({ username, key: (await makeKey(database, null, wish)).secret });
  }
  await database.close();
  return made;
}

/** A server under load, and the ledger of what it acknowledged. */
class Drill {
  readonly ledger = new Ledger();
  readonly writers: Writer[];
  server: Server | undefined;
  read = 0;
  refused = 0;

  private constructor(
    readonly database: string,
    persons: Person[],
  ) {
    this.writers = persons.map(
      (person) =>
        new Writer(
          person,
          this.ledger,
          () => this.server?.address ?? '',
          () => this.writers.filter((other) => other.person !== person),
        ),
    );
  }

  static async on(database: string): Promise<Drill> {
    const drill = new Drill(database, await people(database));
    await drill.start();
    await Promise.all(drill.writers.map((writer) => writer.setTheStage()));
    return drill;
  }

  async start(): Promise<void> {
    this.server = await serve('--database', this.database, '--read-limit', 'off', '--write-limit', 'off');
  }

  /** All write until something is done to them that keeps them from it. */
  async load(act: () => Promise<unknown>): Promise<void> {
    const writing = this.writers.map(async (writer) => {
      try {
        for (;;) await writer.step();
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
      }
    });
    await Promise.all([...writing, soon().then(act)]);
  }

  /** All write and go on writing whatever is done to them, as soon as they are served again. */
  async loadThrough(act: () => Promise<unknown>): Promise<void> {
    let over = false;
    let refused = 0;
    const writing = this.writers.map(async (writer) => {
      while (!over) {
        try {
          await writer.step();
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          refused++;
          await served(() => writer.settle());
        }
      }
    });
    const acting = soon()
      .then(act)
      .then(soon)
      .finally(() => {
        over = true;
      });
    await Promise.all([...writing, acting]);
    this.refused += refused;
  }

  /** What was not answered is found whole or absent, and all the rest is found. */
  async account(all: boolean): Promise<void> {
    await Promise.all(this.writers.map((writer) => served(() => writer.settle())));
    await Promise.all(this.writers.map((writer) => writer.repeat(3)));
    this.read += await audit(this.ledger, this.writers, this.database, all);
    if (all)
      expect(await vitrine('check', '--database', this.database)).toMatchObject({
        code: 0,
        out: 'All is well.\n',
      });
  }

  say(what: string): void {
    const { acknowledged, items } = this.ledger;
    const refused = this.refused ? `, ${this.refused} refused` : '';
    const held = `${items.size} items, ${this.read} times read back`;
    console.log(`${what}: ${acknowledged} writes acknowledged${refused}, none lost (${held}).`);
  }
}

const soon = () => Bun.sleep(100 + Math.random() * 700);

/** Again and again, until the server can: it comes back by itself. */
async function served(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + 20_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unanswered) || performance.now() > until) throw error;
      await Bun.sleep(50);
    }
  }
}

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start({ fsync: 'on' });
});
afterAll(() => postgres.stop());

async function place(kind: 'SQLite' | 'PostgreSQL', name: string): Promise<string> {
  if (kind === 'SQLite') return temporaryPath(`${name}.sqlite`);
  await postgres.query(`create database ${name}`);
  return postgres.address(name);
}

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  describe(`on ${kind}`, () => {
    test(`nothing is lost when the server is killed ${rounds} times while ${names.length} people write`, async () => {
      const drill = await Drill.on(await place(kind, 'killed'));
      for (let round = 1; round <= rounds; round++) {
        await drill.load(() => (drill.server as Server).stop('SIGKILL'));
        await drill.start();
        await drill.account(round % 5 === 0 || round === rounds);
      }
      await drill.server?.stop();
      drill.say(`${kind}, server killed ${rounds} times`);
    }, 600_000);
  });
}

/** The ways in which PostgreSQL goes away while the server stays. */
const ends: (() => Promise<void>)[] = [
  async function killed() {
    await postgres.kill();
    await Bun.sleep(Math.random() * 1500);
    await postgres.restart();
  },
  async function crashed() {
    const [one] = await ask('select min(pid) as pid from pg_stat_activity where application_name = $1');
    process.kill(one?.pid ?? 0, 'SIGKILL');
    await postgres.ready();
  },
  async function disconnected() {
    await ask('select pg_terminate_backend(pid) as pid from pg_stat_activity where application_name = $1');
  },
];

async function ask(text: string): Promise<{ pid: number }[]> {
  const client = new Bun.SQL({ url: postgres.address(), max: 1 });
  try {
    return await client.unsafe(text, ['vitrine']);
  } finally {
    await client.close({ timeout: 0 });
  }
}

test(`nothing is lost when PostgreSQL goes away ${rounds} times in the middle of transactions`, async () => {
  const drill = await Drill.on(await place('PostgreSQL', 'gone'));
  for (let round = 1; round <= rounds; round++) {
    await drill.loadThrough(ends[round % ends.length] as () => Promise<void>);
    await drill.account(round % 5 === 0 || round === rounds);
  }
  expect(await drill.server?.stop()).toBe(0);
  drill.say(`PostgreSQL gone ${rounds} times`);
}, 600_000);
