// Stopping a server while it works.

import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { temporaryPath } from '../support/databases.ts';
import { jpegWithScans, pngWithHeader } from '../support/pictures.ts';
import { serve, vitrine, vitrineWithInput } from '../support/server.ts';

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
  const headers = { Authorization: `Token ${key}` };
  const aborted = fetch(projects, { method: 'POST', headers, body: form, signal: upload.signal }).catch(
    (error: Error) => error.name,
  );
  // Until the server decodes the picture, which takes seconds.
  await Bun.sleep(600);
  upload.abort();
  expect(await aborted).toBe('AbortError');

  expect(await server.stop()).toBe(0);
  expect(server.lines.filter((line) => line.includes('POST'))).toEqual([]);
}, 60_000);
