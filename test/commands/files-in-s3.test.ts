// S3 sends too little or nothing: people and the operator notice.

import { expect, test } from 'bun:test';
import { program } from '../support/program.ts';
import { startS3 } from '../support/s3-server.ts';
import { serveWith, vitrine } from '../support/server.ts';
import { createGallery } from './create-gallery.ts';

const key = ['S3_ACCESS_KEY_ID=test', 'S3_SECRET_ACCESS_KEY=test'];
const text = 'a long text '.repeat(200_000);

async function start(...more: string[]) {
  const s3 = startS3();
  const { options, headers } = await createGallery();
  const server = await serveWith(
    ['env', ...key, await program()],
    ...options,
    '--files',
    s3.location,
    ...more,
  );
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
    headers,
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

test('with --media-url signed, public files come from the bucket for five minutes, and no others', async () => {
  const { url, server, headers } = await start('--media-url', 'signed');
  const request = (more: RequestInit = {}) => fetch(url, { redirect: 'manual', ...more });

  const redirect = await request();
  const location = new URL(redirect.headers.get('Location') ?? '');
  expect([redirect.status, redirect.headers.get('Cache-Control'), await redirect.text()]).toEqual([
    302,
    'public, max-age=240, must-revalidate',
    '',
  ]);
  expect(location.searchParams.get('X-Amz-Expires')).toBe('300');
  const followed = await fetch(location);
  expect([followed.headers.get('Content-Type'), followed.headers.get('Content-Disposition')]).toEqual([
    'text/plain; charset=utf-8',
    `attachment; filename="long.txt"; filename*=UTF-8''long.txt`,
  ]);
  expect(await followed.text()).toBe(text);
  const page = await fetch(server.address, { headers: { Accept: 'text/html' } });
  expect(page.headers.get('Content-Security-Policy')).toContain(
    `img-src 'self' ${location.origin}; media-src 'self' ${location.origin};`,
  );

  const part = await request({ headers: { Range: 'bytes=0-5' } });
  expect([part.status, await part.text()]).toEqual([206, 'a long']);
  expect((await request({ method: 'HEAD' })).status).toBe(200);

  const body = JSON.stringify({ visibility: 'private' });
  const changed = await fetch(`${server.address}/api/v1/projects/1/`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  expect(changed.status).toBe(200);
  expect((await request()).status).toBe(404);
  const own = await request({ headers });
  expect([own.status, own.headers.get('Cache-Control'), await own.text()]).toEqual([
    200,
    'private, no-cache',
    text,
  ]);
});

test('signed addresses need a bucket', async () => {
  expect(await vitrine('serve', '--media-url', 'signed')).toEqual({
    code: 2,
    out: '',
    error: 'vitrine: --media-url signed needs --files s3://…: a folder has no signed addresses.\n',
  });
});
