// Servers as an operator runs them, with many who write: who was answered finds what they wrote.

import { expect, test } from 'bun:test';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Server, serve, vitrine } from '../support/server.ts';
import { ada, contributor, dump, project, siteAt } from '../support/site.ts';

const limits = ['--read-limit', 'off', '--write-limit', 'off'];

interface Record {
  id: number;
  title: string;
  rating_count: number;
  rating_sum: number;
}

/** The status and the body; undefined when the connection ended without an answer. */
async function send(
  server: Server,
  headers: { [name: string]: string },
  method: string,
  path: string,
  body: unknown,
): Promise<{ status: number; body: Record } | undefined> {
  try {
    const response = await fetch(`${server.address}/api/v1/projects/${path}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record };
  } catch {
    return undefined;
  }
}

async function everything(server: Server): Promise<Record[]> {
  const found: Record[] = [];
  let next: string | null = `${server.address}/api/v1/projects/?page_size=100`;
  while (next) {
    const page = (await (await fetch(next)).json()) as { next: string | null; results: Record[] };
    found.push(...page.results);
    next = page.next;
  }
  return found;
}

onBothDatabases((kind) => {
  test('a server that is stopped while writes wait has done every write that it answered', async () => {
    const database = await emptyDatabase(kind);
    const site = await siteAt(database, { dump: dump(ada) });
    const headers = await site.key('ada');
    await site.close();
    const server = await serve('--database', database, ...limits);
    let stopped: Promise<number> | undefined;
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const answer = await send(server, headers, 'POST', '', { title: `Number ${index}` });
        stopped ??= server.stop();
        return answer;
      }),
    );
    const code = await stopped;
    const again = await serve('--database', database, ...limits);
    const there = (await everything(again)).map(({ title }) => title);
    await again.stop();

    const done = answers.flatMap((answer) => (answer?.status === 201 ? [answer.body.title] : []));
    const others = answers.filter((answer) => answer && answer.status !== 201);
    expect([code, others]).toEqual([0, []]);
    expect(done.filter((title) => !there.includes(title))).toEqual([]);
    expect(done.length).toBeGreaterThan(1);
  });
});

test('two servers write to one SQLite file, and no write is lost', async () => {
  const database = temporaryPath('shared.sqlite');
  const raters = Array.from({ length: 8 }, (_, index) => contributor(index + 2, `rater${index}`));
  const site = await siteAt(database, { dump: dump(ada, ...raters, project(1)) });
  const keys: { [name: string]: string }[] = [];
  for (const index of raters.keys()) keys.push(await site.key(`rater${index}`));
  await site.close();
  const servers = await Promise.all([1, 2].map(() => serve('--database', database, ...limits)));
  const made: string[] = [];
  const given = new Map<number, number>();
  const odd = new Set<number | undefined>();
  await Promise.all(
    keys.map(async (headers, index) => {
      for (let turn = 0; turn < 40; turn++) {
        const server = servers[(index + turn) % 2] as Server;
        const title = `Number ${turn} of ${index}`;
        const value = 1 + ((turn + index) % 5);
        const [creation, rating] = await Promise.all([
          send(server, headers, 'POST', '', { title }),
          send(server, headers, 'PUT', '1/rating/', { value }),
        ]);
        if (creation?.status === 201) made.push(title);
        if (rating?.status === 200) given.set(index, value);
        for (const status of [creation?.status, rating?.status])
          if (status !== 201 && status !== 200) odd.add(status);
      }
    }),
  );
  const [one, other] = await Promise.all(servers.map(everything));
  await Promise.all(servers.map((server) => server.stop()));
  const { out } = await vitrine('check', '--database', database);

  const titles = (records: Record[] = []) => records.map(({ title }) => title).sort();
  expect([...odd].filter((status) => status !== 503)).toEqual([]);
  expect(titles(one)).toEqual(['A thing', ...made].sort());
  expect(titles(other)).toEqual(titles(one));
  expect(one?.find(({ id }) => id === 1)).toMatchObject({
    rating_count: 8,
    rating_sum: [...given.values()].reduce((sum, value) => sum + value, 0),
  });
  expect(out).toBe('All is well.\n');
  expect(made.length).toBeGreaterThan(8);
});
