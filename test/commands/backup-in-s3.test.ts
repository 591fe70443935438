// Backups in a bucket.

import { expect, test } from 'bun:test';
import { emptyDatabase, filesFolder, temporaryPath } from '../support/databases.ts';
import { startS3 } from '../support/s3-server.ts';
import { vitrine, vitrineIn, writtenTo } from '../support/server.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';

const key = { S3_ACCESS_KEY_ID: 'test', S3_SECRET_ACCESS_KEY: 'test' };
const withBucket = (...args: string[]) => vitrineIn(key, ...args);

const maxPartLength = 5 * 1024 * 1024;

/** Of all together, a bucket takes less in one request, also when they are compressed. */
const longText = () => crypto.getRandomValues(new Uint8Array(250_000)).toHex();

async function createGallery(text: () => string) {
  const projects = Array.from({ length: 12 }, (_, index) => project(index + 1, { text: text() }));
  const site = await siteOn('SQLite', { dump: dump(ada, ...projects) });
  const owner = await site.key('ada');
  const form = new FormData();
  form.append('file', new Blob(['Hello']), 'a.txt');
  const path = '/api/v1/projects/1/media/';
  expect((await site.request(path, { method: 'POST', headers: owner, body: form })).status).toBe(201);
  return { site, options: ['--database', site.address, '--files', site.folder] };
}

test('a backup in a bucket is verified, restored and deleted like one in a folder', async () => {
  const s3 = startS3();
  const { site, options } = await createGallery(longText);
  const [address = '', settings] = s3.location.split('?');
  const place = `${address}/daily?${settings}`;
  const signer = temporaryPath('key');
  await vitrine('backup-key', signer);

  const made = await withBucket('backup', place, ...options, '--sign-with', signer);
  expect([made.code, made.error]).toEqual([0, '']);
  expect(made.out).toContain('1 contributor, 12 projects, 1 file');
  const first = made.out.split(': ')[0] ?? '';
  expect(first).toMatch(/^s3:\/\/gallery\/daily\/20[^/]*Z\?endpoint=/);
  expect([...s3.objects].some(([, { length }]) => length > maxPartLength)).toBe(true);
  expect(await withBucket('verify', first, '--public-key', `${signer}.pub`)).toMatchObject({
    code: 0,
    error: '',
  });

  const examined = ['doctor', ...options, '--backup-every', '1h', '--backup-to'] as const;
  expect((await withBucket(...examined, place)).out).toContain('Backups: the newest is 0 minutes old.\n');
  const nowhere = await withBucket(...examined, 's3://gallery?endpoint=http://127.0.0.1:1');
  expect(nowhere.out).toContain('- The backups at s3://gallery cannot be used: it cannot be reached (');

  const restored = await emptyDatabase('SQLite');
  expect(await withBucket('restore', place, '--database', restored)).toMatchObject({
    code: 0,
    error: writtenTo(restored),
  });
  const exported = await vitrine('export', '-', ...options);
  const copy = await vitrine('export', '-', '--database', restored, '--files', filesFolder(restored));
  expect(copy.out === exported.out).toBe(true);

  const second = await withBucket('backup', place, ...options, '--keep', '1d');
  expect(second).toMatchObject({
    code: 0,
    error: '',
    out: expect.stringContaining('; 0 of its files are new'),
  });
  expect(await withBucket('verify', first)).toMatchObject({
    code: 2,
    error: expect.stringContaining('There is no backup'),
  });
  const names = [...s3.objects.keys()].map((path) =>
    path.replace(/^.*Z\//, '').replace(/[0-9a-f]{64}/, '<hash>'),
  );
  expect(names.sort()).toEqual([
    '/gallery/daily/files/<hash>',
    'files.sha256',
    'gallery.ndjson.zst',
    'manifest.json',
  ]);
  await site.close();
});

test('a damaged or missing object is named, and a bucket that fails is no bad backup', async () => {
  const s3 = startS3();
  const { options } = await createGallery(() => 'Short.');
  await withBucket('backup', s3.location, ...options);
  const file = [...s3.objects.keys()].find((path) => path.includes('/files/')) ?? '';
  const hash = file.split('/').at(-1);

  s3.mode = 'half';
  expect(await withBucket('verify', s3.location)).toEqual({
    code: 2,
    out: '',
    error: expect.stringMatching(
      /^vitrine: The bucket cannot be used: S3 sent \d+ of \d+ bytes of manifest\.json\.\n$/,
    ),
  });
  s3.mode = 'whole';
  s3.objects.set(file, new Uint8Array(5));
  const damaged = await withBucket('verify', s3.location);
  expect([damaged.code, damaged.out]).toEqual([
    1,
    expect.stringContaining(`The file ${hash} is damaged: its content is another one.\n`),
  ]);
  s3.objects.delete(file);
  expect(await withBucket('verify', s3.location)).toMatchObject({
    code: 1,
    out: expect.stringContaining(`The file ${hash} is missing.\n`),
  });
});
