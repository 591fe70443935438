// Only the user who runs Vitrine may read its files, whatever the umask says.

import { expect, spyOn, test } from 'bun:test';
import fs, { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { program } from '../support/program.ts';
import { serveWith, vitrine } from '../support/server.ts';
import { siteOn } from '../support/site.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Runs Vitrine in a shell whose umask hides nothing. */
const vitrineWithoutUmask = async (...args: string[]) =>
  Bun.$`sh -c ${'umask 0; exec "$0" "$@"'} ${await program()} ${args}`.quiet();

test('a new database, its log and its memory belong to their user alone', async () => {
  const folder = temporaryPath('new');
  mkdirSync(folder);
  const path = join(folder, 'gallery.sqlite');
  await serveWith(['sh', '-c', 'umask 0; exec "$0" "$@"', await program()], '--database', path);
  const modes = readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]);
  expect(Object.fromEntries(modes)).toEqual({
    'gallery.sqlite': '600',
    'gallery.sqlite-shm': '600',
    'gallery.sqlite-wal': '600',
  });
});

onBothDatabases((kind) => {
  test('stored files and their folders belong to their user alone', async () => {
    const [database, folder] = [await emptyDatabase(kind), temporaryPath('files')];
    const options = ['--database', database, '--files', folder];
    const bytes = Buffer.from('Hello');
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
    const dump = temporaryPath('files.ndjson');
    const created = '2024-01-01T00:00:00.000000+00:00';
    const lines = [
      { type: 'contributor', id: 1, username: 'ada', first_name: '', last_name: '', created },
      {
        ...{
          type: 'project',
          id: 1,
          uuid: 'abcd',
          slug: 'a',
          title: 'A',
          content_type: 'text',
          contributor: 1,
        },
        ...{ copied_from: null, visibility: 'public', status: 1, tags: [], text: '', rating_count: 0 },
        ...{ rating_sum: 0, karma: 0, created, modified: created },
      },
      {
        ...{
          type: 'media',
          project: 1,
          number: 1,
          position: 1,
          media_type: 'text/plain',
          name: 'a.txt',
          alt: '',
        },
        sizes: [{ hash, bytes: 5, width: null, height: null }],
      },
      { type: 'bytes', hash, of: 5, at: 0, base64: bytes.toString('base64') },
    ];
    await Bun.write(dump, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

    await vitrineWithoutUmask('import', dump, ...options);
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const modes = [folder, ...paths.map((path) => join(folder, path))].map((path) => [
      statSync(path).isDirectory(),
      modeOf(path),
    ]);
    expect(modes).toHaveLength(4);
    expect(new Set(modes.map(String))).toEqual(new Set(['true,700', 'false,600']));
  });

  test('the check reports what other users may open, and repairs it', async () => {
    const [database, folder] = [await emptyGallery(kind), temporaryPath('open-files')];
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const options = ['--database', database, '--files', folder];
    if (kind === 'SQLite') chmodSync(database, 0o644);
    const openPaths = kind === 'SQLite' ? [database, `${database}-wal`, `${database}-shm`, folder] : [folder];
    const problems = openPaths.map((path) => `other users of this machine may open ${path}\n`).join('');

    expect(await vitrine('check', ...options)).toEqual({ code: 1, out: problems, error: '' });
    const repaired = await vitrine('check', '--repair', ...options);
    expect(repaired).toEqual({ code: 0, out: `${problems}Repaired.\n`, error: '' });
    expect(modeOf(folder)).toBe('700');
    expect(await vitrine('check', ...options)).toEqual({ code: 0, out: 'All is well.\n', error: '' });
  });
});

test('root writes nothing into the gallery of another user, whose server could not read it', async () => {
  const address = await emptyGallery('SQLite');
  const somebody = 65_534;
  if (process.getuid?.() === 0) chownSync(address, somebody, somebody);
  const { uid } = statSync(address);
  using _ = spyOn(process, 'getuid').mockReturnValue(0);
  expect(await vitrine('site', 'set', 'name', 'Kites', '--database', address)).toEqual({
    code: 2,
    out: '',
    error: `vitrine: The gallery ${address} belongs to the user with the number ${uid}: run the command as that user, with sudo -u '#${uid}', or as vitrine-admin if it is the Debian package's.\n`,
  });
});

test('a server whose files cannot be written is not ready', async () => {
  const site = await siteOn('SQLite');
  const made = `${site.folder}/aa`;
  mkdirSync(made, { recursive: true });
  const { accessSync } = fs;
  using _ = spyOn(fs, 'accessSync').mockImplementation((path, mode) => {
    if (path === made) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    accessSync(path, mode);
  });
  const response = await site.get('/readyz');
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'the place for files cannot be written' },
  ]);
});
