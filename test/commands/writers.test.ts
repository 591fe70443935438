// Servers to which many clients write at once: each write that a server acknowledged is stored.

import { expect, test } from 'bun:test';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Server, serve, vitrine } from '../support/server.ts';
import { ada, contributor, dump, project, siteAt } from '../support/site.ts';
import { limitTime } from '../support/waiting.ts';

const limits = ['--read-limit', 'off', '--write-limit', 'off'];

type RequestHeaders = Record<string, string>;

interface ProjectResponse {
  id: number;
  title: string;
  rating_count: number;
  rating_sum: number;
}

/** The status, or undefined if the connection ended without a response. */
async function send(
  server: Server,
  headers: RequestHeaders,
  method: string,
  path: string,
  body: unknown,
): Promise<number | undefined> {
  try {
    const response = await fetch(`${server.address}/api/v1/projects/${path}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.json();
    return response.status;
  } catch {
    return undefined;
  }
}

async function readAllProjects(server: Server): Promise<ProjectResponse[]> {
  const projects: ProjectResponse[] = [];
  let next: string | null = `${server.address}/api/v1/projects/?page_size=100`;
  while (next) {
    const page = (await (await fetch(next)).json()) as { next: string | null; results: ProjectResponse[] };
    projects.push(...page.results);
    next = page.next;
  }
  return projects;
}

const titlesOf = (projects: ProjectResponse[]) => projects.map(({ title }) => title).sort();

onBothDatabases((kind) => {
  test('a server that is stopped while writes wait stores every write that it acknowledges', async () => {
    const database = await emptyDatabase(kind);
    const site = await siteAt(database, { dump: dump(ada) });
    const headers = await site.key('ada');
    await site.close();

    limitTime('drain', 1500);
    const server = await serve('--database', database, ...limits);
    let stopped: Promise<number> | undefined;
    const acknowledged: string[] = [];
    const otherStatuses: number[] = [];
    const create = async (title: string) => {
      const status = await send(server, headers, 'POST', '', { title });
      stopped ??= server.stop();
      if (status === 201) acknowledged.push(title);
      else if (status !== undefined) otherStatuses.push(status);
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => create(`Number ${index}`)));
    expect(await stopped).toBe(0);
    expect(otherStatuses).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(1);

    const restarted = await serve('--database', database, ...limits);
    const stored = titlesOf(await readAllProjects(restarted));
    expect(acknowledged.filter((title) => !stored.includes(title))).toEqual([]);
  });
});

test('two servers write to one SQLite file, and no write is lost', async () => {
  const database = temporaryPath('shared.sqlite');
  const raters = Array.from({ length: 8 }, (_, index) => `rater${index}`);
  const lines = raters.map((username, index) => contributor(index + 2, username));
  const site = await siteAt(database, { dump: dump(ada, ...lines, project(1)) });
  const keys: RequestHeaders[] = [];
  for (const username of raters) keys.push(await site.key(username));
  await site.close();

  const [first, second] = await Promise.all([
    serve('--database', database, ...limits),
    serve('--database', database, ...limits),
  ]);
  const createdTitles: string[] = [];
  const latestRatings = new Map<number, number>();
  const otherStatuses = new Set<number | undefined>();
  /** Each rater creates 15 projects, and rates project 1 as often, at both servers in turn. */
  const write = async (headers: RequestHeaders, rater: number) => {
    for (let round = 0; round < 15; round++) {
      const server = (rater + round) % 2 === 0 ? first : second;
      const title = `Number ${round} of ${rater}`;
      const value = 1 + ((round + rater) % 5);
      const [creation, rating] = await Promise.all([
        send(server, headers, 'POST', '', { title }),
        send(server, headers, 'PUT', '1/rating/', { value }),
      ]);
      if (creation === 201) createdTitles.push(title);
      else otherStatuses.add(creation);
      if (rating === 200) latestRatings.set(rater, value);
      else otherStatuses.add(rating);
    }
  };
  await Promise.all(keys.map(write));
  expect([...otherStatuses].filter((status) => status !== 503)).toEqual([]);
  expect(createdTitles.length).toBeGreaterThan(8);

  const projects = await readAllProjects(first);
  expect(titlesOf(projects)).toEqual(['A project', ...createdTitles].sort());
  expect(projects.find(({ id }) => id === 1)).toMatchObject({
    rating_count: 8,
    rating_sum: [...latestRatings.values()].reduce((sum, value) => sum + value, 0),
  });
  expect(titlesOf(await readAllProjects(second))).toEqual(titlesOf(projects));

  await first.stop();
  await second.stop();
  expect(await vitrine('check', '--database', database)).toMatchObject({ code: 0, out: 'All is well.\n' });
});
