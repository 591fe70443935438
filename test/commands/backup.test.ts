// Backups that can be verified and restored: vitrine backup, verify, restore and backup-key.

import { expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { count } from '#sql';
import type { FileStore } from '../../src/core/files/store.ts';
import { makeBackup } from '../../src/features/backup/make-backup.ts';
import { openPlace } from '../../src/features/backup/place.ts';
import {
  emptyDatabase,
  filesFolder,
  type Kind,
  onBothDatabases,
  temporaryPath,
} from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { type Person, person } from '../support/person.ts';
import { jpeg } from '../support/pictures.ts';
import { startS3 } from '../support/s3-server.ts';
import { serve, serveIn, vitrine, vitrineIn, writtenTo } from '../support/server.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

async function upload(owner: Person, path: string, content: BlobPart, name: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  expect((await owner.post(path, form)).status).toBe(201);
}

/** Two projects of Ada's, and a file of the first one that the second one has too. */
async function createGallery(kind: Kind): Promise<{ site: Site; owner: Person; options: string[] }> {
  const site = await siteOn(kind, { dump: dump(ada, contributor(2, 'bob'), project(1), project(2)) });
  const owner = await person(site, 'ada');
  for (const id of [1, 2]) await upload(owner, `/api/v1/projects/${id}/media/`, 'Hello', 'a.txt');
  return { site, owner, options: ['--database', site.address, '--files', site.folder] };
}

const helloHash = '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969';

const backupsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('Z'))
    .sort();
const newestIn = (folder: string) => join(folder, backupsIn(folder).at(-1) ?? '');

/** The same files, of which a backup asks for each before it copies it. */
const withSize = (files: FileStore, size: FileStore['size']): FileStore =>
  new Proxy(files, { get: (store, name) => (name === 'size' ? size : Reflect.get(store, name).bind(store)) });

async function exportOf(address: string): Promise<string> {
  const { out } = await vitrine('export', '-', '--database', address, '--files', filesFolder(address));
  return out;
}

const restore = (backup: string, address: string, ...more: string[]) =>
  vitrine('restore', backup, '--database', address, '--files', filesFolder(address), ...more);

onBothDatabases((kind) => {
  const otherKind = kind === 'SQLite' ? 'PostgreSQL' : 'SQLite';

  test('a backup of a running gallery is verified and restored into either database, the same to the letter', async () => {
    const { site, owner, options } = await createGallery(kind);
    await upload(owner, '/api/v1/projects/1/media/', new Uint8Array(await jpeg(300, 200)), 'b.jpg');
    const folder = temporaryPath('backups');

    const made = await vitrine('backup', folder, ...options);
    expect(made).toEqual({
      code: 0,
      error: '',
      out: `${newestIn(folder)}: 2 contributors, 2 projects, 2 files, up to change 8; 2 of its files are new there.\n`,
    });
    expect(await vitrine('verify', folder)).toEqual({
      code: 0,
      error: '',
      out: expect.stringMatching(/All is well: 2 contributors, .* by Vitrine [\d.]+\. It is not signed\.\n$/),
    });

    const exported = await exportOf(site.address);
    for (const address of [await emptyDatabase(kind), await emptyDatabase(otherKind)]) {
      expect(await restore(folder, address)).toMatchObject({ code: 0, error: writtenTo(address) });
      expect((await exportOf(address)) === exported).toBe(true);
      expect(await restore(folder, address)).toEqual({
        code: 2,
        out: '',
        error:
          'vitrine: The database is not empty. A backup is restored only into an empty one: name another with --database, or set the file aside first, with its -wal and -shm. See docs/running/recover.md.\n',
      });
    }
  });

  test('all that was acknowledged before the start is in a backup that was made while people write', async () => {
    const { site, owner } = await createGallery(kind);
    const server = await serve('--database', site.address, '--files', site.folder, '--write-limit', 'off');
    const headers = { ...(await owner.key()), 'Content-Type': 'application/json' };
    const acknowledged: string[] = [];
    let isOver = false;
    const write = async (writer: number) => {
      for (let count = 1; !isOver; count++) {
        const title = `written ${writer}-${count}`;
        const body = JSON.stringify({ title, text: 'A text. '.repeat(500) });
        const response = await fetch(`${server.address}/api/v1/projects/`, { method: 'POST', headers, body });
        expect(response.status).toBe(201);
        acknowledged.push(title);
      }
    };
    const writing = Promise.all([1, 2, 3, 4].map(write));
    await waitFor(() => acknowledged.length > 10);

    const folder = temporaryPath('backups');
    const expected = [...acknowledged];
    const files = withSize(site.files, async (hash) => {
      await waitFor(() => acknowledged.length > expected.length + 10);
      return site.files.size(hash);
    });
    await makeBackup({ database: site.database, files }, await openPlace(folder), {}).finally(() => {
      isOver = true;
    });
    await writing;

    const address = await emptyDatabase(kind);
    expect(await restore(folder, address)).toMatchObject({ code: 0 });
    const restored = await exportOf(address);
    expect(expected.filter((title) => !restored.includes(`"title":"${title}"`))).toEqual([]);
    expect(await vitrine('check', '--database', address, '--files', filesFolder(address))).toMatchObject({
      out: expect.stringContaining('All is well.'),
    });
  });
});

test('a second backup copies only new files; an unfinished one is removed, and nothing behind a link', async () => {
  const { owner, options } = await createGallery('SQLite');
  const folder = temporaryPath('backups');
  expect((await vitrine('backup', folder, ...options)).out).toContain('; 1 of its files are new there.');
  const copied = statSync(join(folder, 'files/18', helloHash)).mtimeMs;
  const unfinished = join(folder, '2020-01-01T00-00-00-000Z');
  mkdirSync(unfinished);
  for (const name of ['gallery.ndjson.zst', 'files.sha256.0a1b2c3d.unfinished'])
    writeFileSync(join(unfinished, name), '');
  const elsewhere = temporaryPath('elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'files.sha256'), 'Not ours.');
  symlinkSync(elsewhere, join(folder, '2020-01-02T00-00-00-000Z'));

  await upload(owner, '/api/v1/projects/1/media/', 'New', 'new.txt');
  expect((await vitrine('backup', folder, ...options)).out).toContain('2 files, up to change');
  expect(statSync(join(folder, 'files/18', helloHash)).mtimeMs).toBe(copied);
  expect(backupsIn(folder)).toHaveLength(3);
  expect(existsSync(unfinished)).toBe(false);
  expect(readdirSync(elsewhere)).toEqual(['files.sha256']);
});

test('a later backup without its manifest is named, and the one before counts only if it is named', async () => {
  const { site, options } = await createGallery('SQLite');
  const folder = temporaryPath('backups');
  await vitrine('backup', folder, ...options);
  const first = newestIn(folder);
  await vitrine('backup', folder, ...options);
  const second = newestIn(folder);
  rmSync(join(second, 'manifest.json'));

  const sentence = `${second} is later, and its manifest.json is missing. If you mean the backup before it, name that.\n`;
  expect(await vitrine('verify', folder)).toMatchObject({ code: 1, out: expect.stringContaining(sentence) });
  const address = await emptyDatabase('SQLite');
  const refused = `${sentence}Nothing was restored.\n`;
  expect(await restore(folder, address)).toMatchObject({ code: 1, out: expect.stringContaining(refused) });
  expect(await vitrine('verify', first)).toMatchObject({ code: 0 });
  expect(await restore(first, address)).toMatchObject({ code: 0 });
  expect((await exportOf(address)) === (await exportOf(site.address))).toBe(true);
});

test('a changed manifest prints nothing that a terminal obeys', async () => {
  const { options } = await createGallery('SQLite');
  const folder = temporaryPath('backups');
  await vitrine('backup', folder, ...options);
  const file = join(newestIn(folder), 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, vitrine: '1\u001b[2J\u009b2J\u202e' }));
  const { code, out } = await vitrine('verify', folder);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('by Vitrine 1\ufffd[2J\ufffd2J\ufffd. It is not signed.'),
  ]);
});

test('a file that the gallery has lost is named, and does not stop backups', async () => {
  const { site, options } = await createGallery('SQLite');
  const folder = temporaryPath('backups');
  rmSync(join(site.folder, '18', helloHash));
  const sentence = `The file ${helloHash} was missing in the gallery, and is missing in this backup. See vitrine check.\n`;

  expect(await vitrine('backup', folder, ...options)).toMatchObject({
    code: 0,
    out: expect.stringContaining(sentence),
  });
  expect(await vitrine('verify', folder)).toMatchObject({ code: 0, out: expect.stringContaining(sentence) });
  const address = await emptyDatabase('SQLite');
  expect(await restore(folder, address)).toMatchObject({ code: 0 });
  expect(await vitrine('check', '--database', address)).toMatchObject({
    code: 1,
    out: 'the bytes of a file are missing: 1, 2\n',
  });
});

test('a file that is deleted for good during a backup is not missing in it', async () => {
  const { site } = await createGallery('SQLite');
  const place = await openPlace(temporaryPath('backups'));
  let isDeleted = false;
  const files = withSize(site.files, async (hash) => {
    if (!isDeleted) {
      isDeleted = true;
      for (const table of [sql`media_size`, sql`media`])
        await site.database.transaction((transaction) => transaction.run(sql`delete from ${table}`));
      rmSync(join(site.folder, '18', hash));
    }
    return site.files.size(hash);
  });

  const { manifest } = await makeBackup({ database: site.database, files }, place, {});
  expect(isDeleted).toBe(true);
  expect([manifest.missing, manifest.file_count, manifest.lines.media]).toEqual([[], 0, undefined]);
  expect(await vitrine('verify', place.address)).toMatchObject({ code: 0 });
});

type Damage = (backup: string, folder: string) => void;

const changeManifest =
  (from: string | RegExp, to: string): Damage =>
  (backup) => {
    const path = join(backup, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  };

const list = 'files.sha256 is damaged: it is not the list that the manifest describes.';
const damages: readonly [damage: Damage, ...sentences: string[]][] = [
  [(_, folder) => rmSync(join(folder, 'files/18', helloHash)), `The file ${helloHash} is missing.`],
  [
    (_, folder) => writeFileSync(join(folder, 'files/18', helloHash), 'Hallo'),
    `The file ${helloHash} is damaged: its content is another one.`,
  ],
  [(backup) => rmSync(join(backup, 'gallery.ndjson.zst')), 'gallery.ndjson.zst is missing.'],
  [
    (backup) => appendFileSync(join(backup, 'gallery.ndjson.zst'), 'x'),
    'gallery.ndjson.zst is damaged: its content is not what the manifest describes.',
  ],
  [(backup) => rmSync(join(backup, 'files.sha256')), 'files.sha256 is missing.'],
  [(backup) => writeFileSync(join(backup, 'files.sha256'), ''), list],
  [(backup) => appendFileSync(join(backup, 'files.sha256'), `${helloHash}  ../../../etc/passwd\n\xff`), list],
  [
    (backup) => rmSync(join(backup, 'manifest.json')),
    'manifest.json is missing: the backup is not finished.',
  ],
  [
    (backup) => writeFileSync(join(backup, 'manifest.json'), '{'),
    'manifest.json cannot be used: it is not JSON.',
  ],
  [
    changeManifest('"version":1', '"version":2'),
    'manifest.json cannot be used: it has version 2, and this program reads versions up to 1: use a newer version of Vitrine.',
  ],
  [
    changeManifest(/"dump_sha256":"\w+"/, '"dump_sha256":"../../x"'),
    'manifest.json cannot be used: dump_sha256: must be a SHA-256 in hexadecimal.',
  ],
  [
    changeManifest('"project":2', '"project":3'),
    'gallery.ndjson.zst has other lines than the manifest says.',
  ],
];

test('each missing, damaged or changed part of a backup is named, and such a backup is not restored', async () => {
  const { options } = await createGallery('SQLite');
  const whole = temporaryPath('backups');
  await vitrine('backup', whole, ...options);
  const found = await Promise.all(
    damages.map(async ([damage]) => {
      const folder = temporaryPath('backups');
      cpSync(whole, folder, { recursive: true });
      const backup = newestIn(folder);
      damage(backup, folder);
      const { code, out, error } = await vitrine('verify', backup);
      return { code, error, sentences: out.trim().split('\n').slice(0, -1) };
    }),
  );
  expect(found).toEqual(damages.map(([, ...sentences]) => ({ code: 1, error: '', sentences })));

  rmSync(join(whole, 'files/18', helloHash));
  const address = await emptyDatabase('SQLite');
  expect(await restore(whole, address)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/is missing\.\n.*This backup is bad: 1 problem\.\nNothing was restored\.\n$/),
  });
  expect(await vitrine('restore', whole, '--database', address)).toMatchObject({ code: 1 });
});

test('a hundred problems are listed', async () => {
  const { site, options } = await createGallery('SQLite');
  await site.database.transaction(async (transaction) => {
    for (let number = 1; number <= 120; number++) {
      const hash = new Bun.CryptoHasher('sha256').update(String(number)).digest('hex');
      await site.files.put(hash, Buffer.from(String(number)));
      await transaction.run(
        sql`insert into media_size (project, number, hash, bytes) values (1, 1, ${hash}, ${String(number).length})`,
      );
    }
  });
  const folder = temporaryPath('backups');
  await vitrine('backup', folder, ...options);
  rmSync(join(folder, 'files'), { recursive: true });

  const { code, out } = await vitrine('verify', folder);
  const lines = out.trim().split('\n');
  expect([code, lines.length]).toEqual([1, 101]);
  expect(lines.at(-1)).toEndWith('This backup is bad: 121 problems. The first 100 are listed.');
});

test('a signature shows that a backup is as its maker signed it', async () => {
  const { options } = await createGallery('SQLite');
  const [folder, key, other] = [temporaryPath('backups'), temporaryPath('key'), temporaryPath('other')];
  expect(await vitrine('backup-key', key)).toMatchObject({ code: 0 });
  await vitrine('backup-key', other);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(await vitrine('backup-key', key)).toMatchObject({
    code: 2,
    error: `vitrine: ${key} exists: a key is never replaced.\n`,
  });

  const verify = async (publicKey: string) => {
    const { code, out } = await vitrine('verify', folder, '--public-key', publicKey);
    return { code, first: out.split('\n')[0]?.replace(/^.*Z: /, '') };
  };
  await vitrine('backup', folder, ...options);
  expect(await verify(`${key}.pub`)).toEqual({
    code: 1,
    first: 'manifest.json.sig is missing: the backup is not signed.',
  });
  expect(await vitrine('backup', folder, ...options, '--sign-with', key)).toMatchObject({ code: 0 });
  expect((await vitrine('verify', folder)).out).toContain('not checked: give --public-key.');
  expect(await verify(`${key}.pub`)).toEqual({
    code: 0,
    first: expect.stringContaining('signed with this key'),
  });
  const changed = { code: 1, first: 'manifest.json was changed, or signed with another key.' };
  expect(await verify(`${other}.pub`)).toEqual(changed);

  const manifest = join(newestIn(folder), 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"vitrine":"', '"vitrine":"1'));
  expect(await verify(`${key}.pub`)).toEqual(changed);
  writeFileSync(other, 'no key');
  expect(await vitrine('backup', folder, ...options, '--sign-with', other)).toMatchObject({
    code: 2,
    error: `vitrine: ${other} is not the private key of a pair that vitrine backup-key has made.\n`,
  });
});

test('the newest backups of days, weeks and months are kept, with the files that they need and all that is not ours', async () => {
  const { site, owner, options } = await createGallery('SQLite');
  const folder = temporaryPath('backups');
  await vitrine('backup', folder, ...options);
  const first = newestIn(folder);
  const times = [
    ...['2024-01-10T08', '2024-03-02T09', '2024-03-30T23', '2024-04-01T01', '2024-04-01T22'],
    ...['2024-04-02T03', '2024-04-03T04', '2024-04-03T05'],
  ].map((time) => `${time}-00-00-000Z`);
  for (const time of times) cpSync(first, join(folder, time), { recursive: true });
  rmSync(first, { recursive: true });
  writeFileSync(join(folder, times[0] as string, 'notes.txt'), 'Not ours.');
  for (const other of ['2024-01-10', 'photos', '2024-01-01T00-00-00-000Z']) {
    mkdirSync(join(folder, other));
    writeFileSync(join(folder, other, 'manifest.json'), '{"type":"another"}');
  }
  writeFileSync(join(folder, '2024-01-01T00-00-00-000Z/files.sha256'), '');
  for (const table of [sql`media_size`, sql`media`])
    await site.database.transaction((transaction) => transaction.run(sql`delete from ${table}`));
  await upload(owner, '/api/v1/projects/2/media/', 'New', 'new.txt');

  const made = await vitrine('backup', folder, ...options, '--keep', '3d,2w,3m');
  expect(made).toMatchObject({ code: 0, error: '' });
  const [newest = ''] = backupsIn(folder).slice(-1);
  expect(readdirSync(folder).sort()).toEqual([
    '2024-01-01T00-00-00-000Z',
    '2024-01-10',
    '2024-01-10T08-00-00-000Z',
    '2024-03-30T23-00-00-000Z',
    '2024-04-02T03-00-00-000Z',
    '2024-04-03T05-00-00-000Z',
    newest,
    'files',
    'photos',
  ]);
  expect(readdirSync(join(folder, times[0] as string))).toEqual(['notes.txt']);
  expect(await vitrine('verify', join(folder, '2024-03-30T23-00-00-000Z'))).toMatchObject({ code: 0 });

  writeFileSync(join(folder, '2024-03-30T23-00-00-000Z/files.sha256'), '');
  const { out } = await vitrine('backup', folder, ...options, '--keep', '3d,2w,3m');
  expect(out).toContain(
    '2024-03-30T23-00-00-000Z/files.sha256 is missing or damaged, so files that no backup needs',
  );
  expect(existsSync(join(folder, 'files/18', helloHash))).toBe(true);
  await vitrine('backup', folder, ...options, '--keep', '1d');
  expect(existsSync(join(folder, 'files/18', helloHash))).toBe(false);
  expect(await vitrine('verify', folder)).toMatchObject({ code: 0 });
});

test('nothing of another gallery in the same place is deleted, neither backups nor one that it is just making', async () => {
  const [{ options }, other] = [await createGallery('SQLite'), await createGallery('SQLite')];
  const folder = temporaryPath('backups');
  await vitrine('backup', folder, ...other.options);
  const othersBackup = newestIn(folder);
  const unfinished = join(folder, '2020-01-01T00-00-00-000Z');
  mkdirSync(unfinished);
  writeFileSync(join(unfinished, 'gallery.ndjson.zst'), '');
  const unused = join(folder, 'files/18', helloHash.replace(/.$/, '0'));
  writeFileSync(unused, 'The other gallery has just copied it.');

  const warned = {
    code: 1,
    error: `${folder} has backups of another gallery, or of this one from after the backup that was restored: they stay, and so do all files. Give each gallery a place of its own.\n`,
  };
  expect(await vitrine('backup', folder, ...options, '--keep', '1d')).toMatchObject(warned);
  expect([othersBackup, unfinished, unused].filter(existsSync)).toEqual([othersBackup, unfinished, unused]);
  expect(await vitrine('backup', folder, ...options)).toMatchObject(warned);
  expect(backupsIn(folder)).toHaveLength(4);
  expect(await vitrine('verify', othersBackup)).toMatchObject({ code: 0 });
});

/** As a user who may not open what is another's: root may open everything. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  return work().finally(() => isRoot && process.seteuid?.(0));
}

/** Root makes it with mode 700; another user makes one for nobody. */
const makeUnreadable = (folder: string) =>
  mkdirSync(folder, { mode: process.getuid?.() === 0 ? 0o700 : 0o000 });

test('a folder that the user may not open stops no backups, nothing is deleted, and it is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-unreadable-'));
  chmodSync(folder, 0o777);
  const place = join(folder, 'backups');
  const options = ['--database', join(folder, 'gallery.sqlite'), '--files', join(folder, 'uploads')];
  const schedule = ['--backup-to', place, '--backup-every', '1h'];
  try {
    await asNobody(async () => (await siteAt(join(folder, 'gallery.sqlite'), { dump: dump(ada) })).close());
    // The commands refuse root for a gallery of another user.
    if (process.getuid?.() === 0) chownSync(join(folder, 'gallery.sqlite'), 0, 0);
    chmodSync(join(folder, 'gallery.sqlite'), 0o666);
    await asNobody(() => vitrine('backup', place, ...options));
    const unreadable = join(place, '2020-01-01T00-00-00-000Z');
    makeUnreadable(unreadable);
    const unfinished = join(place, '2020-01-02T00-00-00-000Z');
    mkdirSync(unfinished);

    const problem = `${unreadable} cannot be read: it may be of another gallery, and no file is deleted.`;
    expect(await asNobody(() => vitrine('backup', place, ...options, '--keep', '7d'))).toEqual({
      code: 1,
      error: `${problem} Give it to the user of the server with chown, or delete it if it is of another gallery.\n`,
      out: expect.stringContaining('up to change'),
    });
    expect([unreadable, unfinished].filter(existsSync)).toEqual([unreadable, unfinished]);
    expect(await asNobody(() => vitrine('verify', join(unreadable, 'backups')))).toEqual({
      code: 2,
      error: `vitrine: The folder ${join(unreadable, 'backups')} cannot be read: check who may read and write there.\n`,
      out: '',
    });
    expect((await asNobody(() => vitrine('doctor', ...options, ...schedule))).out).toContain(
      `- ${problem}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('doctor says how old the newest backup of this gallery is, and warns if it is too old', async () => {
  const { site, options } = await createGallery('SQLite');
  const folder = temporaryPath('backups');
  await vitrine('backup', folder, ...(await createGallery('SQLite')).options);
  const examine = async (every: string) =>
    (await vitrine('doctor', ...options, '--backup-to', folder, '--backup-every', every)).out;
  expect(await examine('30m')).not.toContain('There is no finished backup');
  await site.database.transaction((transaction) =>
    transaction.run(sql`update change set at = at - ${6 * 3_600_000_000}`),
  );
  expect(await examine('30m')).toContain(`- There is no finished backup of this gallery in ${folder}.\n`);

  const before = backupsIn(folder);
  await vitrine('backup', folder, ...options);
  expect(await examine('30m')).toContain('Backups: the newest is 0 minutes old.\n');
  const [made = ''] = backupsIn(folder).filter((name) => !before.includes(name));
  const sixHoursAgo = new Date(Date.now() - 6 * 3_600_000).toISOString().replaceAll(/[:.]/g, '-');
  renameSync(join(folder, made), join(folder, sixHoursAgo));
  expect(await examine('30m')).toContain(
    `- The newest backup in ${folder} is 6 hours old, and --backup-every says one in 30 minutes.\n`,
  );
  const patient = await examine('4h');
  expect(patient).toContain('Backups: the newest is 6 hours old.\n');
  expect(patient).not.toContain('The newest backup');
});

test('no new gallery begins beside the files of one that has no database; a restore brings it back', async () => {
  const database = temporaryPath('lost.sqlite');
  const site = await siteAt(database, { dump: dump(ada, project(1)) });
  await upload(await person(site, 'ada'), '/api/v1/projects/1/media/', 'Hello', 'a.txt');
  await site.close();
  const place = temporaryPath('backups');
  await vitrine('backup', place, '--database', database);
  for (const name of [`${database}-wal`, `${database}-shm`]) rmSync(name, { force: true });

  const error = `vitrine: ${database} is missing or empty, but ${database}.files has the files of a gallery: see that its disk is there, restore a backup, or set the folder aside.\n`;
  for (const remove of [() => writeFileSync(database, ''), () => rmSync(database)]) {
    remove();
    for (const args of [
      ['serve', '--port', '0'],
      ['user', 'add', 'bob'],
      ['setup', 'bob', '--kind', 'class'],
    ])
      expect(await vitrine(...args, '--database', database)).toEqual({ code: 2, out: '', error });
  }
  expect(existsSync(database)).toBe(false);
  expect(await vitrine('restore', place, '--database', database)).toMatchObject({ code: 0 });
  expect(await vitrine('check', '--database', database)).toMatchObject({ code: 0 });
});

test('a gallery that was restored in place goes on with its backups, and leaves those that it never had', async () => {
  const { site, options } = await createGallery('SQLite');
  await site.close();
  const folder = temporaryPath('backups');
  const older = '2020-01-01T00-00-00-000Z';
  await vitrine('backup', folder, ...options);
  const [first = ''] = backupsIn(folder);
  renameSync(join(folder, first), join(folder, older));
  await vitrine('backup', folder, ...options);
  const restored = ['--database', temporaryPath('again.sqlite'), '--files', temporaryPath('again')];
  expect((await vitrine('restore', folder, ...restored)).code).toBe(0);

  expect(await vitrine('backup', folder, ...restored, '--keep', '1d')).toMatchObject({ code: 0, error: '' });
  expect(backupsIn(folder)).toHaveLength(1);
  // Restored once more, it still knows them.
  const third = ['--database', temporaryPath('third.sqlite'), '--files', temporaryPath('third')];
  expect((await vitrine('restore', folder, ...third)).code).toBe(0);
  expect((await vitrine('backup', folder, ...third, '--keep', '1d')).code).toBe(0);

  // The first one goes on, too: what it makes from now on belongs to another gallery.
  await vitrine('backup', folder, ...options);
  expect((await vitrine('backup', folder, ...third, '--keep', '1d')).code).toBe(1);
  expect(backupsIn(folder)).toHaveLength(2);
});

test('an operator’s mistake gets one sentence and exit code 2', async () => {
  const empty = temporaryPath('empty');
  mkdirSync(empty);
  const missing = temporaryPath('missing');
  const results = await Promise.all([
    vitrine('verify', missing),
    vitrine('verify', empty),
    vitrine('restore', join(empty, '2024-01-01T00-00-00-000Z'), '--database', temporaryPath('a.sqlite')),
    vitrine('backup', join(missing, 'deeper'), '--database', await emptyGallery('SQLite')),
    vitrine('backup', empty, '--keep', '7x'),
    vitrine('backup'),
    vitrine('serve', '--backup-every', '1h'),
    vitrine('serve', '--backup-every', '1s', '--backup-to', empty),
  ]);
  expect(results.map(({ code, error }) => [code, error])).toEqual(
    [
      `There is no folder ${missing}.`,
      `There is no finished backup in ${empty}.`,
      `There is no backup 2024-01-01T00-00-00-000Z in ${empty}.`,
      `The folder above the place for backups ${join(missing, 'deeper')} does not exist.`,
      '--keep must be numbers of hours, days, weeks and months, such as 24h,7d,4w,12m; it was "7x".',
      'backup needs one folder or bucket.',
      '--backup-every and --backup-to belong together: how often, and where.',
      '--backup-every must be a number of minutes, hours or days, such as 30m, 1h or 1d; it was "1s".',
    ].map((sentence) => [2, `vitrine: ${sentence}\n`]),
  );
});

test('a backup can be made at once after a server was stopped in the middle of one', async () => {
  const { site, options } = await createGallery('SQLite');
  const bucket = startS3();
  bucket.mode = 'hanging';
  const key = { S3_ACCESS_KEY_ID: 'test', S3_SECRET_ACCESS_KEY: 'test' };
  const server = await serveIn(key, ...options, '--backup-every', '1h', '--backup-to', bucket.location);
  await waitFor(() => count(site.database, sql`from job where held_by <> ''`));
  await server.stop();
  bucket.mode = 'whole';
  expect(await vitrineIn(key, 'backup', bucket.location, ...options)).toMatchObject({ code: 0 });
});

onBothDatabases((kind) => {
  test('of several servers on a database, one makes the backups', async () => {
    const { options } = await createGallery(kind);
    const folder = temporaryPath('backups');
    const schedule = ['--backup-every', '1h', '--backup-to', folder];
    const servers = await Promise.all([serve(...options, ...schedule), serve(...options, ...schedule)]);
    const lines = () => servers.flatMap((server) => server.lines);
    await waitFor(() => lines().some((line) => / files?, up to change/.test(line)));
    // What the other one has begun comes to an end.
    await Promise.all(servers.map((server) => server.stop()));
    expect(backupsIn(folder)).toHaveLength(1);
    expect(await vitrine('verify', folder)).toMatchObject({ code: 0 });
    expect(lines().filter((line) => line.includes('"level":"error"'))).toEqual([]);

    const later = await vitrine('backup', folder, ...options, '--unless-newer', '1h');
    expect([later.code, later.error]).toEqual([0, '']);
    expect(backupsIn(folder)).toHaveLength(1);
  });
});

test('a backup that a server cannot make is in its log', async () => {
  const { options } = await createGallery('SQLite');
  const folder = temporaryPath('backups');
  mkdirSync(join(folder, 'files'), { recursive: true });
  writeFileSync(join(folder, 'files/18'), '');
  const server = await serve(...options, '--backup-every', '1h', '--backup-to', folder);
  const line = await waitFor(() => server.lines.find((line) => line.includes('"level":"error"')));
  expect(line).toContain(
    `The backup failed, and is tried again in 5 minutes: ${join(folder, 'files/18', helloHash)} cannot be used: a part of the path is a file.`,
  );
  expect(backupsIn(folder)).toEqual([]);
});
