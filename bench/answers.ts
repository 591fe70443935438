// Answers that nobody has asked for before, on both databases: records, lists, and pages that are rendered anew. With BEFORE=FOLDER,
// the version in that folder takes turns with this one, on the same data.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  buildUncachedRecordRequest,
  buildUncachedRequest,
  type Candidate,
  type Cost,
  measureCosts,
  readLines,
  writeScript,
} from './load.ts';
import { buildVitrineCommand, runCommand, type ServerProcess, startServer } from './process.ts';

const rounds = 7;
const connections = 32;
const password = crypto.randomUUID();

interface Galleries {
  readonly folder: string;
  readonly sqlite: string;
  readonly postgres: string;
}

interface MeasuredAnswer {
  readonly label: string;
  readonly cost: Cost | undefined;
}

export async function measureAnswers({ folder, sqlite, postgres }: Galleries): Promise<MeasuredAnswer[]> {
  for (const database of [sqlite, postgres])
    await runCommand(buildVitrineCommand('user', 'add', 'reader', '--database', database), `${password}\n`);
  const { BEFORE } = process.env;
  const versions = [...(BEFORE ? [['before', resolve(BEFORE)] as const] : []), ['now', undefined] as const];
  const byAnswer = new Map<string, Candidate[]>();
  for (const [version, checkout] of versions) {
    // A file of its own: two servers on one file would wait for each other.
    const file = join(folder, `answers-${version}.sqlite`);
    copyFileSync(sqlite, file);
    for (const [name, database] of [
      ['SQLite', file],
      ['PostgreSQL', postgres],
    ] as const) {
      const server = await startServer(database, checkout);
      for (const [answer, request] of Object.entries(await requestsFor(server, folder))) {
        const script = writeScript(folder, `${name}-${answer}-${version}`.replaceAll(/\W+/g, '-'), request);
        const candidate = { name: `${answer}, ${name}, ${version}`, server, script, connections };
        byAnswer.getOrInsertComputed(`${answer}, ${name}`, () => []).push(candidate);
      }
    }
  }
  const costs = await measureCosts([...byAnswer.values()].flat(), rounds, 1);
  return Object.entries(costs).map(([label, cost]) => ({ label, cost }));
}

async function requestsFor({ port }: ServerProcess, folder: string): Promise<Record<string, string>> {
  const origin = `http://localhost:${port}`;
  const { results } = (await (await fetch(`${origin}/api/v1/projects/?page_size=100`)).json()) as {
    results: { html_url: string }[];
  };
  const paths = join(folder, 'answers-paths.txt');
  writeFileSync(paths, results.map(({ html_url }) => new URL(html_url).pathname).join('\n'));
  const session = await fetch(`${origin}/api/v1/auth/session/`, {
    method: 'POST',
    body: JSON.stringify({ username: 'reader', password }),
    headers: { 'Content-Type': 'application/json' },
  });
  const cookies = session.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const page = (headers: string) => `${readLines('paths', paths)}
  return wrk.format('GET', paths[math.random(1, #paths)] .. '?n=' .. n${headers})`;
  return {
    'a record': buildUncachedRecordRequest(10_000),
    'a list of 20 by -karma': buildUncachedRequest('/api/v1/projects/?ordering=-karma'),
    'page 400 by title': buildUncachedRequest('/api/v1/projects/?ordering=title&page=400'),
    'a project’s page': page(''),
    'the same, signed in': page(`, { ['Cookie'] = '${cookies.join('; ')}' }`),
    'the home page': buildUncachedRequest('/?page=1'),
  };
}
