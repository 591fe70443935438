// Files of projects in the commands: where an operator can store them, and what import, export and check do with them.

import { expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { temporaryPath } from '../support/databases.ts';
import { wordParts, zip } from '../support/documents.ts';
import { jpeg } from '../support/pictures.ts';
import { serve, vitrine } from '../support/server.ts';
import { ada, dump, project, siteAt, siteOn } from '../support/site.ts';
import { createGallery } from './create-gallery.ts';

/** A site with a photo, and the options of commands for its gallery. */
async function siteWithPhoto() {
  const site = await siteOn('SQLite', { dump: dump(ada, project(1)) });
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await jpeg(800, 600))]), 'kite.jpg');
  const headers = await site.key('ada');
  const response = await site.request('/api/v1/projects/1/media/', { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  const [photo] = (await response.json()) as [{ url: string; bytes: number }];
  return { site, photo, options: ['--database', site.address, '--files', site.folder] };
}

test('a photo is served, exported, and imported into another gallery', async () => {
  const { site, photo, options } = await siteWithPhoto();
  const url = site.serve() + new URL(photo.url).pathname;
  const part = await fetch(url, { headers: { Range: 'bytes=0-3' } });
  expect([part.status, part.headers.get('Content-Range'), await part.text()]).toEqual([
    206,
    `bytes 0-3/${photo.bytes}`,
    'RIFF',
  ]);

  const whole = await fetch(url, { headers: { Range: 'bytes=0-3', 'If-Range': '"other"' } });
  expect([whole.status, (await whole.bytes()).length]).toEqual([200, photo.bytes]);

  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(photo.bytes)]);

  const firstExport = temporaryPath('first.ndjson');
  expect((await vitrine('export', firstExport, ...options)).code).toBe(0);

  const other = ['--database', temporaryPath('other.sqlite'), '--files', temporaryPath('other')];
  expect((await vitrine('import', firstExport, ...other)).code).toBe(0);
  expect(await vitrine('check', ...other)).toEqual({ code: 0, out: 'All is well.\n', error: '' });

  const secondExport = temporaryPath('second.ndjson');
  await vitrine('export', secondExport, ...other);
  expect(await Bun.file(secondExport).text()).toBe(await Bun.file(firstExport).text());
});

test('check reports stored files that nothing refers to, and deletes those that are a day old', async () => {
  const { options, database } = await createGallery();
  const pathOf = (name: string) => `${database}.files/${name}`;
  const [young, old] = ['a', 'b'].map((letter) => pathOf(`${letter}${letter}/${letter.repeat(64)}`));
  const unfinished = pathOf(`unfinished/${crypto.randomUUID()}`);
  for (const path of [young, old, unfinished]) await Bun.write(path ?? '', 'abc');
  const time = Date.now() / 1000 - 25 * 3600;
  for (const path of [old, unfinished]) utimesSync(path ?? '', time, time);

  const found = 'nothing refers to 2 stored files\n';
  expect(await vitrine('check', ...options)).toMatchObject({ code: 1, out: expect.stringContaining(found) });
  await vitrine('check', '--repair', ...options);
  expect([young, old, unfinished].map((path) => existsSync(path ?? ''))).toEqual([true, false, false]);
  expect(await vitrine('check', ...options)).toEqual({ code: 0, out: 'All is well.\n', error: '' });
});

test('check says how many files an upload has left that failed after its bytes were stored', async () => {
  const { site, options } = await siteWithPhoto();
  const put = site.files.put.bind(site.files);
  site.files.put = async (...file) => {
    await put(...file);
    throw new Error('the connection broke');
  };
  const body = new FormData();
  body.append('file', new Blob(['a text']), 'text.txt');
  const headers = await site.key('ada');
  const failed = await site.request('/api/v1/projects/1/media/', { method: 'POST', headers, body });
  expect(failed.status).toBe(500);
  expect(await vitrine('check', ...options)).toEqual({
    code: 0,
    out: 'All is well.\n',
    error: 'Nothing refers to 1 newer file: the server deletes what is a day old.\n',
  });
});

test('check reports missing bytes, and export fails because of them', async () => {
  const { site, options } = await siteWithPhoto();
  const [subfolder = ''] = readdirSync(site.folder).filter((name) => name !== 'unfinished');
  rmSync(`${site.folder}/${subfolder}`, { recursive: true });

  const problem = 'the bytes of a file are missing';
  expect(await vitrine('check', ...options)).toEqual({ code: 1, out: `${problem}: 1\n`, error: '' });
  expect(await vitrine('check', '--repair', ...options)).toEqual({
    code: 1,
    out: `${problem}: 1\nThis could not be put right: ${problem}.\n`,
    error: '',
  });

  const { code, error } = await vitrine('export', '-', ...options);
  expect([code, error]).toEqual([2, expect.stringMatching(/is missing from the file store/)]);
});

test('strip-files takes names out of files that were stored before, once', async () => {
  const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'Ada Lovelace ')]);
  const sound = Buffer.from(await Bun.file(new URL('../support/samples/a.mp3', import.meta.url)).bytes());
  const letter = Buffer.from(zip({ ...wordParts(), 'docProps/core.xml': 'Ada Lovelace' }));
  const stored: [type: string, content: Buffer][] = [
    ['audio/mpeg', Buffer.concat([sound, tag])],
    ['audio/mpeg', Buffer.from('no sound')],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', letter],
  ];
  const lines = stored.flatMap(([type, content], index) => {
    const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex');
    const sizes = [{ hash, bytes: content.length, width: null, height: null }];
    const at = { project: index + 1, number: 1, position: 1 };
    return [
      JSON.stringify({ type: 'media', ...at, media_type: type, name: 'a', alt: '', sizes }),
      JSON.stringify({ type: 'bytes', hash, of: content.length, at: 0, base64: content.toString('base64') }),
    ];
  });
  const source = temporaryPath('dump.ndjson');
  writeFileSync(source, dump(ada, project(1), project(2), project(3), ...lines));
  const database = temporaryPath('gallery.sqlite');
  const options = ['--database', database];
  expect((await vitrine('import', source, ...options)).code).toBe(0);

  const unreadable = 'These projects have files that cannot be read, and stay as they are: 2.\n';
  const first = await vitrine('strip-files', ...options);
  expect(first).toEqual({ code: 1, out: `3 files read, 2 changed.\n${unreadable}`, error: '' });
  const again = await vitrine('strip-files', ...options);
  expect(again).toEqual({ code: 1, out: `3 files read, 0 changed.\n${unreadable}`, error: '' });
  // The files of before.
  const unused = 'Nothing refers to 2 newer files: the server deletes what is a day old.\n';
  expect(await vitrine('check', ...options)).toEqual({ code: 0, out: 'All is well.\n', error: unused });
  const site = await siteAt(database);
  const record = (await site.json('/api/v1/projects/1/?fields=media')) as {
    media: { url: string; bytes: number }[];
  };
  const [file] = record.media;
  const bytes = await (await site.get(new URL(file?.url ?? '').pathname)).bytes();
  expect([file?.bytes, bytes.length < sound.length, Buffer.from(bytes).includes('Ada')]).toEqual([
    bytes.length,
    true,
    false,
  ]);
});

test('a gallery without files has no folder for them', async () => {
  const { options, database } = await createGallery();
  const server = await serve(...options);
  await fetch(`${server.address}/`);
  expect(existsSync(`${database}.files`)).toBe(false);
});

test('a location where files cannot be stored is reported before the database is opened', async () => {
  const file = temporaryPath('file');
  writeFileSync(file, '');
  const s3Syntax =
    'The place for files must look like s3://bucket/folder?endpoint=https://host&region=name, all but the bucket as you need it.';
  const mistakes: [location: string, sentence: string][] = [
    [file, `The place for files ${file} is not a folder.`],
    ['/nowhere/at/all', 'The folder above the place for files /nowhere/at/all does not exist.'],
    ['/proc/files', 'The place for files /proc/files cannot be written: check who may write there.'],
    ['ftp://host/files', 'The files must be in a folder or at s3://…, not ftp:.'],
    ['s3://', s3Syntax],
    ['s3://bucket?secret=x', s3Syntax],
    ['s3://key:secret@bucket', s3Syntax],
    ['s3://bucket?endpoint=nowhere', s3Syntax],
    [
      's3://bucket?endpoint=http://127.0.0.1:1',
      'The files at s3:// need a key: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the same with AWS_.',
    ],
  ];
  for (const [location, sentence] of mistakes) {
    const database = temporaryPath('unopened.sqlite');
    const result = await vitrine('serve', '--files', location, '--database', database);
    expect([location, result]).toEqual([location, { code: 2, out: '', error: `vitrine: ${sentence}\n` }]);
    expect(existsSync(database)).toBe(false);
  }
});
