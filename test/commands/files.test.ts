// Files of projects in the commands: where an operator can store them, and what import, export and check do with them.

import { expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { temporaryPath } from '../support/databases.ts';
import {
  box,
  oggPage,
  pdf,
  type Relation,
  stream,
  webmElement,
  wordParts,
  zip,
} from '../support/documents.ts';
import { jpeg, png, pngWithHeader } from '../support/pictures.ts';
import { serve, vitrine } from '../support/server.ts';
import { ada, dump, project } from '../support/site.ts';
import { createGallery } from './create-gallery.ts';

async function uploadPhoto(address: string, headers: Record<string, string>): Promise<Response> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await jpeg(800, 600))]), 'kite.jpg');
  return fetch(`${address}/api/v1/projects/1/media/`, { method: 'POST', headers, body });
}

test('a photo is served, exported, and imported into another gallery', async () => {
  const { options, headers, database } = await createGallery();
  const server = await serve(...options);
  const upload = await uploadPhoto(server.address, headers);
  expect(upload.status).toBe(201);
  expect(existsSync(`${database}.files`)).toBe(true);

  const [photo] = (await upload.json()) as [{ url: string; bytes: number }];
  const part = await fetch(photo.url, { headers: { Range: 'bytes=0-3' } });
  expect([part.status, part.headers.get('Content-Range'), await part.text()]).toEqual([
    206,
    `bytes 0-3/${photo.bytes}`,
    'RIFF',
  ]);

  const whole = await fetch(photo.url, { headers: { Range: 'bytes=0-3', 'If-Range': '"other"' } });
  expect([whole.status, (await whole.bytes()).length]).toEqual([200, photo.bytes]);

  const head = await fetch(photo.url, { method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(photo.bytes)]);
  await server.stop();

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

test('check reports missing bytes, and export fails because of them', async () => {
  const { options, headers, database } = await createGallery();
  const server = await serve(...options);
  await uploadPhoto(server.address, headers);
  await server.stop();
  const [subfolder = ''] = readdirSync(`${database}.files`).filter((name) => name !== 'unfinished');
  rmSync(`${database}.files/${subfolder}`, { recursive: true });

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

const megabytes = 1_000_000;

/** A model whose description is this JSON. */
function glb(json: string): Uint8Array<ArrayBuffer> {
  const description = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0\0\0\0\0JSON', 'latin1');
  head.writeUInt32LE(head.length + description.length, 8);
  head.writeUInt32LE(description.length, 12);
  return new Uint8Array(Buffer.concat([head, description]));
}

/** A document whose pictures become 450 MB, and files that have as many parts as fit into an upload. */
async function createCostlyFiles(): Promise<
  [name: string, content: Uint8Array<ArrayBuffer>, status: number][]
> {
  const picture = pngWithHeader(1, 1, Buffer.alloc(45 * megabytes));
  const pictures = Array.from({ length: 10 }, (_, index) => [`word/media/${index}.png`, picture]);
  const list = pictures.map(([name], index): Relation => [`r${index}`, 'image', `/${name}`]);
  const many = (part: string | Buffer) => Buffer.alloc(24 * megabytes, part, 'latin1');
  const page = oggPage(Buffer.alloc(0));
  page[5] = 2;
  const flac = Buffer.from(await Bun.file(new URL('../support/samples/a.flac', import.meta.url)).bytes());
  const info = Buffer.from(flac.subarray(0, 42));
  info[4] = 0;
  const wav = Buffer.from('RIFF\0\0\0\0WAVEfmt \x04\0\0\0abcd', 'latin1');
  const start = box('ftyp', Buffer.from('isom\0\0\0\0'));
  const film = [webmElement('1a45dfa3', webmElement('4282', 'webm')), Buffer.from('18538067ff', 'hex')];
  const emptyFrame = Buffer.alloc(104);
  emptyFrame.set([0xff, 0xfb, 0x10]);
  const small = png(8, 8);
  const chunks = many('\0\0\0\0tEXt\0\0\0\0');
  const photo = Buffer.from(await jpeg(8, 8));
  const segments = [photo.subarray(0, 2), many('\xff\xe1\0\x02'), photo.subarray(2)];
  const webp = [await new Bun.Image(small).webp().buffer(), many('EXIF\0\0\0\0')];
  const openDocument = {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': '<a b="c"/>'.repeat(4 * megabytes),
  };
  const triangles = Buffer.alloc(84 + 50 * 480_000, 1);
  triangles.writeUInt32LE(480_000, 80);
  const gif = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const numbers = '0 '.repeat(12 * megabytes);
  const pages = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'];
  const packed = stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', deflateSync(`9 0 [${numbers}]`));
  return [
    ['album.docx', zip({ ...wordParts('<w/>', list), ...Object.fromEntries(pictures) }), 201],
    ['seek-tables.flac', new Uint8Array(Buffer.concat([info, many('\x03\0\0\0')])), 400],
    ['chunks.wav', new Uint8Array(Buffer.concat([wav, many('fact\0\0\0\0')])), 400],
    ['streams.ogg', new Uint8Array(Buffer.concat([oggPage(Buffer.from('OpusHead')), many(page)])), 400],
    ['boxes.mp4', new Uint8Array(Buffer.concat([start, box('moov', many('\0\0\0\x08free'))])), 400],
    ['voids.webm', new Uint8Array(Buffer.concat([...film, many('\xec\x80')])), 400],
    ['tags.mp3', new Uint8Array(many('ID3\x03\0\0\0\0\0\0')), 400],
    ['frames.mp3', new Uint8Array(Buffer.alloc(104 * 230_000, emptyFrame)), 201],
    ['numbers.pdf', pdf([...pages, `[${numbers}]`]), 400],
    ['packed.pdf', pdf([...pages, packed]), 400],
    ['elements.odt', zip(openDocument), 201],
    ['triangles.stl', new Uint8Array(triangles), 201],
    ['numbers.glb', glb(`{"asset":{"version":"2.0"},"extras":[${'0,'.repeat(11 * megabytes)}0]}`), 400],
    ['chunks.png', new Uint8Array(Buffer.concat([small.subarray(0, 33), chunks, small.subarray(33)])), 201],
    ['segments.jpg', new Uint8Array(Buffer.concat(segments)), 400],
    ['chunks.webp', new Uint8Array(Buffer.concat(webp)), 201],
    ['notes.gif', new Uint8Array(Buffer.concat([gif, many('\x21\xfe\0')])), 400],
    [
      'parts.zip',
      zip(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`a${index}`, '']))),
      201,
    ],
  ];
}

test('files that are made to take much memory take less than 200 MB of it', async () => {
  const { options, headers } = await createGallery();
  for (const [name, content, status] of await createCostlyFiles()) {
    const server = await serve(...options);
    const maxMemory = async () => {
      const status = await Bun.file(`/proc/${server.process.pid}/status`).text();
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
    };
    const before = await maxMemory();
    const body = new FormData();
    body.append('file', new Blob([content]), name);
    const path = `${server.address}/api/v1/projects/1/media/`;
    let response = await fetch(path, { method: 'POST', headers, body });
    // A machine with much else to do gives up what takes long.
    for (let tries = 0; tries < 3 && (await response.clone().text()).includes('takes too long'); tries++)
      response = await fetch(path, { method: 'POST', headers, body });
    expect([name, response.status]).toEqual([name, status]);
    expect((await maxMemory()) - before, name).toBeLessThan(200);
    await server.stop('SIGKILL');
  }
}, 180_000);

test('strip-files takes names out of files that were stored before, once', async () => {
  const tag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'Ada Lovelace ')]);
  const sound = Buffer.from(await Bun.file(new URL('../support/samples/a.mp3', import.meta.url)).bytes());
  const [tagged, broken] = [Buffer.concat([sound, tag]), Buffer.from('no sound')];
  const lines = [tagged, broken].flatMap((content, index) => {
    const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex');
    const sizes = [{ hash, bytes: content.length, width: null, height: null }];
    const at = { project: index + 1, number: 1, position: 1 };
    return [
      JSON.stringify({ type: 'media', ...at, media_type: 'audio/mpeg', name: 'a.mp3', alt: '', sizes }),
      JSON.stringify({ type: 'bytes', hash, of: content.length, at: 0, base64: content.toString('base64') }),
    ];
  });
  const source = temporaryPath('dump.ndjson');
  writeFileSync(source, dump(ada, project(1), project(2), ...lines));
  const options = ['--database', temporaryPath('gallery.sqlite')];
  expect((await vitrine('import', source, ...options)).code).toBe(0);

  const unreadable = 'These projects have files that cannot be read, and stay as they are: 2.\n';
  const first = await vitrine('strip-files', ...options);
  expect(first).toEqual({ code: 1, out: `2 files read, 1 changed.\n${unreadable}`, error: '' });
  const again = await vitrine('strip-files', ...options);
  expect(again).toEqual({ code: 1, out: `2 files read, 0 changed.\n${unreadable}`, error: '' });
  expect(await vitrine('check', ...options)).toEqual({ code: 0, out: 'All is well.\n', error: '' });
  const server = await serve(...options);
  const record = (await (await fetch(`${server.address}/api/v1/projects/1/?fields=media`)).json()) as {
    media: { url: string; bytes: number }[];
  };
  const [file] = record.media;
  const bytes = await (await fetch(file?.url ?? '')).bytes();
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
  await server.stop();

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
