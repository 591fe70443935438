// A server under load, and the gallery that is expected from its acknowledged writes.

import { expect } from 'bun:test';
import { type Server, serve, vitrine } from '../support/server.ts';
import { contributor, dump, siteAt } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { audit } from './audit.ts';
import { ExpectedGallery } from './expected-gallery.ts';
import { NoResponse } from './write.ts';
import { type Person, Writer } from './writer.ts';

export const names = Array.from({ length: 12 }, (_, index) => `writer${index + 1}`);

async function createPeople(address: string): Promise<Person[]> {
  const lines = names.map((username, index) => contributor(index + 1, username));
  const site = await siteAt(address, { dump: dump(...lines) });
  const people: Person[] = [];
  for (const username of names) people.push({ username, headers: await site.key(username) });
  await site.close();
  return people;
}

export class CrashTest {
  readonly expected = new ExpectedGallery();
  readonly writers: Writer[];
  server: Server | undefined;
  read = 0;
  refused = 0;

  private constructor(
    /** Its address. */
    public database: string,
    people: Person[],
  ) {
    this.writers = people.map(
      (person) =>
        new Writer(
          person,
          this.expected,
          () => this.server?.address ?? '',
          () => this.writers.filter((other) => other.person !== person),
        ),
    );
  }

  static async on(database: string): Promise<CrashTest> {
    const crashTest = new CrashTest(database, await createPeople(database));
    await crashTest.start();
    await Promise.all(crashTest.writers.map((writer) => writer.createShared()));
    return crashTest;
  }

  async start(): Promise<void> {
    this.server = await serve('--database', this.database, '--read-limit', 'off', '--write-limit', 'off');
  }

  /** All writers send requests until the action ends their server. */
  async writeUntil(action: () => Promise<unknown>): Promise<void> {
    const writing = this.writers.map(async (writer) => {
      try {
        for (;;) await writer.writeOnce();
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
      }
    });
    await Promise.all([...writing, waitAWhile().then(action)]);
  }

  /** All writers send requests, with a pause after each, and continue as soon as the server responds again. */
  async writeThrough(action: () => Promise<unknown>, pauseMs = 0): Promise<void> {
    let isOver = false;
    let refused = 0;
    const writing = this.writers.map(async (writer) => {
      while (!isOver) {
        try {
          await writer.writeOnce();
          if (pauseMs) await randomPause(2 * pauseMs);
        } catch (error) {
          if (!(error instanceof NoResponse)) throw error;
          refused++;
          await retry(() => writer.resolvePending());
        }
      }
    });
    const acting = waitAWhile()
      .then(action)
      .then(waitAWhile)
      .finally(() => {
        isOver = true;
      });
    await Promise.all([...writing, acting]);
    this.refused += refused;
  }

  /** Finds out the result of the writes without a response, and compares the gallery with the expected one. */
  async check(all: boolean): Promise<void> {
    await Promise.all(this.writers.map((writer) => retry(() => writer.resolvePending())));
    await Promise.all(this.writers.map((writer) => writer.repeat(3)));
    this.read += await audit(this.expected, this.writers, this.database, all);
    if (all)
      expect(await vitrine('check', '--database', this.database)).toMatchObject({
        code: 0,
        out: 'All is well.\n',
      });
  }

  report(name: string): void {
    const { acknowledged, projects } = this.expected;
    const refused = this.refused ? `, ${this.refused} refused` : '';
    const totals = `${projects.size} projects, ${this.read} times read back`;
    console.log(`${name}: ${acknowledged} writes acknowledged${refused}, none lost (${totals}).`);
  }
}

const waitAWhile = () => randomPause(800);

/** Repeats the work until the server is available again. */
const retry = (work: () => Promise<void>) =>
  waitFor(async () => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof NoResponse) return false;
      throw error;
    }
  });
