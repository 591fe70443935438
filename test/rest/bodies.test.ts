// Bodies that no text file can hold: multipart forms, bytes that are not UTF-8, and very large bodies.

import { beforeAll, expect, test } from 'bun:test';
import { ada, dump, project, type Site, siteOn } from '../support/site.ts';

let site: Site;
let key: Record<string, string>;
beforeAll(async () => {
  site = await siteOn('SQLite', { dump: dump(ada, project(1, { title: 'Kite', text: 'Red.' })) });
  key = await site.key('ada');
});

async function patch(body: BodyInit, type?: string): Promise<[status: number, body: unknown]> {
  const headers = { ...key, ...(type !== undefined && { 'Content-Type': type }) };
  const response = await site.request('/api/v1/projects/1/?fields=title,text,tags', {
    method: 'PATCH',
    headers,
    body,
  });
  return [response.status, await response.json()];
}

function form(...fields: [name: string, value: string | Blob][]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

const bytes = (text: string, byte: number) => {
  const [before = '', after = ''] = text.split('?');
  return Buffer.concat([Buffer.from(before), Buffer.from([byte]), Buffer.from(after)]);
};

const partsError = {
  detail: 'Multipart form parse error - the parts cannot be told from each other.',
};

test('a multipart form is read, with every value of a repeated name', async () => {
  const body = form(['title', 'Gänge'], ['text', 'Two\r\nlines'], ['tags', 'a'], ['tags', 'b']);
  expect(await patch(body)).toEqual([200, { title: 'Gänge', text: 'Two\nlines', tags: 'a, b' }]);
});

test('a name that is repeated very often is read as quickly as others', async () => {
  const many = new URLSearchParams('&tags=a'.repeat(200_000));
  const began = performance.now();
  expect((await patch(many))[1]).toMatchObject({ tags: 'a' });
  expect(performance.now() - began).toBeLessThan(3000);
});

test('JSON that is nested very deeply is refused, wherever it is sent', async () => {
  const nested = `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const error = { detail: 'JSON parse error - it is nested too deeply.' };
  expect(await patch(nested, 'application/json')).toEqual([400, error]);
  expect(await patch(form(['_content', nested]))).toEqual([400, error]);
  const page = site.request('/new/text/', {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: nested,
  });
  expect((await page).status).toBe(400);
});

test('a multipart form without fields changes nothing', async () => {
  const before = await patch('{}', 'application/json');
  expect(await patch('--edge--\r\n', 'multipart/form-data; boundary=edge')).toEqual(before);
});

test('a file in place of a text is refused', async () => {
  expect(await patch(form(['title', new Blob(['Kite'])]))).toEqual([400, { title: ['Not a valid string.'] }]);
});

test('a multipart form without a boundary is refused, and not read as an empty one', async () => {
  const part = 'Content-Disposition: form-data; name="title"';
  for (const body of [
    `--edge\n${part}\n\nSo\n--edge--\n`,
    `--other\r\n${part}\r\n\r\nSo\r\n--other--\r\n`,
    'So',
  ])
    expect(await patch(body, 'multipart/form-data; boundary=edge')).toEqual([400, partsError]);
  expect(await patch(`--edge\r\n${part}\r\n\r\nSo\r\n--edge--\r\n`, 'multipart/form-data')).toEqual([
    400,
    partsError,
  ]);
});

test('a body that is not UTF-8 is refused', async () => {
  expect(await patch(bytes('{"title":"?"}', 0xff), 'application/json')).toEqual([
    400,
    { detail: 'JSON parse error - the body is not UTF-8.' },
  ]);
  expect(await patch(bytes('title=?', 0xe4), 'application/x-www-form-urlencoded')).toEqual([
    400,
    { detail: 'Form parse error - the body is not UTF-8.' },
  ]);
});

test('a body is read as UTF-8, whatever charset it names', async () => {
  for (const charset of ['utf-8', 'UTF8', 'iso-8859-1', 'none-such'])
    expect(await patch('{"title":"Gänge"}', `application/json; charset=${charset}`)).toMatchObject([
      200,
      { title: 'Gänge' },
    ]);
  const wide = Buffer.from('{"title":"ä"}', 'utf16le');
  expect(
    await patch(Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), 'application/json; charset=utf-16'),
  ).toEqual([400, { detail: 'JSON parse error - the body is not UTF-8.' }]);
});

test('a text of the greatest length is accepted with every character escaped, and a longer one is refused with the limit', async () => {
  const escaped = (characters: number) => `{"text":"${'\\u00e4'.repeat(characters)}"}`;
  const [status, answer] = await patch(escaped(100_000), 'application/json');
  expect([status, (answer as { text: string }).text.length]).toEqual([200, 100_000]);
  expect(await patch(escaped(100_001), 'application/json')).toEqual([
    400,
    { text: ['Ensure this field has no more than 100000 characters.'] },
  ]);
});

test('a body without Content-Length is refused at the size limit', async () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(0x20);
  let chunkCount = 0;
  const endless = new ReadableStream({
    pull(controller) {
      if (++chunkCount > 3) controller.close();
      else controller.enqueue(mebibyte);
    },
  });
  expect(await patch(endless, 'application/json')).toEqual([
    413,
    { detail: 'The request is larger than 2097152 bytes.' },
  ]);
});
