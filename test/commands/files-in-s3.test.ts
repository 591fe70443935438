// S3 sends too little or nothing: people and the operator notice.

import { expect, test } from 'bun:test';
import { S3Client } from 'bun';
import { S3Store } from '../../src/core/files/s3.ts';
import { startS3 } from '../support/s3-server.ts';
import { serveIn, vitrine } from '../support/server.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';
import { limitTime, stopClock, waitFor } from '../support/waiting.ts';
import { createGallery } from './create-gallery.ts';

const text = 'a long text '.repeat(200_000);

const uploadTo = (origin: string, headers: Record<string, string>, content: string) => {
  const body = new FormData();
  body.append('file', new Blob([content]), 'long.txt');
  return fetch(`${origin}/api/v1/projects/1/media/`, { method: 'POST', headers, body });
};

/** The whole body, or `broken` if the connection was closed before its end. */
const readWhole = (response: Response) => response.text().catch(() => 'broken');

/** A site whose files are in a bucket, which has one file. */
async function start() {
  const s3 = startS3();
  const site = await siteOn('SQLite', { dump: dump(ada, project(1)) });
  const { origin } = new URL(s3.location.split('endpoint=')[1] ?? '');
  const key = { accessKeyId: 'test', secretAccessKey: 'test' };
  const store = new S3Store(new S3Client({ bucket: 'gallery', endpoint: origin, ...key }), '');
  for (const name of ['put', 'size', 'stream', 'read'] as const)
    Object.assign(site.files, { [name]: store[name].bind(store) });
  const address = site.serve();
  const headers = await site.key('ada');
  const upload = (content: string) => uploadTo(address, headers, content);
  const begin = (url: string, more = {}) => fetch(url, { headers: { ...headers, ...more } });
  const [{ url }] = (await (await upload(text)).json()) as [{ url: string }];
  const [hash = ''] = /[0-9a-f]{64}/.exec(url) ?? [];
  return {
    s3,
    site,
    upload,
    begin,
    download: async (url: string, more = {}) => readWhole(await begin(url, more)),
    url,
    dump: `${address}/api/v1/me/dump/?format=ndjson`,
    /** The faults in the log. */
    faults: () =>
      site.logged
        .filter((line) => line.includes(' fault '))
        .map((line) => line.replace(/^.* fault /, '').replaceAll(hash, '<hash>')),
  };
}

const unavailable = 'Service temporarily unavailable, try again later. Cause: ';

test('a file that S3 cuts off is sent in a connection that breaks, and the log says why', async () => {
  const { s3, download, url, dump, faults } = await start();
  expect(await download(url)).toBe(text);
  expect(await download(dump)).toContain('"type":"bytes"');

  s3.mode = 'half';
  expect(await download(url)).toBe('broken');
  expect(await download(dump)).toBe('broken');

  expect(faults()).toEqual([
    `${unavailable}S3 sent 1200000 of 2400000 bytes of <hash>`,
    `${unavailable}S3 sent 196608 of 393216 bytes of <hash>`,
  ]);
});

test('a file that S3 has changed or lost is not sent', async () => {
  const { s3, download, url, faults } = await start();
  const [path = ''] = s3.objects.keys();
  s3.objects.set(path, new Uint8Array(Buffer.from(text.replace('long', 'lung'))));
  expect(await download(url)).toBe('broken');
  expect(await download(url, { Range: 'bytes=0-' })).toBe('broken');

  s3.objects.delete(path);
  expect((await fetch(url)).status).toBe(503);
  expect(faults()).toEqual([
    `${unavailable}the bytes of <hash> are others`,
    `${unavailable}the bytes of <hash> are others`,
    `${unavailable}the file <hash> is missing from the file store`,
  ]);
});

test('downloads and uploads end when S3 has not answered for a while', async () => {
  const { s3, upload, begin, url, dump, faults } = await start();
  s3.mode = 'hanging';
  limitTime('bucket', 5000);
  const clock = stopClock();
  const uploading = upload('a short text');
  const begun = await Promise.all([begin(url), begin(dump)]);
  await waitFor(() => s3.hanging === 3);
  clock.advance(5100);
  const uploaded = await uploading;
  expect(await Promise.all(begun.map(readWhole))).toEqual(['broken', 'broken']);
  expect([uploaded.status, uploaded.headers.get('Retry-After')]).toEqual([503, '1']);

  const silence = `${unavailable}S3 does not answer`;
  expect(faults()).toEqual([silence, silence, silence]);
});

test('with --media-url signed, public files come from the bucket for five minutes, and no others', async () => {
  const s3 = startS3();
  const { options, headers } = await createGallery();
  const server = await serveIn(
    { S3_ACCESS_KEY_ID: 'test', S3_SECRET_ACCESS_KEY: 'test' },
    ...[...options, '--files', s3.location, '--media-url', 'signed'],
  );
  const [{ url }] = (await (await uploadTo(server.address, headers, text)).json()) as [{ url: string }];
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
