// Stopping a server while it works.

import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { select } from '#sql';
import { openGallery } from '../../src/core/open-gallery.ts';
import { weeklyCountTable } from '../../src/features/statistics/tables.ts';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { EventReader } from '../support/event-reader.ts';
import { emptyGallery } from '../support/galleries.ts';
import { jpegWithScans, pngWithHeader } from '../support/pictures.ts';
import { onFreePort, processorMs } from '../support/processes.ts';
import { serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { ada, dump, pathOf, project, siteAt } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';

test('a server that is stopped does not wait for a picture whose request was abandoned', async () => {
  const side = 4000;
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
  let start = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(start, start + 65_536));
      start += 65_536;
      if (start >= bytes.length) controller.close();
    },
  });
  const aborted = fetch(projects, { method: 'POST', headers, body, signal: upload.signal }).catch(
    (error: Error) => error.name,
  );
  // Until the server decodes the picture, which takes it much longer than to stop.
  await waitFor(() => start >= bytes.length);
  const before = processorMs(server.process.pid);
  await waitFor(() => processorMs(server.process.pid) > before + 100);
  upload.abort();
  expect(await aborted).toBe('AbortError');
  const atAbort = processorMs(server.process.pid);

  expect(await server.stop()).toBe(0);
  // To decode it takes several times as much, and as long as the process needs for that.
  expect(Number(server.process.resourceUsage()?.cpuTime.total) / 1000 - atAbort).toBeLessThan(300);
  expect(server.lines.filter((line) => line.includes('POST'))).toEqual([]);
});

onBothDatabases((kind) => {
  test('a server that is stopped saves the views that it has counted', async () => {
    const address = await emptyGallery(kind);
    const options = ['--database', address, '--files', temporaryPath('files')];
    const questions = [1, 2, 3].map((id) => project(id, { content_type: 'question' }));
    await (await siteAt(address, { dump: dump(ada, ...questions) })).close();
    const server = await serve(...options);
    for (const id of [1, 2, 3]) expect((await fetch(server.address + pathOf(id))).status).toBe(200);
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
  const text = '. '.repeat(49_000);
  const lines = Array.from({ length: 150 }, (_, index) => project(index + 1, { text }));
  await vitrineWithInput(dump(ada, ...lines), 'import', '--database', database, '-');
  const server = await serve('--database', database);
  const download = await fetch(`${server.address}/api/v1/projects/?format=ndjson`);
  const reader = download.body?.getReader();
  await reader?.read();

  const stopped = server.stop();
  // It would take a minute to read all.
  let bytes = 0;
  const readRest = async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      bytes += value?.length ?? 0;
      await randomPause(400);
    }
  };
  await Promise.all([expect(stopped).resolves.toBe(0), expect(readRest()).rejects.toThrow()]);
  // An idle connection would be closed later.
  expect(bytes).toBeLessThan(30 * text.length);
});

test('a server that is stopped ends streams of changes, and answers requests that wait for one', async () => {
  const database = temporaryPath('streams.sqlite');
  await vitrineWithInput(dump(ada, project(1)), 'import', '--database', database, '-');
  const [server, port] = await onFreePort((port) =>
    serve('--database', database, '--metrics-port', String(port)),
  );
  const metrics = `http://localhost:${port}/metrics`;
  const stream = new EventReader(await fetch(`${server.address}/api/v1/changes/stream/?since=0`));
  const [last] = (await stream.take(2)).slice(-1);
  const path = `${server.address}/api/v1/changes/?since=${last?.id}`;
  const waiting = fetch(`${path}&wait=30`).then((response) => response.json());
  await waitFor(async () =>
    (await (await fetch(metrics)).text()).includes('vitrine_open_responses{worker="1"} 2'),
  );

  const stopped = server.stop();
  await stream.waitForEnd();
  expect(await waiting).toEqual({ last: last?.id, next: null, results: [] });
  expect(await stopped).toBe(0);
  const { us } = JSON.parse(server.lines.find((line) => line.includes('wait=')) ?? '');
  expect(us).toBeLessThan(30_000_000);
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
