// `bun bench/webhooks.ts` prints how many events webhooks get in a second, and how long after its commit an event arrives:
// on an empty gallery on SQLite and on PostgreSQL, with the receivers on the same machine.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../test/support/postgres-server.ts';
import {
  buildVitrineCommand,
  readProcessorSeconds,
  readResidentMegabytes,
  runCommand,
  startProcess,
  stopAll,
} from './process.ts';
import { percentile } from './streams.ts';

const backlog = Number(process.env.EVENTS ?? 5000);
const rounds = 300;
const writers = 8;
const manyOwners = 5;
const webhooksOfOwner = 4;
const distantMs = 50;

interface Receiver {
  readonly url: string;
  received: number;
  onEvent(): void;
  stop(): Promise<void>;
}

/** A hostile one takes requests and never answers. */
function startReceiver({ isHostile = false, delayMs = 0 } = {}): Receiver {
  const receiver = { url: '', received: 0, onEvent() {}, stop: async () => {} };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (isHostile) return new Promise<Response>(() => {});
      const body = await request.text();
      if (delayMs > 0) await Bun.sleep(delayMs);
      receiver.received += body.split('"sequence":').length - 1;
      receiver.onEvent();
      return new Response(null, { status: 204 });
    },
  });
  return Object.assign(receiver, { url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) });
}

async function measure(database: string): Promise<[label: string, figure: string][]> {
  const run = (...args: string[]) => runCommand(buildVitrineCommand(...args, '--database', database));
  const allowed = ['--webhook-allow-network', '127.0.0.1'];
  const addOwner = async (name: string) => {
    await runCommand(buildVitrineCommand('user', 'add', name, '--database', database), 'long and unusual\n');
    await run('user', 'role', name, 'moderator');
  };
  const add = async (owner: string, receiver: Receiver) =>
    void (await run('webhook', 'add', owner, receiver.url, 'http://localhost', 'gallery', ...allowed));
  await addOwner('ada');
  const key = (await run('key', 'add', 'ada', 'bench', 'write')).trim();
  const limits = ['--read-limit', 'off', '--write-limit', 'off', '--project-quota', 'off'];
  const server = await startProcess(
    buildVitrineCommand('serve', '--port', '0', ...limits, ...allowed, '--database', database),
  );
  const create = async () => {
    const response = await fetch(`http://localhost:${server.port}/api/v1/projects/`, {
      method: 'POST',
      headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
      keepalive: false,
      body: JSON.stringify({ title: 'A lamp', visibility: 'public', status: 1 }),
    });
    if (response.status !== 201) throw new Error(`a create got ${response.status}`);
  };
  /** Creates projects while the webhooks are off, switches them on, and counts the events of a second. */
  const measureBacklog = async (
    ids: readonly number[],
    receivers: readonly Receiver[],
    events: number,
    onStart = () => {},
  ) => {
    for (const id of ids) await run('webhook', 'disable', String(id));
    const writeMany = async () => {
      for (let count = 0; count < events / writers; count++) await create();
    };
    await Promise.all(Array.from({ length: writers }, writeMany));
    for (const receiver of receivers) receiver.received = 0;
    onStart();
    for (const id of ids) await run('webhook', 'enable', String(id));
    const total = () => receivers.reduce((sum, { received }) => sum + received, 0);
    const [before, startedAt] = [total(), performance.now()];
    while (total() < receivers.length * events) await Bun.sleep(5);
    return ((total() - before) / (performance.now() - startedAt)) * 1000;
  };
  /** From the response of a write until the event is there. */
  const timeEvents = async (receiver: Receiver) => {
    const latencies: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { promise, resolve } = Promise.withResolvers<number>();
      receiver.onEvent = () => resolve(performance.now());
      await create();
      const writtenAt = performance.now();
      latencies.push(Math.max(0, (await promise) - writtenAt));
    }
    receiver.onEvent = () => {};
    return [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(1)).join(' and ');
  };

  const first = startReceiver();
  await add('ada', first);
  await create();
  while (first.received === 0) await Bun.sleep(5);
  const alone = await timeEvents(first);
  const hostile = startReceiver({ isHostile: true });
  for (let owner = 0; owner < manyOwners; owner++) {
    await addOwner(`hostile-${owner}`);
    for (let count = 0; count < webhooksOfOwner; count++) await add(`hostile-${owner}`, hostile);
  }
  const besideHostile = await timeEvents(first);
  for (let owner = 0; owner < manyOwners; owner++)
    for (let count = 0; count < webhooksOfOwner; count++)
      await run('webhook', 'disable', String(2 + owner * webhooksOfOwner + count));
  await hostile.stop();
  const rateOfOne = await measureBacklog([1], [first], backlog);
  const receivers: Receiver[] = [];
  for (let owner = 0; owner < manyOwners; owner++) {
    await addOwner(`owner-${owner}`);
    for (let count = 0; count < webhooksOfOwner; count++) {
      const receiver = startReceiver();
      await add(`owner-${owner}`, receiver);
      receivers.push(receiver);
    }
  }
  const ids = receivers.map((_, index) => 2 + manyOwners * webhooksOfOwner + index);
  const rateOfMany = await measureBacklog(ids, receivers, backlog / 10);
  for (const id of ids) await run('webhook', 'disable', String(id));
  const distant = startReceiver({ delayMs: distantMs });
  const paces = [
    { concurrency: 1, batch_size: 1 },
    { concurrency: 64, batch_size: 1 },
    { concurrency: 1, batch_size: 100 },
  ];
  const distantRates: [label: string, figure: string][] = [];
  await addOwner('distant');
  await add('distant', distant);
  const id = Number(ids.at(-1)) + 1;
  const itsKey = (await run('key', 'add', 'distant', 'bench', 'write')).trim();
  for (const pace of paces) {
    const response = await fetch(`http://localhost:${server.port}/api/v1/webhooks/${id}/`, {
      method: 'PATCH',
      headers: { Authorization: `Token ${itsKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(pace),
    });
    if (!response.ok) throw new Error(`the change of the webhook got ${response.status}`);
    const events = pace.concurrency * pace.batch_size === 1 ? 100 : backlog;
    let used = 0;
    const rate = await measureBacklog([id], [distant], events, () => {
      used = readProcessorSeconds(server);
    });
    const each = ((readProcessorSeconds(server) - used) / events) * 1000;
    const label = `to one whose receiver answers after ${distantMs} ms: concurrency ${pace.concurrency}, batches of ${pace.batch_size}`;
    distantRates.push([
      label,
      `${rate.toFixed(0)} (${each.toFixed(2)} ms, ${readResidentMegabytes(server).own.toFixed(0)} MB)`,
    ]);
  }
  await stopAll();
  for (const receiver of [first, distant, ...receivers]) await receiver.stop();
  return [
    ['events per second to one webhook that is behind', rateOfOne.toFixed(0)],
    [`the same to ${receivers.length} webhooks`, rateOfMany.toFixed(0)],
    ...distantRates,
    ['a write until its event has arrived, median and 99th percentile, ms', alone],
    [`the same beside ${manyOwners * webhooksOfOwner} receivers that never answer`, besideHostile],
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-webhooks-'));
const postgres = await PostgresServer.start({ fsync: 'on' });
try {
  const sqlite = await measure(join(folder, 'gallery.sqlite'));
  const others = new Map(await measure(postgres.address()));
  console.log('|  | SQLite | PostgreSQL |\n|---|--:|--:|');
  for (const [label, figure] of sqlite) console.log(`| ${label} | ${figure} | ${others.get(label)} |`);
} finally {
  await stopAll();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
