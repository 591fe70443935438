import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { serve, vitrine } from '../support/server.ts';

interface Page {
  count: number;
  results: { id: number }[];
}

const page = async (address: string, query = '') =>
  (await (await fetch(`${address}/api/v1/projects/${query}`)).json()) as Page;

onBothDatabases((kind) => {
  test('the demo is a small gallery with every type, the same each time it is started', async () => {
    const [database, files] = [await emptyDatabase(kind), temporaryPath('files')];
    const first = await serve('--demo', '--database', database, '--files', files);
    const types = ['text', 'photo', 'question', 'link', 'video', 'quote', 'document', 'comment'];
    const counts = await Promise.all(
      types.map(async (type) => (await page(first.address, `?content_type=${type}`)).count),
    );
    const newest = await page(first.address);
    const code = await first.stop();
    const second = await serve('--demo', '--database', database, '--files', files);
    const again = await page(second.address);
    await second.stop();

    expect(code).toBe(0);
    expect(counts.every((count) => count >= 4)).toBe(true);
    expect(newest.count).toBe(counts.reduce((sum, count) => sum + count));
    expect(newest.results).toHaveLength(20);
    expect(again.count).toBe(newest.count);
  });

  test('two processes that start at once on an empty database make it once, and both serve it', async () => {
    const [database, files] = [await emptyDatabase(kind), temporaryPath('files')];
    const servers = await Promise.all(
      [1, 2, 3].map(() => serve('--demo', '--database', database, '--files', files)),
    );
    const counts = await Promise.all(servers.map(async ({ address }) => (await page(address)).count));
    await Promise.all(servers.map((server) => server.stop()));

    expect(counts).toEqual(Array(3).fill(54));
  });
});

test('each request has one line in the log, with the id that its answer carries', async () => {
  const server = await serve('--database', temporaryPath('log.sqlite'));
  const answers = [];
  for (const path of ['/api/v1/', '/api/v1/projects/1/', '/api/v1/?q="x"\\'])
    answers.push(await fetch(server.address + path));
  await server.stop();

  const entries = server.lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toEqual(
    answers.map((answer) => ({
      time: expect.any(Number),
      id: answer.headers.get('X-Request-Id'),
      method: 'GET',
      path: answer.url.slice(server.address.length),
      status: answer.status,
      us: expect.any(Number),
    })),
  );
});

describe('a mistaken command gets one plain sentence and exit code 2:', () => {
  const folder = temporaryPath('folder');
  mkdirSync(folder);
  const text = temporaryPath('text.sqlite');
  writeFileSync(text, 'This is not a database, but it is long enough to look like one. '.repeat(100));
  const foreign = temporaryPath('foreign.sqlite');
  const other = new Database(foreign, { create: true });
  other.run('create table recipe (id integer primary key)');
  other.close();

  const mistakes: [what: string, args: string[], sentence: RegExp][] = [
    ['a command that there is not', ['launch'], /There is no command "launch"\. See vitrine help\./],
    [
      'an option that there is not',
      ['serve', '--colour', 'red'],
      /Unknown option '--colour'\. See vitrine help\./,
    ],
    [
      'a port that is no number',
      ['serve', '--port', 'http'],
      /--port must be a whole number from 0 to 65535; it was "http"\./,
    ],
    [
      'a port that is too large',
      ['serve', '--port', '65536'],
      /--port must be a whole number from 0 to 65535/,
    ],
    [
      'a time zone that there is not',
      ['serve', '--time-zone', 'Mars'],
      /--time-zone must be a time zone such as UTC or Europe\/Berlin/,
    ],
    [
      'a host with its port',
      ['serve', '--allowed-host', 'example.org:80'],
      /--allowed-host must be host names without a port, which "example\.org:80" is not/,
    ],
    [
      'a network that is none',
      ['serve', '--trusted-proxy', '10.0.0.0/99'],
      /--trusted-proxy must be addresses or networks such as 10\.0\.0\.0\/8/,
    ],
    ['a database that is a folder', ['serve', '--database', folder], /The database .* is a folder\./],
    [
      'a database in a folder that is not there',
      ['serve', '--database', `${folder}/no/x.sqlite`],
      /The folder of the database .* does not exist\./,
    ],
    ['a database that is none', ['serve', '--database', text], /The file .* is not a database\./],
    [
      'a database of another program',
      ['serve', '--database', foreign],
      /The file .* is a database of another program\./,
    ],
    [
      'a database of a kind that is not known',
      ['serve', '--database', 'mysql://localhost/x'],
      /The database must be a file's path or start with postgres:\/\/, not mysql:\./,
    ],
    [
      'a PostgreSQL that is not there',
      ['serve', '--database', 'postgres://me:secret@127.0.0.1:1/x'],
      /The PostgreSQL server at 127\.0\.0\.1:1\/x cannot be used: /,
    ],
    [
      'an address that no URL has',
      ['serve', '--database', 'postgres://me:s%zz@127.0.0.1:1/x'],
      /The address of the PostgreSQL database cannot be read/,
    ],
    ['a database in memory', ['serve', '--database', ':memory:'], /The database must be a file's path/],
    ['an export into a folder', ['export', folder], /.* is a folder\./],
    [
      'an export to where nothing can be written',
      ['export', '/proc/none.ndjson'],
      /\/proc\/none.* cannot be used: E[A-Z]+\./,
    ],
    ['an import of nothing', ['import'], /import needs a file; - is standard input\./],
    ['an import of a file that is not there', ['import', `${folder}/none`], /There is no file .*none\./],
    ['an export to nowhere', ['export'], /export needs one file; - is standard output\./],
  ];
  for (const [what, args, sentence] of mistakes) {
    test(what, async () => {
      const { code, out, error } = await vitrine(...args);

      expect({ code, out, lines: error.trimEnd().split('\n').length }).toEqual({
        code: 2,
        out: '',
        lines: 1,
      });
      expect(error).toMatch(new RegExp(`^vitrine: ${sentence.source}`));
      expect(error).not.toContain('secret');
    });
  }

  test('a port that is taken', async () => {
    const server = await serve('--database', temporaryPath('first.sqlite'));
    const { code, error } = await vitrine(
      'serve',
      '--port',
      String(server.port),
      '--database',
      temporaryPath('second.sqlite'),
    );
    await server.stop();

    expect([code, error]).toEqual([
      2,
      `vitrine: The port ${server.port} is taken: stop the other program or choose one with --port.\n`,
    ]);
  });

  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    test(`a ${kind} database from a newer version`, async () => {
      const database = await emptyDatabase(kind);
      await (await serve('--database', database)).stop();
      const newer = "insert into migration (number, name) values (99, 'from the future')";
      if (kind === 'SQLite') {
        const file = new Database(database);
        file.run(newer);
        file.close();
      } else {
        const client = new Bun.SQL(database);
        await client.unsafe(newer);
        await client.close();
      }
      const { code, error } = await vitrine('serve', '--database', database);

      expect([code, error.replace(/up to \d+/, 'up to so many')]).toEqual([
        2,
        'vitrine: The database has schema 99, this version of Vitrine knows up to so many: start a newer version.\n',
      ]);
    });
  }

  test('a PostgreSQL database of another program', async () => {
    const database = await emptyDatabase('PostgreSQL');
    const client = new Bun.SQL(database);
    await client.unsafe('create table recipe (id int)');
    await client.close();
    const { code, error } = await vitrine('serve', '--database', database);

    expect([code, error]).toEqual([2, expect.stringContaining('holds the tables of another program.')]);
  });
});

test('requests get 503 while PostgreSQL is down, and work again when it is back', async () => {
  const own = await PostgresServer.start();
  const server = await serve('--demo', '--database', own.address(), '--files', temporaryPath('files'));
  const ask = async (path: string) => {
    const response = await fetch(server.address + path);
    return [response.status, response.headers.get('Retry-After'), (await response.text()).slice(0, 40)];
  };
  const before = await ask('/api/v1/projects/1/?fields=id');
  await own.kill();
  // Longer than what was remembered may still be given.
  await Bun.sleep(600);
  const away = [
    await ask('/api/v1/projects/1/?fields=id'),
    await ask('/api/v1/projects/2/?fields=id'),
    await ask('/readyz'),
    await ask('/livez'),
  ];
  await own.restart();
  let back = await ask('/api/v1/projects/1/?fields=id');
  for (let tries = 0; back[0] !== 200 && tries < 40; tries++) {
    await Bun.sleep(50);
    back = await ask('/api/v1/projects/1/?fields=id');
  }
  await server.stop();
  await own.stop();

  const unavailable = [503, '1', '{"detail":"Service temporarily unavailab'];
  expect(before).toEqual([200, null, '{"id":1}']);
  expect(away).toEqual([
    unavailable,
    unavailable,
    [503, null, '{"status":"the database does not answer"'],
    [200, null, '{"status":"alive"}'],
  ]);
  expect(back).toEqual([200, null, '{"id":1}']);
});
