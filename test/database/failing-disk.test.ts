// When the disk of an SQLite database fails: responses are 503 and say nothing internal, the log has the cause, and the
// process goes on.

import { Database } from 'bun:sqlite';
import { expect, spyOn, test } from 'bun:test';
import fs, { closeSync, mkdirSync, openSync, renameSync, rmdirSync, writeSync } from 'node:fs';
import sql from 'sql-template-tag';
import { OperatorError } from '#common/errors.ts';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { count } from '#sql';
import { temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { person, visitor } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada as adasLine, dump, project, siteAt, siteOn } from '../support/site.ts';
import { limitTime } from '../support/waiting.ts';

const gallery = dump(adasLine, project(1));
const unavailable = { detail: 'Service temporarily unavailable, try again later.' };

/** Opens a filled gallery that has read nothing from its file yet, so that no page of the file is cached. */
async function closedGallery(): Promise<string> {
  const site = await siteAt(await emptyGallery('SQLite'), { dump: gallery });
  await site.close();
  return site.address;
}

/** Overwrites the page where a table begins, as if the disk had lost it. */
function destroyTable(address: string, table: string): void {
  const connection = new Database(address);
  const { rootpage, size } = connection
    .query<{ rootpage: number; size: number }, [string]>(
      'select rootpage, page_size as size from sqlite_schema, pragma_page_size where name = ?',
    )
    .get(table) ?? { rootpage: 0, size: 0 };
  connection.close();
  const file = openSync(address, 'r+');
  writeSync(file, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size);
  closeSync(file);
}

test('a part of the file that cannot be read makes its responses 503, and the log has the cause', async () => {
  const address = await closedGallery();
  destroyTable(address, 'project');
  const site = await siteAt(address);

  for (const path of [
    '/api/v1/projects/1/',
    '/api/v1/projects/',
    '/',
    '/feed.atom',
    '/api/v1/projects/?search=a',
  ])
    expect([path, (await visitor(site).get(path)).status]).toEqual([path, 503]);
  const response = await visitor(site).get('/api/v1/projects/1/');
  expect(await response.json()).toEqual(unavailable);
  expect(response.headers.get('Retry-After')).toBe('1');
  expect(site.logged.at(-2)).toBe(
    `${response.headers.get('X-Request-Id')} fault ${unavailable.detail} Cause: SQLITE_CORRUPT database disk image is malformed`,
  );

  const ada = await person(site, 'ada');
  expect((await ada.post('/api/v1/projects/', { title: 'Lamp' })).status).toBe(503);
  expect((await visitor(site).get('/readyz')).status).toBe(200);
});

test('a command says what to do about a damaged file', async () => {
  const address = await closedGallery();
  destroyTable(address, 'migration');
  expect(await vitrine('check', '--database', address)).toEqual({
    code: 2,
    out: '',
    error: `vitrine: The database ${address} is damaged: stop the server, set the file aside with its -wal, restore a backup in its place, and start the server.\n`,
  });
});

test('a command says the same about damage that it meets later', async () => {
  const address = await closedGallery();
  destroyTable(address, 'project');
  const error =
    'vitrine: The database is damaged: stop the server, set the file aside with its -wal, restore a backup in its place, and start the server.\n';
  for (const args of [['check'], ['backup', temporaryPath('backups')], ['export', temporaryPath('dump')]])
    expect(await vitrine(...args, '--database', address)).toMatchObject({ code: 2, error });
});

test('a file that cannot be read rejects reads, and is read again without a restart', async () => {
  const address = await closedGallery();
  const site = await siteAt(address);
  renameSync(address, `${address}.away`);
  mkdirSync(address);

  await expect(count(site.database, sql`from project`)).rejects.toThrow(unavailable.detail);
  const rejected = site.database.all({ statement: sql`select 1`, columns: {} });
  await expect(rejected).rejects.toThrow(unavailable.detail);
  expect((await visitor(site).get('/api/v1/projects/1/')).status).toBe(503);
  expect(site.logged.at(-2)).toEndWith('Cause: SQLITE_IOERR_READ disk I/O error');

  rmdirSync(address);
  renameSync(`${address}.away`, address);
  expect((await visitor(site).get('/api/v1/projects/1/')).status).toBe(200);
});

test('the readiness probe reports a database that throws or does not answer, and nothing is left unhandled', async () => {
  const rejections: unknown[] = [];
  const onRejection = (error: unknown) => void rejections.push(error);
  process.on('unhandledRejection', onRejection);
  limitTime('probe', 50);
  const [throwing, silent] = [await siteOn('SQLite'), await siteOn('SQLite')];
  throwing.database.first = () => {
    throw new Error('disk I/O error');
  };
  silent.database.first = () => new Promise(() => {});

  for (const site of [throwing, silent]) {
    const response = await visitor(site).get('/readyz');
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'the database does not answer' },
    ]);
  }
  expect(throwing.logged.at(-2)).toContain('Error: disk I/O error');
  expect(silent.logged.at(-2)).toEndWith('Cause: the request timed out');
  // The timer of the first probe has ended too: the second one took as long.
  await nextEventLoopTurn();
  process.off('unhandledRejection', onRejection);
  expect(rejections).toEqual([]);
});

test('a database on a full disk is not opened: the system could end the process later', async () => {
  const address = await emptyGallery('SQLite');
  const disk = fs.statfsSync('/');
  using statfs = spyOn(fs, 'statfsSync').mockReturnValue({ ...disk, bavail: 20, bsize: 1024 });
  const refusal = new OperatorError(
    `The disk of the database ${address} is full: at least 256 KiB must be free.`,
  );
  await expect(siteAt(address)).rejects.toEqual(refusal);

  statfs.mockReturnValue({ ...disk, bavail: 256, bsize: 1024 });
  const site = await siteAt(address, { dump: gallery });
  expect((await visitor(site).get('/api/v1/projects/1/')).status).toBe(200);
});

test('a server whose file was deleted refuses to write, and goes on when the file is back', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const title = async (name: string) => (await ada.patch('/api/v1/projects/1/', { title: name })).status;
  expect(await title('Before')).toBe(200);

  const kept = `${site.address}-kept`;
  renameSync(site.address, kept);
  expect([await title('Lost'), (await site.get('/readyz')).status]).toEqual([503, 503]);
  expect(await site.json('/api/v1/projects/1/?fields=title')).toEqual({ title: 'Before' });
  expect(site.logged.some((line) => line.includes('was deleted or replaced while the server'))).toBe(true);
  await Bun.write(site.address, '');
  expect(await title('Lost')).toBe(503);

  renameSync(kept, site.address);
  expect([await title('After'), (await site.get('/readyz')).status]).toEqual([200, 200]);
});

test('an import that fails beside a server gives its room on the disk back, also while somebody reads older pages', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const log = `${site.address}-wal`;
  const file = temporaryPath('large.ndjson');
  const large = Array.from({ length: 450 }, (_, id) => project(id + 10, { text: 'x'.repeat(100_000) }));
  await Bun.write(file, `${dump(...large)}{"type":"robot"}\n`);
  const ada = await person(site, 'ada');
  const heldOpen = Promise.withResolvers<void>();
  const reading = site.database.snapshot(async (reader) => {
    await count(reader, sql`from project`);
    await heldOpen.promise;
  });
  expect((await ada.post('/api/v1/projects/', { title: 'Unsaved' })).status).toBe(201);
  const before = fs.statSync(log).size;

  const imported = await vitrine('import', file, '--database', site.address);
  expect(imported).toMatchObject({
    code: 2,
    error: expect.stringContaining('Nothing of this file was imported.'),
  });
  expect(fs.statSync(log).size).toBeLessThanOrEqual(before);
  heldOpen.resolve();
  await reading;
  expect((await ada.json<{ count: number }>('/api/v1/projects/')).count).toBe(2);
  expect((await ada.post('/api/v1/projects/', { title: 'After' })).status).toBe(201);
});
