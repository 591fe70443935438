// `bun bench/large-gallery.ts postgres://…` measures a gallery that is there already: reads after a start, and then RATE writes a
// second for SECONDS, with a webhook, a stream and every regular job. The server gets OPTIONS. With BESIDE, a command runs
// meanwhile, and writes go on until it ends. It writes into the gallery.

import { readdirSync, readFileSync } from 'node:fs';
import { spawn } from 'bun';
import { createKey } from '../src/core/accounts/keys.ts';
import { accountTable } from '../src/core/accounts/tables.ts';
import { openGallery } from '../src/core/open-gallery.ts';
import {
  buildVitrineCommand,
  readProcessorSeconds,
  readResidentMegabytes,
  runCommand,
  startProcess,
} from './process.ts';
import { percentile } from './streams.ts';
import { generateTexts } from './texts.ts';

const [address = ''] = process.argv.slice(2);
const rate = Number(process.env.RATE ?? 100);
const seconds = Number(process.env.SECONDS ?? 60);
const options = (process.env.OPTIONS ?? '').split(' ').filter(Boolean);
const beside = process.env.BESIDE;
const people = 50;
/** Of the projects that are rated and commented on, so many of a hundred are among the newest. */
const shareOfNewest = 90;
const newestCount = 50_000;
/** A write that waits for longer has failed, as it has for its client. */
const maxOpen = 4000;

const reads = [
  ['a record', '/api/v1/projects/123457/'],
  ['newest first', '/api/v1/projects/'],
  ['by `-karma`', '/api/v1/projects/?ordering=-karma'],
  ['by `title`', '/api/v1/projects/?ordering=title'],
  ['one type by `-karma`', '/api/v1/projects/?content_type=photo&ordering=-karma'],
  ['one tag', '/api/v1/projects/?tags=kite'],
  ['page 1,000 of it', '/api/v1/projects/?tags=kite&page=1000'],
  ['one tag by `-karma`', '/api/v1/projects/?tags=lever&ordering=-karma'],
  ['page 200,000 by `-created`', '/api/v1/projects/?page=200000'],
  ['search for a common word', '/api/v1/projects/?search=robot'],
  ['search for two such words', '/api/v1/projects/?search=linen%20kite'],
  ['a word with a filter by type', '/api/v1/projects/?search=%D0%B7%D0%BC%D0%B5%D0%B9&content_type=photo'],
  ['the home page', '/'],
  ['`/changes/`', '/api/v1/changes/'],
  ['`/sitemap.xml`', '/sitemap.xml'],
] as const;

const random = (limit: number) => Math.floor(Math.random() * limit);
const sql = new Bun.SQL({ url: address, max: 2 });

/** The headers of people who may write. */
async function findPeople(): Promise<Record<string, string>[]> {
  const database = await openGallery(address);
  const headers: Record<string, string>[] = [];
  for (let contributor = 1; contributor <= people; contributor++) {
    const account = { contributor, role: contributor === 1 ? 'moderator' : 'contributor', password: null };
    await database.transaction((transaction) =>
      transaction.insertMissing(accountTable, [
        { ...account, disabled: null, trusted: 1, looked_after_by: null } as never,
      ]),
    );
    const { secret } = await createKey(database, null, {
      contributor,
      name: 'bench',
      can_write: true,
      expires: () => null,
    });
    headers.push({ Authorization: `Token ${secret}`, 'Content-Type': 'application/json' });
  }
  await database.close();
  return headers;
}

/** With their indexes. */
async function readSizes(): Promise<Map<string, number>> {
  const rows = await sql`select relname, pg_total_relation_size(relid) as bytes from pg_stat_user_tables`;
  return new Map(
    rows.map(({ relname, bytes }: { relname: string; bytes: string }) => [relname, Number(bytes)]),
  );
}

/** Of all processes of PostgreSQL that are there now. */
const readPostgresSeconds = () =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .reduce((sum, pid) => {
      try {
        const [name = '', fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        const [user, system] = fields.split(' ').slice(11, 13).map(Number);
        return name.includes('(postgres') ? sum + ((user ?? 0) + (system ?? 0)) / 100 : sum;
      } catch {
        return sum;
      }
    }, 0);

class Writing {
  readonly latencies: number[] = [];
  readonly results = new Map<string, number>();
  readonly #own: number[][];
  #open = 0;

  constructor(
    private readonly server: string,
    private readonly headers: readonly Record<string, string>[],
    private readonly highest: number,
  ) {
    this.#own = headers.map(() => []);
  }

  /** Of a hundred writes, 45 create a project, 25 change one, 20 rate and 10 comment. */
  async write(): Promise<void> {
    const person = random(this.headers.length);
    const own = this.#own[person] ?? [];
    const kind = random(100);
    const known = own[random(own.length)];
    if (kind >= 70) {
      const id = random(100) < shareOfNewest ? this.highest - random(newestCount) : 1 + random(this.highest);
      if (kind >= 90)
        await this.#send(person, 'POST', `${id}/comments/`, { text: generateTexts(random).title });
      else await this.#send(person, 'PUT', `${id}/rating/`, { value: 1 + random(5) });
    } else if (kind >= 45 && known !== undefined)
      await this.#send(person, 'PATCH', `${known}/`, generateTexts(random));
    else {
      const body = {
        ...generateTexts(random),
        tags: ['kite', 'lamp'].slice(random(3)),
        visibility: 'public',
        status: 1,
      };
      const created = await this.#send(person, 'POST', '', body);
      if (created) own.push(created);
    }
  }

  async #send(person: number, method: string, path: string, body: object): Promise<number | undefined> {
    if (this.#open >= maxOpen) {
      this.#count('not sent');
      return undefined;
    }
    this.#open++;
    const startedAt = performance.now();
    try {
      const response = await fetch(`${this.server}/api/v1/projects/${path}`, {
        method,
        headers: this.headers[person] ?? {},
        body: JSON.stringify(body),
      });
      const { id } = (await response.json()) as { id?: number };
      this.latencies.push(performance.now() - startedAt);
      // Some projects are one's own, archived or in the trash.
      this.#count(
        [403, 404].includes(response.status) ? 'refused' : response.ok ? 'written' : `${response.status}`,
      );
      return response.ok ? id : undefined;
    } catch (error) {
      this.#count(String(error));
      return undefined;
    } finally {
      this.#open--;
    }
  }

  #count(result: string): void {
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
  }

  get written(): number {
    return this.results.get('written') ?? 0;
  }

  async finish(): Promise<void> {
    while (this.#open > 0) await Bun.sleep(10);
  }
}

async function timeRead(server: string, path: string): Promise<string> {
  const startedAt = performance.now();
  const response = await fetch(server + path);
  await response.arrayBuffer();
  const ms = (performance.now() - startedAt).toFixed(1);
  return response.ok ? ms : `${ms} (${response.status})`;
}

let received = 0;
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    received += (await request.text()).split('"sequence":').length - 1;
    return new Response(null, { status: 204 });
  },
});

const headers = await findPeople();
const [owner] = await sql`select username from contributor where id = 1`;
await runCommand(
  buildVitrineCommand(
    ...[
      'webhook',
      'add',
      owner.username,
      `http://127.0.0.1:${receiver.port}/`,
      'http://localhost',
      'gallery',
    ],
    ...['--webhook-allow-network', '127.0.0.1', '--database', address],
  ),
);
await sql`update webhook set concurrency = 8, batch_size = 100`;
const startedAt = performance.now();
const server = await startProcess(
  buildVitrineCommand(
    ...['serve', '--port', '0', '--read-limit', 'off', '--write-limit', 'off', '--project-quota', 'off'],
    ...['--webhook-allow-network', '127.0.0.1', '--database', address],
    ...options,
  ),
);
const origin = `http://127.0.0.1:${server.port}`;
await fetch(`${origin}/api/v1/projects/1/`);
console.log(`First response ${Math.round(performance.now() - startedAt)} ms after the start.`);
const [{ highest }] = await sql`select max(id) as highest from project`;
const writing = new Writing(origin, headers, Number(highest));

console.log('\n|  | First, ms | After a change, ms |\n|---|--:|--:|');
for (const [label, path] of reads) {
  const first = await timeRead(origin, path);
  await writing.write();
  console.log(`| ${label} | ${first} | ${await timeRead(origin, path)} |`);
}

// A stream of all changes.
let events = 0;
const stream = await fetch(`${origin}/api/v1/changes/stream/`, { headers: headers[0] ?? {} });
void (async () => {
  for await (const chunk of stream.body ?? [])
    events += new TextDecoder().decode(chunk).split('\nid:').length - 1;
})().catch(() => {});

const [sizes, before, cpu, ofPostgres] = [
  await readSizes(),
  writing.written,
  readProcessorSeconds(server),
  readPostgresSeconds(),
];
writing.latencies.length = 0;
const command = beside ? spawn(['sh', '-c', beside], { stdout: 'inherit', stderr: 'inherit' }) : undefined;
const begun = performance.now();
let memory = 0;
const elapsed = () => (performance.now() - begun) / 1000;
const isOver = () => (command ? command.exitCode !== null : elapsed() >= seconds);
for (let sent = 0, minute = 1; !isOver(); ) {
  for (; sent < elapsed() * rate; sent++) void writing.write();
  await Bun.sleep(5);
  if (elapsed() < minute * 60) continue;
  memory = Math.max(memory, readResidentMegabytes(server).own);
  const soFar = (writing.written - before) / elapsed();
  console.log(
    `After ${minute++} min: ${soFar.toFixed(0)} writes/s, longest ${Math.max(...writing.latencies).toFixed(0)} ms`,
  );
}
const took = elapsed();
await writing.finish();
memory = Math.max(memory, readResidentMegabytes(server).own);
const written = writing.written - before;
const share = (amount: number) => `${Math.round((amount / took) * 100)} % of a core`;
console.log(`\n${written} writes in ${took.toFixed(0)} s: ${(written / took).toFixed(0)} a second.`);
console.log(`All results: ${JSON.stringify([...writing.results])}`);
const points = [0.5, 0.9, 0.99, 0.999, 1 - 1e-9].map((point) =>
  percentile(writing.latencies, point).toFixed(0),
);
console.log(`Milliseconds (50, 90, 99, 99.9 %, longest): ${points.join(', ')}`);
console.log(
  `Server ${share(readProcessorSeconds(server) - cpu)}, ${memory.toFixed(0)} MB at most; PostgreSQL ${share(readPostgresSeconds() - ofPostgres)}.`,
);
await Bun.sleep(5000);
console.log(`Events: ${received} by the webhook, ${events} by the stream.`);
console.log('\n| Table | Bytes for each write |\n|---|--:|');
for (const [table, bytes] of await readSizes()) {
  const grown = (bytes - (sizes.get(table) ?? 0)) / Math.max(1, written);
  if (grown >= 1) console.log(`| ${table} | ${grown.toFixed(0)} |`);
}
await server.stop();
await receiver.stop(true);
await sql.close();
process.exit(0);
