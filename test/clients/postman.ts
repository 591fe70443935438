// npm run test:clients: the commands of docs/api/postman.md for Postman, on the document of a server.

import { expect, test } from 'bun:test';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';

const page = await Bun.file(join(import.meta.dir, '../../docs/api/postman.md')).text();
const commands = page.match(/^npx (?:openapi2postmanv2|newman) .*$/gm) ?? [];
const script = /^```js\n(.*?)^```$/ms.exec(page)?.[1];
const bodies = Array.from(page.matchAll(/`(\{"\w+": ".*?"\})`/g), ([, body]) => body);

/** A request of a collection, as far as the test changes it. */
interface Item {
  readonly name: string;
  readonly request: {
    readonly body: { raw?: string };
    readonly url: { readonly variable: { value: string }[] };
  };
}

interface Collection {
  readonly item: { readonly name: string; readonly item: Item[] }[];
}

/** The documented commands in a folder of their own, and the requests that newman shows. */
async function prepare(document: unknown) {
  const folder = temporaryPath('postman');
  mkdirSync(folder);
  symlinkSync(join(import.meta.dir, 'node_modules'), join(folder, 'node_modules'));
  await Bun.write(join(folder, 'openapi.json'), JSON.stringify(document));
  const shell = async (command = '') => {
    const local = command.replace('npx ', 'node node_modules/.bin/');
    const { exitCode, stdout } = await Bun.$`sh -c ${local}`.cwd(folder).nothrow().quiet();
    const requests = stdout.toString().matchAll(/^ +[└ ]*(\w+) http:\/\/[^/]+(\S+) \[(\d+)/gm);
    return { exitCode, requests: Array.from(requests, ([, ...parts]) => parts.join(' ')) };
  };
  return { path: join(folder, 'collection.json'), shell };
}

test.each(['', '?openapi=3.0'])('newman runs the collection of the converter %s', async (query) => {
  const site = await siteOn('SQLite', { dump: dump(ada, project(1, { tags: ['kite'] })) });
  const adas = await person(site, 'ada');
  const { Authorization = '' } = await adas.key();
  const document = await adas.json<object>(`/api/v1/schema/${query}`);
  const { path, shell } = await prepare({ ...document, servers: [{ url: site.serve() }] });

  const [convert, run = ''] = commands;
  expect((await shell(convert)).exitCode).toBe(0);
  const runWithKey = run.replace('YOUR_KEY', Authorization.replace('Token ', ''));
  const listed = await shell(runWithKey);
  expect(listed).toEqual({
    exitCode: 0,
    requests: [
      'GET /api/v1/projects/ 200',
      'GET /api/v1/tags/ 200',
      // The converter chooses one of the formats.
      expect.stringMatching(/^GET \/api\/v1\/tags\.(csv|ndjson) 200$/),
    ],
  });

  // As the page says: bodies and an id by hand, and a script that checks the status.
  const collection: Collection = await Bun.file(path).json();
  const projects = collection.item.find(({ name }) => name === 'projects')?.item ?? [];
  const find = (start: string) =>
    projects.find(({ name }) => page.includes(`"${name}"`) && name.startsWith(start));
  const [create, change] = [find('Creates'), find('Changes')];
  if (!create || !change) throw new Error('The requests of the page are missing.');
  [create.request.body.raw, change.request.body.raw] = bodies;
  for (const variable of change.request.url.variable) variable.value = '2';
  const event = [{ listen: 'test', script: { exec: [script] } }];
  await Bun.write(path, JSON.stringify({ ...collection, event }));
  const only = (command: string, ...names: string[]) =>
    shell(command.replace(/--folder.*$/, names.map((name) => `--folder "${name}"`).join(' ')));
  expect(await only(runWithKey, create.name, change.name)).toEqual({
    exitCode: 0,
    requests: ['POST /api/v1/projects/ 201', 'PATCH /api/v1/projects/2/ 200'],
  });
  expect(await adas.json('/api/v1/projects/2/')).toMatchObject({ title: 'Red kite', text: 'It flies.' });
  expect(await only(run, create.name)).toEqual({ exitCode: 1, requests: ['POST /api/v1/projects/ 401'] });
});
