// `vitrine copy`: a gallery moves to another database while a server writes to it.

import { Database as SqliteFile } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { raw } from 'sql-template-tag';
import { type Database, select } from '#sql';
import { allTables } from '../../src/core/all-tables.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { emptyDatabase, type Kind, temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { type Person, person } from '../support/person.ts';
import { serve, vitrine } from '../support/server.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  exportAll,
  project,
  type Site,
  siteAt,
} from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';
import { odd, wildProjects } from '../support/wild-projects.ts';

/** All rows of all tables, in a fixed order. */
async function readRows(database: Database): Promise<Record<string, string[]>> {
  const tables = allTables().map(async ({ name, columns }) => {
    const rows = await database.all(select(columns, raw(`from ${name}`)));
    return [name, rows.map((row) => JSON.stringify(row)).sort()];
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** The titles of projects by their id. */
type Titles = Map<number, string>;

/** Writes until `signal`, and adds what was acknowledged. */
async function writeOn(writer: Person, number: number, acknowledged: Titles, signal: AbortSignal) {
  for (let round = 1; !signal.aborted; round++) {
    await randomPause(50);
    const title = `By ${number}, ${round}`;
    const created = await waitFor(async () => {
      const response = await writer.post(
        '/api/v1/projects/',
        { title, tags: [`tag ${round % 7}`], text: '🎈 '.repeat(round % 50), visibility: 'public' },
        { 'Idempotency-Key': `"${number}-${round}"` },
      );
      if (response.status !== 503) return response;
      expect(response.headers.get('Retry-After')).toBe('1');
      return signal.aborted && response;
    });
    if (created.status === 503) return;
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: number };
    acknowledged.set(id, title);
    await writer.put('/api/v1/projects/1/rating/', { value: 1 + (round % 5) });
    await writer.post('/api/v1/projects/2/comments/', { text: `Comment ${round}` });
    const changed = await writer.patch(`/api/v1/projects/${id}/`, { title: `${title}, changed` });
    if (changed.status === 200) acknowledged.set(id, `${title}, changed`);
    if (round % 3 === 0 && (await writer.delete(`/api/v1/projects/${id}/`)).status === 204)
      acknowledged.delete(id);
    if (round % 8 === 1)
      await writer.site.request('/api/v1/auth/token/', {
        method: 'POST',
        body: new URLSearchParams({ username: `nobody${round}`, password: 'wrong' }),
      });
  }
}

async function createGallery(kind: Kind): Promise<Site> {
  const people = [adasLine, contributor(2, 'bob'), contributor(3, 'mo')];
  const text = dump(...people, ...wildProjects(60), project(400, odd), project(401, { contributor: 2 }));
  const site = await siteAt(await emptyDatabase(kind), { dump: text });
  const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
  await ada.patch('/api/v1/projects/3/', { title: 'A draft', status: 0 });
  await ada.delete('/api/v1/projects/4/');
  await mo.browser.send('/account/profile/', { about: 'I look after this.' });
  return site;
}

const directions: [from: Kind, to: Kind][] = [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
];
for (const [fromKind, toKind] of directions) {
  test(`from ${fromKind} to ${toKind}, every acknowledged write is in the copy, which is equal to the letter`, async () => {
    const old = await createGallery(fromKind);
    const address = await emptyDatabase(toKind);
    const [ada, bob] = [await person(old, 'ada'), await person(old, 'bob')];
    const stop = new AbortController();
    const acknowledged: Titles = new Map();
    const writing = Promise.all(
      [ada, bob].map((writer, index) => writeOn(writer, index, acknowledged, stop.signal)),
    );
    await waitFor(() => acknowledged.size > 10);

    const copied = await vitrine('copy', '--from', old.address, '--to', address, '--files', old.folder);
    expect(copied).toEqual({
      code: 0,
      out: expect.stringMatching(/^(\d[\d,]*) of \1 answers equal\n$/),
      error: expect.stringContaining('takes no more writes. Stop its server and start:\n'),
    });
    const refused = await ada.post('/api/v1/projects/', { title: 'Too late' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);
    stop.abort();
    await writing;
    expect((await old.get('/api/v1/projects/1/')).status).toBe(200);

    const copy = await siteAt(address);
    expect(await readRows(copy.database)).toEqual(await readRows(old.database));
    expect(await exportAll(copy)).toBe(await exportAll(old));
    expect(await checkGallery(copy.database, false)).toEqual([]);
    const adaThere = ada.at(copy);
    const titles: Titles = new Map();
    for (const id of acknowledged.keys())
      titles.set(id, (await adaThere.json<{ title: string }>(`/api/v1/projects/${id}/`)).title);
    expect(titles).toEqual(acknowledged);

    const highest = Math.max(...acknowledged.keys());
    const created = await adaThere.post('/api/v1/projects/', { title: 'The next' });
    expect(((await created.json()) as { id: number }).id).toBeGreaterThan(highest);
  });
}

test('every table of the database is copied, except those of the search index, the migrations and known positions', async () => {
  const file = new SqliteFile(await emptyGallery('SQLite'));
  const names = file
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|project_search|migration$|earlier_project$)/.test(name));
  file.close();

  expect(
    allTables()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(names);
});

test('the old gallery starts no more after the move, until the copy is undone', async () => {
  const [from, to] = [await emptyGallery('SQLite'), await emptyDatabase('SQLite')];
  expect((await vitrine('copy', '--from', from, '--to', to)).code).toBe(0);

  const moved =
    'vitrine: The gallery has moved to another database: start the server there, or go back with vitrine copy --undo.\n';
  expect((await vitrine('serve', '--database', from)).error).toBe(moved);
  expect(await vitrine('copy', '--from', from, '--to', await emptyDatabase('SQLite'))).toMatchObject({
    code: 2,
    error: 'vitrine: The gallery has moved to another database already: go back with vitrine copy --undo.\n',
  });
  expect(await vitrine('copy', '--from', from, '--undo')).toEqual({
    code: 0,
    out: '',
    error: `${from} takes writes again.\n`,
  });
  const server = await serve('--database', from, '--demo');
  expect(await server.stop()).toBe(0);
  expect((await vitrine('copy', '--from', from, '--undo')).error).toBe(
    'vitrine: The gallery has not moved: it takes writes already.\n',
  );
});

test('a copy that was killed after the move is finished by the next one', async () => {
  const [from, to] = [await emptyGallery('SQLite'), await emptyDatabase('SQLite')];
  await vitrine('copy', '--from', from, '--to', to);
  const [old, copy] = [new SqliteFile(from), new SqliteFile(to)];
  const moved = old.query<{ name: string }, []>('select name from migration where number = 1000001').get();
  copy.run('insert into migration (number, name) values (1000000, ?)', [`ready: ${moved?.name}`]);
  for (const file of [old, copy]) file.close();
  expect((await vitrine('check', '--database', to)).code).toBe(2);

  expect(await vitrine('copy', '--from', from, '--to', to)).toMatchObject({ code: 0, out: '' });
  expect((await vitrine('check', '--database', to)).code).toBe(0);
});

test('a mistake is one sentence, and changes nothing', async () => {
  const [from, filled, empty] = [
    await emptyGallery('SQLite'),
    await emptyGallery('SQLite'),
    await emptyDatabase('SQLite'),
  ];
  await (await siteAt(filled, { dump: dump(adasLine) })).close();
  const unfinished = await emptyGallery('SQLite');
  const older = await emptyGallery('SQLite');
  for (const [path, statement] of [
    [unfinished, "insert into migration (number, name) values (1000000, 'run')"],
    [older, 'update migration set number = number - 1'],
  ] as const) {
    const file = new SqliteFile(path);
    file.run(statement);
    file.close();
  }
  const missing = temporaryPath('missing.sqlite');
  const mistakes: [args: string[], sentence: string | RegExp][] = [
    [['copy'], 'It is: vitrine copy --from gallery.sqlite --to postgres://user:password@host/name'],
    [['copy', '--from', from, '--to', from], '--from and --to are the same database.'],
    [['copy', '--from', missing, '--to', empty], `There is no file ${missing}.`],
    [
      ['copy', '--from', from, '--to', filled],
      'The new database is not empty: give the path of a new file, or a database without tables.',
    ],
    [['copy', '--from', older, '--to', empty], /has schema \d+, this version of Vitrine has \d+: start the/],
    [['serve', '--database', unfinished], 'The database is an unfinished copy: run vitrine copy again.'],
    [
      ['export', '-', '--database', unfinished],
      'The database is an unfinished copy: run vitrine copy again.',
    ],
  ];
  for (const [args, sentence] of mistakes) {
    const { code, error } = await vitrine(...args);
    expect([code, error]).toEqual([
      2,
      typeof sentence === 'string' ? `vitrine: ${sentence}\n` : expect.stringMatching(sentence),
    ]);
  }
});
