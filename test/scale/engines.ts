// A large site as a whole: two servers with two workers each, PostgreSQL with a replica, PgBouncer, Redis and NATS. Each is
// killed in turn while clients write: npm run test:scale.

import { expect, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { temporaryPath } from '../support/databases.ts';
import { areMissing, pooledAddress, startPgBouncer, startRedis } from '../support/engines.ts';
import {
  type Entry,
  firstTimes,
  KillableClient,
  KillableReceiver,
  KillableServer,
  readAll,
} from '../support/killable.ts';
import { Nats } from '../support/nats.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { childrenOf } from '../support/processes.ts';
import { program } from '../support/program.ts';
import { start, vitrine, vitrineWithInput } from '../support/server.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { noLimits } from '../support/workers.ts';
import { scaled } from './size.ts';

const writes = scaled(1500);
const clients = 16;
const people = ['ada', 'bob', 'cem', 'dia'];

const password = 'correct horse battery';

async function addPeople(database: string): Promise<{ writers: string[]; moderator: string }> {
  const keyOf = async (name: string, ...role: string[]) => {
    await vitrineWithInput(password, 'user', 'add', name, ...role, '--database', database);
    const key = await vitrine('key', 'add', name, 'test', 'write', '--database', database);
    return `Token ${key.out.trim()}`;
  };
  const writers: string[] = [];
  for (const name of people) writers.push(await keyOf(name));
  return { writers, moderator: await keyOf('mo', 'moderator') };
}

/** Each write has a title of its own, so that the log of changes shows whether it is there. */
class Writers {
  readonly acknowledged: string[] = [];
  readonly refused = new Map<string, number>();
  #next = 0;
  readonly finished: Promise<unknown>;

  constructor(
    private readonly servers: readonly KillableServer[],
    private readonly keys: readonly string[],
  ) {
    this.finished = Promise.all(Array.from({ length: clients }, (_, client) => this.#run(client)));
  }

  get isOver(): boolean {
    return this.acknowledged.length >= writes;
  }

  async #run(client: number): Promise<void> {
    const own: number[] = [];
    while (!this.isOver) {
      const number = this.#next++;
      const changed = number % 3 === 2 ? own[number % own.length] : undefined;
      const path = changed === undefined ? '' : `${changed}/`;
      const title = `Write ${number}`;
      try {
        const response = await fetch(
          `${this.servers[number % this.servers.length]?.address}/api/v1/projects/${path}`,
          {
            method: changed === undefined ? 'POST' : 'PATCH',
            headers: {
              Authorization: this.keys[client % this.keys.length] ?? '',
              'Content-Type': 'application/json',
            },
            body: JSON.stringify({ title }),
          },
        );
        const body = (await response.json()) as { id: number };
        if (response.ok) {
          this.acknowledged.push(title);
          if (changed === undefined) own.push(body.id);
        } else {
          const problem = `${response.status}`;
          this.refused.set(problem, (this.refused.get(problem) ?? 0) + 1);
          await randomPause(200);
        }
      } catch {
        // The server was killed: the write may be there or not.
        await randomPause(200);
      }
    }
  }
}

async function startPublisher(options: readonly string[]) {
  const command = [await program(), 'changes', 'publish', ...options];
  let child = start(command, 'ignore');
  closeLater(async () => child.kill('SIGKILL'));
  const kill = async () => {
    child.kill('SIGKILL');
    await child.exited;
    child = start(command, 'ignore');
  };
  return { kill };
}

async function killWorker(server: KillableServer): Promise<void> {
  const workers = childrenOf(server.pid);
  process.kill(workers[Math.floor(Math.random() * workers.length)] as number, 'SIGKILL');
}

const byProject = (entries: readonly Pick<Entry, 'sequence' | 'id'>[]) =>
  [...Map.groupBy(entries, ({ id }) => id)]
    .map(([id, ofProject]) => [id, firstTimes(ofProject)] as const)
    .sort(([one], [other]) => one - other);

const isMissing = areMissing('PgBouncer', 'Redis', 'NATS');

test.skipIf(isMissing)(
  'while each engine is killed, no write is lost, and streams, webhooks and NATS have the same changes',
  async () => {
    const primary = await PostgresServer.start();
    const { writers: keys, moderator } = await addPeople(primary.address());
    const replica = await primary.startReplica();
    closeLater(() => Promise.all([primary.stop(), replica.stop()]));
    const [pooler, redis, nats] = await Promise.all([startPgBouncer(primary), startRedis(), Nats.start()]);
    const files = ['--files', temporaryPath('files')];
    const options = [
      ...files,
      ...noLimits,
      ...['--workers', '2', '--redis', `redis://127.0.0.1:${redis.port}`],
      ...['--webhook-allow-network', '127.0.0.1'],
    ];
    const servers = [
      await KillableServer.start(
        ...['--database', primary.address(), '--replica', replica.address()],
        ...options,
      ),
      await KillableServer.start('--database', pooledAddress(pooler), ...options),
    ] as const;
    const receiver = await KillableReceiver.start();
    const webhook = ['mo', receiver.url, 'http://localhost', 'gallery'];
    const database = ['--database', primary.address()];
    const added = await vitrine(
      'webhook',
      'add',
      ...webhook,
      ...database,
      '--webhook-allow-network',
      '127.0.0.1',
    );
    expect(added.error).toStartWith('Gallery: ');
    const publisher = await startPublisher([
      ...['--nats', nats.address, '--public-url', 'https://gallery.example.org'],
      ...database,
      ...files,
    ]);
    const visitor = new KillableClient('', servers);
    const follower = new KillableClient(moderator, servers);

    const kills: Record<string, () => Promise<void>> = {
      'a server': () => servers[0].kill(),
      'the other server': () => servers[1].kill(),
      'a worker': () => killWorker(servers[0]),
      'a worker of the other server': () => killWorker(servers[1]),
      PgBouncer: () => pooler.restart(),
      Redis: () => redis.restart(),
      NATS: async () => {
        await nats.kill();
        await nats.restart();
      },
      'the replica': async () => {
        replica.signal('SIGKILL');
        await randomPause(1000);
        await replica.restart();
      },
      PostgreSQL: async () => {
        await primary.kill();
        await primary.restart();
      },
      'the publisher': () => publisher.kill(),
      'the receiver of webhooks': () => receiver.kill(),
      'a client of the stream': () => follower.kill(),
    };

    const written = new Writers(servers, keys);
    for (const [killed, kill] of Object.values(kills).entries()) {
      // As many writes between any two.
      const next = ((killed + 1) * writes) / (Object.keys(kills).length + 2);
      await waitFor(() => written.acknowledged.length >= next);
      await kill();
    }
    await written.finished;

    const log = await primary.query(
      "select sequence, action, kind, subject, case when kind = 'project' then record::json ->> 'title' end as title from change order by sequence",
    );
    const numbers = log.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    const titles = log.filter(({ kind }) => kind === 'project').map(({ title }) => title as string);
    expect(new Set(titles).size).toBe(titles.length);
    expect(new Set(written.acknowledged).difference(new Set(titles))).toEqual(new Set());
    // A project has what was written last.
    const last = new Map(log.filter(({ kind }) => kind === 'project').map((row) => [row.subject, row.title]));
    const stored = await primary.query('select id, title from project');
    expect(new Map(stored.map(({ id, title }) => [id, title]))).toEqual(last);

    const expected = await readAll(servers[0], moderator);
    const projects = expected.filter(({ kind }) => kind === 'project');
    expect(projects).toHaveLength(titles.length);
    const hasAll = ({ entries }: KillableClient) => entries.at(-1)?.sequence === expected.at(-1)?.sequence;
    await waitFor(() => hasAll(follower));
    expect(firstTimes(follower.entries)).toEqual(firstTimes(expected));
    await waitFor(() => hasAll(visitor));
    // Contributors come into visitors' lists and leave them.
    const seen = visitor.entries.filter(({ kind }) => kind === 'project');
    expect(firstTimes(seen)).toEqual(firstTimes(projects));
    await waitFor(async () => (await nats.size()) >= expected.length);
    expect((await nats.read()).numbers).toEqual(firstTimes(expected));
    await waitFor(() => firstTimes(receiver.events).length >= projects.length);
    expect(byProject(receiver.events)).toEqual(byProject(projects));
    console.log(
      `${written.acknowledged.length} writes acknowledged, ${stored.length} projects, ${log.length} changes, ${receiver.events.length} events of the webhook. Refused: ${JSON.stringify([...written.refused])}.`,
    );
  },
);
