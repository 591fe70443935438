// Two server processes read from two replicas, one of which freezes and one is killed: npm run test:scale.

import { expect, test } from 'bun:test';
import { closeLater } from '../support/closing.ts';
import { temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Server, serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { waitFor } from '../support/waiting.ts';
import { noLimits } from '../support/workers.ts';
import { scaled } from './size.ts';

const pairs = scaled(2000);
const clients = 8;
/** What visitors see is at most so old: see database.ts in packages/sql/src/postgres/. */
const maxStalenessMs = 500;

interface Site {
  readonly primary: PostgresServer;
  readonly replicas: readonly PostgresServer[];
  readonly servers: readonly Server[];
  readonly headers: Record<string, string>;
}

async function startSite(replicaCount: number, serverCount: number): Promise<Site> {
  const primary = await PostgresServer.start();
  const database = primary.address();
  await vitrineWithInput('correct horse battery', 'user', 'add', 'ada', '--database', database);
  const key = await vitrine('key', 'add', 'ada', 'test', 'write', '--database', database);
  const replicas: PostgresServer[] = [];
  for (let count = 0; count < replicaCount; count++) replicas.push(await primary.startReplica());
  closeLater(() => Promise.all([primary, ...replicas].map((server) => server.stop())));
  const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits];
  const addresses = replicas.flatMap((replica) => ['--replica', replica.address()]);
  const servers = await Promise.all(
    Array.from({ length: serverCount }, () => serve(...options, ...addresses)),
  );
  const headers = { Authorization: `Token ${key.out.trim()}`, 'Content-Type': 'application/json' };
  for (const replica of replicas) await untilInUse(servers, replica);
  return { primary, replicas, servers, headers };
}

/** What the server has said about the use of a replica. */
const notesOf = ({ lines }: Server, { port }: PostgresServer): string[] =>
  lines
    .filter((line) => line.includes(`replica 127.0.0.1:${port} is `))
    .map((line) => JSON.parse(line).message);

const untilInUse = (servers: readonly Server[], replica: PostgresServer) =>
  waitFor(() => servers.every((server) => notesOf(server, replica).at(-1)?.endsWith('is in use.')));

const untilOutOfUse = (servers: readonly Server[], replica: PostgresServer) =>
  waitFor(() => servers.every((server) => notesOf(server, replica).at(-1)?.includes('is out of use: ')));

const projectsOf = (server: Server | undefined) => `${server?.address}/api/v1/projects/`;

async function create({ servers, headers }: Site, title: string): Promise<number> {
  const body = JSON.stringify({ title, content_type: 'text', text: 'x' });
  const response = await fetch(projectsOf(servers[0]), { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

async function rename({ headers }: Site, server: Server | undefined, id: number, title: string) {
  const options = { method: 'PATCH', headers, body: JSON.stringify({ title }) };
  const response = await fetch(`${projectsOf(server)}${id}/`, options);
  await response.text();
  return response.status;
}

/** How many queries a server has run for Vitrine: each is a transaction. */
const countReads = async (server: PostgresServer) =>
  Number(
    (await server.query('select xact_commit from pg_stat_database where datname = current_database()'))[0]
      ?.xact_commit,
  );

test('what was written is read at once from another process, while one replica freezes and one is killed', async () => {
  const site = await startSite(2, 2);
  const { servers, replicas, headers } = site;
  const [frozen, killed] = replicas as [PostgresServer, PostgresServer];
  const failed: string[] = [];
  let done = 0;
  const run = async (client: number) => {
    const id = await create(site, `Of ${client}`);
    const paths = [
      `${id}/?fields=title`,
      '?fields=title&page_size=20',
      `?fields=title&search=client${client}`,
    ];
    for (let round = 1; done < pairs; round++) {
      const title = `client${client} ${round}`;
      const status = await rename(site, servers[round % 2], id, title);
      if (status !== 200) failed.push(`write: ${status}`);
      const path = paths[round % paths.length];
      const response = await fetch(`${projectsOf(servers[(round + 1) % 2])}${path}`, { headers });
      const text = await response.text();
      if (!text.includes(`"title":"${title}"`))
        failed.push(`${path} of ${title}: ${response.status} ${text}`);
      done++;
    }
  };
  const load = Array.from({ length: clients }, (_, client) => run(client));
  await waitFor(() => done > pairs / 5);
  expect(await countReads(frozen)).toBeGreaterThan(pairs / 10);

  // On a busy machine, a replica may also be out of use for another reason, and at other times.
  frozen.signal('SIGSTOP');
  await untilOutOfUse(servers, frozen);
  await waitFor(() => done > (pairs * 2) / 5);
  killed.signal('SIGKILL');
  await waitFor(() => done > (pairs * 3) / 5);
  await untilOutOfUse(servers, killed);
  frozen.signal('SIGCONT');
  await untilInUse(servers, frozen);
  await Promise.all(load);
  expect(failed).toEqual([]);
});

test('a replica that lags never puts old data under a new generation, and what visitors see is half a second old at most', async () => {
  const site = await startSite(1, 2);
  const { servers, replicas } = site;
  const [replica] = replicas as [PostgresServer];
  const id = await create(site, 'Round 0');
  const paths = [`${id}/`, `${id}/?fields=title`, '', '?fields=title', '?search=round', '?content_type=text'];
  const readAll = (server: Server | undefined) =>
    Promise.all(
      paths.map(async (path) => {
        const response = await fetch(projectsOf(server) + path);
        return /"title":"([^"]*)"/.exec(await response.text())?.[1] ?? response.status;
      }),
    );
  for (let round = 1; round <= scaled(8); round++) {
    await replica.query('select pg_wal_replay_pause()');
    const title = `Round ${round}`;
    const all = paths.map(() => title);
    expect(await rename(site, servers[0], id, title)).toBe(200);
    const writtenAt = performance.now();
    // The process that wrote knows at once.
    expect(await readAll(servers[0])).toEqual(all);
    // Another one may show what it has cached, until it is too old.
    await waitFor(async () => {
      const isLate = performance.now() - writtenAt >= maxStalenessMs;
      const titles = await readAll(servers[1]);
      if (isLate) expect(titles).toEqual(all);
      return Bun.deepEquals(titles, all);
    });
    await untilOutOfUse(servers, replica);
    expect(await readAll(servers[1])).toEqual(all);
    await replica.query('select pg_wal_replay_resume()');
    await untilInUse(servers, replica);
    expect([await readAll(servers[0]), await readAll(servers[1])]).toEqual([all, all]);
  }
  for (const server of servers)
    expect(notesOf(server, replica)).toContain(
      `The replica 127.0.0.1:${replica.port} is out of use: it lags behind.`,
    );
});
