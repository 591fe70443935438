// Where files are, as an operator says it, and what commands make of it.

import { expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { temporaryPath } from '../support/databases.ts';
import { jpeg } from '../support/pictures.ts';
import { serve, vitrine, vitrineReading } from '../support/server.ts';
import { ada, dump, project } from '../support/site.ts';

/** A gallery in which Ada has a photo, and where it is. */
async function galleryWithPhoto(...more: string[]) {
  const database = temporaryPath('gallery.sqlite');
  const where = ['--database', database, ...more];
  const source = temporaryPath('dump.ndjson');
  writeFileSync(source, dump(ada, project(1)));
  await vitrine('import', ...where, source);
  await vitrineReading('correct horse battery\n', 'user', 'add', 'ada', '--database', database);
  const key = (await vitrine('key', 'add', 'ada', 'test', 'write', '--database', database)).out.trim();
  return { database, where, headers: { Authorization: `Token ${key}` } };
}

const photo = async () => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await jpeg(800, 600))]), 'kite.jpg');
  return body;
};

test('a photo goes through a server, a dump and another server', async () => {
  const { where, headers, database } = await galleryWithPhoto();
  const server = await serve(...where);
  const path = '/api/v1/projects/1/media/';
  const answer = await fetch(server.address + path, { method: 'POST', headers, body: await photo() });
  const [media] = (await answer.json()) as [{ url: string; bytes: number }];
  const part = await fetch(media.url, { headers: { Range: 'bytes=0-3' } });
  const unmet = await fetch(media.url, { headers: { Range: 'bytes=0-3', 'If-Range': '"other"' } });
  const head = await fetch(media.url, { method: 'HEAD' });
  const heard = [await part.text(), (await unmet.bytes()).length, Number(head.headers.get('Content-Length'))];
  await server.stop();
  const out = temporaryPath('out.ndjson');
  const exported = await vitrine('export', out, ...where);
  const anew = ['--database', temporaryPath('anew.sqlite'), '--files', temporaryPath('anew')];
  const imported = await vitrine('import', out, ...anew);
  const again = temporaryPath('again.ndjson');
  await vitrine('export', again, ...anew);
  const checked = await vitrine('check', ...anew);

  expect([answer.status, part.status, unmet.status]).toEqual([201, 206, 200]);
  expect(part.headers.get('Content-Range')).toBe(`bytes 0-3/${media.bytes}`);
  expect(heard).toEqual(['RIFF', media.bytes, media.bytes]);
  expect([exported.code, imported.code, checked.out]).toEqual([0, 0, 'All is well.\n']);
  expect(await Bun.file(again).text()).toBe(await Bun.file(out).text());
  expect(existsSync(`${database}.files`)).toBe(true);
});

test('check reports missing bytes, and export fails on them', async () => {
  const { where, headers, database } = await galleryWithPhoto();
  const server = await serve(...where);
  await fetch(`${server.address}/api/v1/projects/1/media/`, { method: 'POST', headers, body: await photo() });
  await server.stop();
  const [shelf = ''] = readdirSync(`${database}.files`).filter((name) => name !== 'unfinished');
  rmSync(`${database}.files/${shelf}`, { recursive: true });
  const checked = await vitrine('check', ...where);
  const repaired = await vitrine('check', '--repair', ...where);
  const exported = await vitrine('export', '-', ...where);

  expect(checked).toMatchObject({ code: 1, out: 'the bytes of a file are missing: 1\n' });
  expect(repaired).toMatchObject({ code: 1, out: expect.stringContaining('This could not be put right') });
  expect([exported.code, exported.error]).toEqual([
    2,
    expect.stringMatching(/is missing from the file store/),
  ]);
});

test('a gallery without files makes no folder for them', async () => {
  const { where, database } = await galleryWithPhoto();
  const server = await serve(...where);
  await fetch(`${server.address}/`);
  await server.stop();

  expect(existsSync(`${database}.files`)).toBe(false);
});

test('an impossible place for files is reported before the database is opened', async () => {
  const [file, closed] = [temporaryPath('file'), temporaryPath('closed')];
  writeFileSync(file, '');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  const wrong: [place: string, sentence: string][] = [
    [file, `The place for files ${file} is not a folder.`],
    ['/nowhere/at/all', 'The folder above the place for files /nowhere/at/all does not exist.'],
    ['ftp://host/files', 'The files must be in a folder or at s3://…, not ftp:.'],
    ['s3://', 'The place for files must look like s3://bucket/folder'],
    ['s3://bucket?secret=x', 'The place for files must look like s3://bucket/folder'],
    ['s3://key:secret@bucket', 'The place for files must look like s3://bucket/folder'],
    ['s3://bucket?endpoint=nowhere', 'The place for files must look like s3://bucket/folder'],
    ['s3://bucket?endpoint=http://127.0.0.1:1', 'The files at s3:// need a key: set S3_ACCESS_KEY_ID'],
  ];
  for (const [place, sentence] of wrong) {
    const database = temporaryPath('none.sqlite');
    const { code, out, error } = await vitrine('serve', '--files', place, '--database', database);

    expect([place, code, out, existsSync(database)]).toEqual([place, 2, '', false]);
    expect(error).toStartWith(`vitrine: ${sentence}`);
    expect(error.split('\n')).toHaveLength(2);
  }
});
