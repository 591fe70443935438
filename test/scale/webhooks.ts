// Webhooks from two server processes, while servers and receivers are killed: npm run test:scale. EVENTS is the number of
// writes, KILLS how often one of each is killed meanwhile.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Subprocess, spawn } from 'bun';
import sql from 'sql-template-tag';
import { pick } from '../../src/database/columns.ts';
import { select } from '../../src/database/query.ts';
import { changeTable } from '../../src/database/schema.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Server, serve, vitrine } from '../support/server.ts';
import { ada, contributor, dump, siteAt } from '../support/site.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { connectToEach, noLimits, request, startWorkers, statusOf, waitFor } from '../support/workers.ts';

const writes = Number(process.env.EVENTS ?? 600);
const kills = Number(process.env.KILLS ?? 4);
const writers = 8;
const timeoutMs = 120_000 + writes * 20;
const receiverProgram = join(import.meta.dir, '../support/webhook-receiver-program.ts');

interface Event {
  readonly sequence: number;
}

/** A receiver that is started again at its port when it is killed. */
class KillableReceiver {
  readonly file = temporaryPath('received');
  #process: Subprocess<'ignore', 'pipe', 'inherit'> | undefined;
  #port = 0;

  static async start(): Promise<KillableReceiver> {
    const receiver = new KillableReceiver();
    await receiver.#start();
    closeLater(async () => receiver.#process?.kill('SIGKILL'));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get #lines(): string[] {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').split('\n').slice(0, -1) : [];
  }

  get events(): Event[] {
    return this.#lines.map((line) => JSON.parse(line).data);
  }

  /** The number of the last event; undefined before the first. */
  get last(): number | undefined {
    const line = this.#lines.at(-1);
    return line && JSON.parse(line).data.sequence;
  }

  async #start(): Promise<void> {
    const command = [process.execPath, receiverProgram, this.file, String(this.#port)];
    const child = spawn(command, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#port = Number(chunk);
      break;
    }
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
    await this.#start();
  }
}

const allowed = ['--webhook-allow-network', '127.0.0.1'];

async function addWebhook(database: string, name: string, url: string, events: string): Promise<void> {
  const webhook = [name, url, 'http://localhost', events];
  expect((await vitrine('webhook', 'add', ...webhook, '--database', database, ...allowed)).code).toBe(0);
}

const createProject = (server: Server | undefined, key: string, title: string, visibility = 'public') =>
  fetch(`${server?.address}/api/v1/projects/`, {
    method: 'POST',
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title, visibility }),
  });

/** Creates projects at both servers; what a killed server did not answer is not repeated. */
async function write(servers: readonly Server[], keys: readonly string[], kill: () => Promise<void>) {
  let next = 0;
  let killing = Promise.resolve();
  const step = Math.floor(writes / (kills + 1));
  const run = async () => {
    for (let number = ++next; number <= writes; number = ++next) {
      if (number % step === 0 && number / step <= kills) killing = killing.then(kill);
      const visibility = ['public', 'private', 'unlisted'][number % 3];
      const [server, key = ''] = [servers[number % 2], keys[number % 2]];
      await createProject(server, key, `${number}`, visibility).catch(() => killing);
    }
  };
  await Promise.all(Array.from({ length: writers }, run));
  await killing;
}

/** The numbers without those that came a second time. */
const firstTimes = (events: readonly Event[]) => [...new Set(events.map(({ sequence }) => sequence))];

onBothDatabases((kind) => {
  test(
    'while servers and receivers are killed, each webhook gets every event of its owner, in order, and no other',
    async () => {
      const database = await emptyDatabase(kind);
      const site = await siteAt(database, { dump: dump(ada, contributor(2, 'bob'), contributor(3, 'mo')) });
      const keyOf = async (name: string, role?: 'moderator') =>
        (await site.key(name, { role })).Authorization ?? '';
      const keys = [await keyOf('ada'), await keyOf('bob'), await keyOf('mo', 'moderator')];
      await site.close();
      const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits];
      const servers = await Promise.all([serve(...options, ...allowed), serve(...options, ...allowed)]);
      const receivers = await Promise.all(keys.map(() => KillableReceiver.start()));
      for (const [index, receiver] of receivers.entries()) {
        const [name = '', events = ''] =
          [
            ['ada', 'own'],
            ['bob', 'own'],
            ['mo', 'gallery'],
          ][index] ?? [];
        await addWebhook(database, name, receiver.url, events);
      }

      let killed = 0;
      await write(servers, keys, async () => {
        const index = killed++ % 2;
        const { port } = servers[index] as Server;
        await servers[index]?.stop('SIGKILL');
        await receivers[killed % 3]?.kill();
        servers[index] = await serve(...options, ...allowed, '--port', String(port));
      });
      expect(killed).toBe(kills);

      const gallery = await openGallery(database);
      closeLater(() => gallery.close());
      const logged = await gallery.all(
        select(
          pick(changeTable.columns, 'sequence', 'owner'),
          sql`from change where kind = 'project' and action <> 'imported' order by sequence`,
        ),
      );
      for (const [index, receiver] of receivers.entries()) {
        const expected = logged
          .filter(({ owner }) => index === 2 || owner === index + 1)
          .map(({ sequence }) => sequence);
        expect(expected.length).toBeGreaterThan(writes / 4);
        await waitFor(async () => {
          await Bun.sleep(100);
          return receiver.last === expected.at(-1);
        }, timeoutMs / 2);
        // In order: one that comes a second time is followed by the same ones again.
        expect(firstTimes(receiver.events)).toEqual(expected);
      }
    },
    timeoutMs,
  );

  test('when the process that sends is killed, another one goes on', async () => {
    const database = await emptyDatabase(kind);
    const site = await siteAt(database, { dump: dump(ada) });
    const key = (await site.key('ada')).Authorization ?? '';
    await site.close();
    const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits, ...allowed];
    const receiver = startReceiver();
    await addWebhook(database, 'ada', receiver.url, 'own');
    const first = await serve(...options);
    await createProject(first, key, 'One');
    await waitFor(() => receiver.received.length === 1);
    const second = await serve(...options);
    await createProject(second, key, 'Two');
    await waitFor(() => receiver.received.length === 2);
    await first.stop('SIGKILL');
    await createProject(second, key, 'Three');
    await waitFor(() => new Set(receiver.numbers).size === 3, 30_000);
  }, 60_000);

  test('of several workers, one sends', async () => {
    const { server, database, authorization } = await startWorkers(kind, 3, ...noLimits, ...allowed);
    const receiver = startReceiver();
    await addWebhook(database, 'ada', receiver.url, 'own');
    const clients = [...(await connectToEach(server.port, 3)).values()];
    for (let number = 1; number <= 30; number++) {
      const body = JSON.stringify({ title: `Number ${number}` });
      const response = await clients[number % 3]?.send(
        request('POST', '/api/v1/projects/', [authorization], body),
      );
      expect(statusOf(response)).toBe(201);
    }
    await waitFor(() => receiver.received.length >= 30);
    await server.stop();
    // Each once, in order: two processes would send each twice.
    expect(receiver.numbers).toEqual([...new Set(receiver.numbers)].sort((one, other) => one - other));
    expect(receiver.numbers.length).toBe(30);
  }, 60_000);
});
