// The command `serve` from start to stop: the demo, the log, operator mistakes, and a database that goes away.

import { Database } from 'bun:sqlite';
import { describe, expect, spyOn, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { openGallery } from '../../src/core/open-gallery.ts';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Server, serve, vitrine, vitrineWithInput, writtenTo } from '../support/server.ts';
import { dump } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

interface ProjectList {
  count: number;
  results: { id: number }[];
}

const listProjects = async (address: string, query = '') =>
  (await (await fetch(`${address}/api/v1/projects/${query}`)).json()) as ProjectList;

onBothDatabases((kind) => {
  test('processes that start together on an empty database import the demo once, which is the same after a restart', async () => {
    const options = ['--demo', '--database', await emptyDatabase(kind), '--files', temporaryPath('files')];
    const servers = await Promise.all([1, 2].map(() => serve(...options)));
    const listAll = async ({ address }: Server) =>
      JSON.stringify(await listProjects(address)).replaceAll(address, '');
    const [list = '', ...others] = await Promise.all(servers.map(listAll));
    expect(others).toEqual([list]);

    const [{ address }] = servers as [Server];
    const types = ['text', 'photo', 'question', 'link', 'video', 'quote', 'document', 'comment'];
    const counts = await Promise.all(
      types.map(async (type) => (await listProjects(address, `?content_type=${type}`)).count),
    );
    expect(counts.filter((count) => count < 4)).toEqual([]);
    const { count, results } = JSON.parse(list) as ProjectList;
    expect([count, results.length]).toEqual([counts.reduce((sum, count) => sum + count), 20]);

    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);
    expect(await listAll(await serve(...options))).toBe(list);
  });

  test('a command that reads a gallery makes none where there is none', async () => {
    const database = await emptyDatabase(kind);
    const folder = temporaryPath('mistyped');
    mkdirSync(folder);
    const sentence =
      kind === 'SQLite' ? `There is no file ${database}.` : 'There is no gallery in the database.';
    const commands = [
      ['backup', `${folder}/backups`],
      ['export', `${folder}/gallery.ndjson`],
      ['check'],
      ['public-dump'],
      ['user', 'list'],
      ['key', 'list', 'ada'],
      ['webhook', 'list'],
      ['site', 'show'],
    ];
    for (const command of commands)
      expect([command, await vitrine(...command, '--database', database)]).toEqual([
        command,
        { code: 2, out: '', error: `vitrine: ${sentence}\n` },
      ]);
    expect(await vitrine('copy', '--from', database, '--to', `${folder}/new.sqlite`)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: ${sentence}\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(database)).toBe(false);
  });
});

test('the demo is not mixed with a gallery of one’s own, and the log says so', async () => {
  const database = ['--database', temporaryPath('own.sqlite')];
  await vitrineWithInput('analytical engine\n', 'user', 'add', 'ada', ...database);
  const server = await serve('--demo', ...database);
  expect((await listProjects(server.address)).count).toBe(0);
  await waitFor(() =>
    server.lines.some((line) => line.includes('The gallery is not empty, so --demo has added nothing.')),
  );
});

test('the first line of the log names an address that the server serves', async () => {
  const firstAddress = async (...hosts: string[]) => {
    const options = hosts.flatMap((host) => ['--allowed-host', host]);
    const server = await serve('--database', temporaryPath('named.sqlite'), ...options);
    await server.stop();
    return server.lines[0]?.match(/at (\S+):\d+\/ \(/)?.[1];
  };
  expect(
    await Promise.all([
      firstAddress(),
      firstAddress('.gallery.example', 'gallery.example'),
      firstAddress('gallery.example', 'localhost'),
      firstAddress('*'),
    ]),
  ).toEqual(['http://localhost', 'http://gallery.example', 'http://localhost', 'http://localhost']);
});

test('each request has one line in the log, with the id that is in its response', async () => {
  const server = await serve('--database', temporaryPath('log.sqlite'));
  const responses: Response[] = [];
  for (const path of ['/api/v1/', '/api/v1/projects/1/', '/api/v1/?page="x"\\'])
    responses.push(await fetch(server.address + path));
  await server.stop();

  const entries = server.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ message }) => message === undefined);
  expect(entries).toEqual(
    responses.map(({ headers, url, status }) => ({
      time: expect.any(Number),
      level: 'info',
      id: headers.get('X-Request-Id'),
      method: 'GET',
      path: url.slice(server.address.length),
      status,
      us: expect.any(Number),
    })),
  );
});

describe('an operator mistake is reported in one sentence with exit code 2:', () => {
  const folder = temporaryPath('folder');
  mkdirSync(folder);
  const text = temporaryPath('text.sqlite');
  writeFileSync(text, 'This is not a database, but it is long enough to look like one. '.repeat(100));
  const recipes = temporaryPath('recipes.sqlite');
  const otherProgram = new Database(recipes, { create: true });
  otherProgram.run('create table recipe (id integer primary key)');
  otherProgram.close();

  const mistakes: [mistake: string, args: string[], sentence: string][] = [
    ['an unknown command', ['launch'], 'There is no command "launch". See vitrine help.'],
    ['an unknown option', ['serve', '--colour', 'red'], "Unknown option '--colour'. See vitrine help."],
    [
      'a port that is not a number',
      ['serve', '--port', 'http'],
      '--port must be a whole number from 0 to 65535; it was "http".',
    ],
    [
      'a port that is too large',
      ['serve', '--port', '65536'],
      '--port must be a whole number from 0 to 65535; it was "65536".',
    ],
    [
      'an unknown time zone',
      ['serve', '--time-zone', 'Mars'],
      '--time-zone must be a time zone such as UTC or Europe/Berlin; it was "Mars".',
    ],
    [
      'a host with a port',
      ['serve', '--allowed-host', 'example.org:80'],
      '--allowed-host must be host names without a port, which "example.org:80" is not; it was "example.org:80".',
    ],
    [
      'an invalid network',
      ['serve', '--trusted-proxy', '10.0.0.0/99'],
      '--trusted-proxy must be addresses or networks such as 10.0.0.0/8, which "10.0.0.0/99" is not; it was "10.0.0.0/99".',
    ],
    [
      'an origin with a path',
      ['serve', '--cors-origin', 'https://app.example', '--cors-origin', 'https://b.example/app'],
      '--cors-origin must be origins such as https://app.example.org, without a path, or *, which "https://b.example/app" is not; it was "https://app.example,https://b.example/app".',
    ],
    [
      'a database path that is a folder',
      ['serve', '--database', folder],
      `The database ${folder} is a folder.`,
    ],
    [
      'a database in a folder that does not exist',
      ['serve', '--database', `${folder}/no/x.sqlite`],
      `The folder of the database ${folder}/no/x.sqlite does not exist.`,
    ],
    ['a file that is not a database', ['serve', '--database', text], `The file ${text} is not a database.`],
    [
      'a database of another program',
      ['serve', '--database', recipes],
      `The file ${recipes} is a database of another program.`,
    ],
    [
      'an unknown kind of database',
      ['serve', '--database', 'mysql://localhost/x'],
      "The database must be a file's path or start with postgres://, not mysql:.",
    ],
    [
      'a PostgreSQL server that does not run',
      ['serve', '--database', 'postgres://me:secret@127.0.0.1:1/x'],
      'The PostgreSQL server at 127.0.0.1:1/x cannot be used: Failed to connect.',
    ],
    [
      'several PostgreSQL servers that do not run',
      ['export', '-', '--database', 'postgres://me:secret@127.0.0.1:1,[::1]:2/x'],
      'No PostgreSQL server takes writes: 127.0.0.1:1: Failed to connect; [::1]:2: Failed to connect.',
    ],
    [
      'an address of a server that takes no writes',
      ['serve', '--database', 'postgres://localhost/x?target_session_attrs=standby'],
      'The database must take writes: target_session_attrs can only be read-write.',
    ],
    [
      'an address that is not a URL',
      ['serve', '--database', 'postgres://me:s%zz@127.0.0.1:1/x'],
      'The address of the PostgreSQL database cannot be read; it looks like postgres://user:password@host/name.',
    ],
    [
      'a database in memory',
      ['serve', '--database', ':memory:'],
      "The database must be a file's path or start with postgres://, not :.",
    ],
    ['an export to a folder', ['export', folder], `${folder} is a folder.`],
    ['an import without a file', ['import'], 'import needs a file; - is standard input.'],
    [
      'an import of a file that does not exist',
      ['import', `${folder}/none`],
      `There is no file ${folder}/none.`,
    ],
    ['an export without a file', ['export'], 'export needs one file; - is standard output.'],
  ];
  for (const [mistake, args, sentence] of mistakes) {
    test(mistake, async () => {
      expect(await vitrine(...args)).toEqual({ code: 2, out: '', error: `vitrine: ${sentence}\n` });
    });
  }

  test('an export to a path where no file can be created', async () => {
    expect(await vitrine('export', '/proc/none.ndjson')).toEqual({
      code: 2,
      out: '',
      error: expect.stringMatching(
        /^vitrine: \/proc\/none\.ndjson\.\w+\.unfinished cannot be used: (it is not there|check who may read and write there)\.\n$/,
      ),
    });
  });

  test('an address that is none of this machine', async () => {
    const database = ['--database', temporaryPath('elsewhere.sqlite')];
    for (const host of ['300.1.1.1', '192.0.2.1'])
      expect(await vitrine('serve', '--port', '0', '--host', host, ...database)).toEqual({
        code: 2,
        out: '',
        error: `vitrine: ${host} is no address of this machine: choose one with --host.\n`,
      });
  });

  test('a port that another program uses', async () => {
    const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    closeLater(async () => other.stop(true));
    const database = ['--database', temporaryPath('second.sqlite')];
    expect(await vitrine('serve', '--port', String(other.port), ...database)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: The port ${other.port} is taken: stop the other program or choose one with --port.\n`,
    });
  });

  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    test(`a ${kind} database of a newer version`, async () => {
      const database = await emptyDatabase(kind);
      await (await openGallery(database)).close();
      const newer = "insert into migration (number, name) values (99, 'from the future')";
      if (kind === 'SQLite') {
        const file = new Database(database);
        file.run(newer);
        file.close();
      } else await runInPostgres(database, newer);

      const { code, error } = await vitrine('serve', '--database', database);
      expect([code, error.replace(/up to \d+/, 'up to N')]).toEqual([
        2,
        'vitrine: The database has schema 99, this version of Vitrine knows up to N: start a newer version.\n',
      ]);
    });
  }

  test('a PostgreSQL database of another program', async () => {
    const database = await emptyDatabase('PostgreSQL');
    await runInPostgres(database, 'create table recipe (id int)');

    const { code, error } = await vitrine('serve', '--database', database);
    expect([code, error]).toEqual([2, expect.stringContaining('holds the tables of another program.')]);
  });
});

test('a command waits while another program prepares the new file', async () => {
  const database = temporaryPath('new.sqlite');
  writeFileSync(database, '', { mode: 0o600 });
  const other = new Database(database);
  other.run('begin immediate');
  const file = temporaryPath('empty.ndjson');
  writeFileSync(file, dump());
  using pauses = spyOn(Bun, 'sleep');
  const imported = vitrine('import', file, '--database', database);
  // The command has tried, and tries again.
  await waitFor(() => pauses.mock.calls.some(([ms]) => ms === 10));
  other.run('rollback');
  other.close();
  const error = `${file}: 0 contributors and 0 projects imported.\n${writtenTo(database)}`;
  expect(await imported).toEqual({ code: 0, out: '', error });
});

async function runInPostgres(database: string, statement: string): Promise<void> {
  const client = new Bun.SQL(database);
  await client.unsafe(statement);
  await client.close();
}

test('requests get 503 while PostgreSQL is down, and succeed again after its restart', async () => {
  const postgres = await PostgresServer.start();
  closeLater(() => postgres.stop());
  const server = await serve('--demo', '--database', postgres.address(), '--files', temporaryPath('files'));
  const get = async (path: string) => {
    const response = await fetch(server.address + path);
    return [response.status, response.headers.get('Retry-After'), (await response.text()).slice(0, 40)];
  };
  const found = [200, null, '{"id":1}'];
  const unavailable = [503, '1', '{"detail":"Service temporarily unavailab'];
  expect(await get('/api/v1/projects/1/?fields=id')).toEqual(found);

  await postgres.kill();
  // Cached responses may be used for a moment.
  await waitFor(async () => (await get('/api/v1/projects/1/?fields=id'))[0] !== 200);
  expect(await get('/api/v1/projects/1/?fields=id')).toEqual(unavailable);
  expect(await get('/api/v1/projects/2/?fields=id')).toEqual(unavailable);
  expect(await get('/readyz')).toEqual([503, null, '{"status":"the database does not answer"']);
  expect(await get('/livez')).toEqual([200, null, '{"status":"alive"}']);

  await postgres.restart();
  await waitFor(async () => (await get('/api/v1/projects/1/?fields=id'))[0] === 200);
  expect(await get('/api/v1/projects/1/?fields=id')).toEqual(found);
});

test('an address of Redis that cannot be read, or that has a password, is refused', async () => {
  expect(await vitrine('serve', '--redis', 'http://127.0.0.1')).toEqual({
    code: 2,
    out: '',
    error: 'vitrine: --redis must be an address such as redis://user:password@host:6379 or rediss://….\n',
  });
  expect((await vitrine('serve', '--redis', 'redis://:secret@host')).error).toBe(
    'vitrine: --redis holds a password, which others on this machine could read: set VITRINE_REDIS instead.\n',
  );
});
