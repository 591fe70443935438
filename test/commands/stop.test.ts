// Stopping a server while it works.

import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { select } from '../../src/database/query.ts';
import { weeklyCountTable } from '../../src/database/schema.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { EventReader } from '../support/event-reader.ts';
import { emptyGallery } from '../support/galleries.ts';
import { jpegWithScans, pngWithHeader } from '../support/pictures.ts';
import { freePort } from '../support/processes.ts';
import { serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { ada, dump, project } from '../support/site.ts';
import { waitFor } from '../support/workers.ts';

test('a server that is stopped does not wait for a picture whose request was abandoned', async () => {
  const side = 6900;
  const rowLength = side * 3 + 1;
  const rows = Buffer.alloc(rowLength * side);
  for (let dot = 1; dot < rows.length; dot += 2003) if (dot % rowLength) rows[dot] = 255;
  const picture = pngWithHeader(side, side, deflateSync(rows, { level: 1 }));
  const slowPicture = await jpegWithScans(50, picture);
  const database = temporaryPath('stop.sqlite');
  await vitrineWithInput('correct horse battery', 'user', 'add', 'ada', '--database', database);
  const key = (await vitrine('key', 'add', 'ada', 'test', 'write', '--database', database)).out.trim();
  const server = await serve('--database', database);
  const form = new FormData();
  form.set('title', 'Dots');
  form.set('file', new File([new Uint8Array(slowPicture)], 'dots.jpg'));
  const upload = new AbortController();
  const projects = `http://localhost:${server.port}/api/v1/projects/`;
  const encoded = new Response(form);
  const headers = {
    Authorization: `Token ${key}`,
    'Content-Type': encoded.headers.get('Content-Type') ?? '',
  };
  const bytes = await encoded.bytes();
  const sent = Promise.withResolvers<void>();
  let start = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(start, start + 65_536));
      start += 65_536;
      if (start < bytes.length) return;
      controller.close();
      sent.resolve();
    },
  });
  const aborted = fetch(projects, { method: 'POST', headers, body, signal: upload.signal }).catch(
    (error: Error) => error.name,
  );
  // Until the server decodes the picture, which takes seconds.
  await sent.promise;
  await Bun.sleep(600);
  upload.abort();
  expect(await aborted).toBe('AbortError');

  expect(await server.stop()).toBe(0);
  expect(server.lines.filter((line) => line.includes('POST'))).toEqual([]);
}, 60_000);

onBothDatabases((kind) => {
  test('a server that is stopped saves the views that it has counted', async () => {
    const address = await emptyGallery(kind);
    const options = ['--database', address, '--files', temporaryPath('files')];
    const server = await serve(...options, '--demo');
    const { results } = (await (
      await fetch(`${server.address}/api/v1/projects/?content_type=question&fields=html_url`)
    ).json()) as { results: { html_url: string }[] };
    for (const { html_url } of results.slice(0, 3)) expect((await fetch(html_url)).status).toBe(200);
    expect(await server.stop()).toBe(0);

    const database = await openGallery(address);
    const viewed = select(weeklyCountTable.columns, sql`from weekly_count where activity = 'viewed'`);
    const rows = await database.all(viewed);
    expect(rows.map(({ content_type, count }) => [content_type, count])).toEqual([['question', 3]]);
    await database.close();
  });
});

test('a server that is stopped breaks downloads instead of waiting for them', async () => {
  const database = temporaryPath('downloads.sqlite');
  const lines = Array.from({ length: 500 }, (_, index) => project(index + 1, { text: '. '.repeat(49_000) }));
  await vitrineWithInput(dump(ada, ...lines), 'import', '--database', database, '-');
  const server = await serve('--database', database);
  const download = await fetch(`${server.address}/api/v1/projects/?format=ndjson`);
  const reader = download.body?.getReader();
  await reader?.read();

  const before = performance.now();
  expect(await server.stop()).toBe(0);
  // Otherwise it ends when the idle connection is closed, or later.
  expect(performance.now() - before).toBeLessThan(8000);
  const readRest = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(readRest()).rejects.toThrow();
}, 20_000);

test('a server that is stopped ends streams of changes, and answers requests that wait for one', async () => {
  const database = temporaryPath('streams.sqlite');
  await vitrineWithInput(dump(ada, project(1)), 'import', '--database', database, '-');
  const port = freePort();
  const server = await serve('--database', database, '--metrics-port', String(port));
  const metrics = `http://localhost:${port}/metrics`;
  const stream = new EventReader(await fetch(`${server.address}/api/v1/changes/stream/?since=0`));
  const [last] = (await stream.take(2)).slice(-1);
  const path = `${server.address}/api/v1/changes/?since=${last?.id}`;
  const waiting = fetch(`${path}&wait=30`).then((response) => response.json());
  await waitFor(async () =>
    (await (await fetch(metrics)).text()).includes('vitrine_open_responses{worker="1"} 2'),
  );

  const before = performance.now();
  const stopped = server.stop();
  await stream.waitForEnd();
  expect(await waiting).toEqual({ last: last?.id, next: null, results: [] });
  expect(await stopped).toBe(0);
  expect(performance.now() - before).toBeLessThan(8000);
});

test('a server without workers says that SIGHUP does not start it again, and goes on', async () => {
  const server = await serve('--database', await emptyGallery('SQLite'));
  server.process.kill('SIGHUP');
  await waitFor(() =>
    server.lines.some((line) => line.includes('SIGHUP replaces workers, and this server has none')),
  );
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});
