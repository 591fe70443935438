// S3 sends too little or nothing: people and the operator notice.

import { expect, test } from 'bun:test';
import { program } from '../support/program.ts';
import { startS3 } from '../support/s3-server.ts';
import { serveWith } from '../support/server.ts';
import { createGallery } from './create-gallery.ts';

const key = ['S3_ACCESS_KEY_ID=test', 'S3_SECRET_ACCESS_KEY=test'];
const text = 'a long text '.repeat(200_000);

async function start() {
  const s3 = startS3();
  const { options, headers } = await createGallery();
  const server = await serveWith(['env', ...key, await program()], ...options, '--files', s3.location);
  const upload = async () => {
    const body = new FormData();
    body.append('file', new Blob([text]), 'long.txt');
    return fetch(`${server.address}/api/v1/projects/1/media/`, { method: 'POST', headers, body });
  };
  /** The whole body, or `broken` if the connection was closed before its end. */
  const download = (url: string, more = {}) =>
    fetch(url, { headers: { ...headers, ...more } })
      .then((response) => response.text())
      .catch(() => 'broken');
  const [file] = (await (await upload()).json()) as [{ url: string }];
  return {
    s3,
    server,
    upload,
    download,
    url: file.url,
    dump: `${server.address}/api/v1/me/dump/?format=ndjson`,
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** The lines of the log about files, after the server has stopped. */
async function stopAndReadErrors({ server, url }: Started): Promise<string[]> {
  expect(await server.stop()).toBe(0);
  const [hash = ''] = /[0-9a-f]{64}/.exec(url) ?? [];
  return server.lines
    .filter((line) => line.includes('"level":"error"'))
    .map((line) => (JSON.parse(line) as { error: string }).error.replaceAll(hash, '<hash>'));
}

const unavailable = 'Service temporarily unavailable, try again later. Cause: ';

test('a file that S3 cuts off is sent in a connection that breaks, and the log says why', async () => {
  const site = await start();
  expect(await site.download(site.url)).toBe(text);
  expect(await site.download(site.dump)).toContain('"type":"bytes"');

  site.s3.mode = 'half';
  expect(await site.download(site.url)).toBe('broken');
  expect(await site.download(site.dump)).toBe('broken');

  expect(await stopAndReadErrors(site)).toEqual([
    `${unavailable}S3 sent 1200000 of 2400000 bytes of <hash>`,
    `${unavailable}S3 sent 196608 of 393216 bytes of <hash>`,
  ]);
});

test('a file that S3 has changed or lost is not sent', async () => {
  const site = await start();
  const [path = ''] = [...site.s3.objects.keys()].filter((key) =>
    site.url.includes(key.split('/').at(-1) ?? '-'),
  );
  site.s3.objects.set(path, new Uint8Array(Buffer.from(text.replace('long', 'lung'))));
  expect(await site.download(site.url)).toBe('broken');
  expect(await site.download(site.url, { Range: 'bytes=0-' })).toBe('broken');

  site.s3.objects.delete(path);
  expect((await fetch(site.url)).status).toBe(503);
  expect(await stopAndReadErrors(site)).toEqual([
    `${unavailable}the bytes of <hash> are others`,
    `${unavailable}the bytes of <hash> are others`,
    `${unavailable}the file <hash> is missing from the file store`,
  ]);
});

test('downloads and uploads end when S3 has not answered for a while, and the server stops', async () => {
  const site = await start();
  site.s3.mode = 'hanging';
  const [downloaded, dumped, uploaded] = await Promise.all([
    site.download(site.url),
    site.download(site.dump),
    site.upload(),
  ]);
  expect([downloaded, dumped]).toEqual(['broken', 'broken']);
  expect([uploaded.status, uploaded.headers.get('Retry-After')]).toEqual([503, '1']);

  const silence = `${unavailable}S3 does not answer`;
  expect(await stopAndReadErrors(site)).toEqual([silence, silence, silence]);
}, 30_000);
