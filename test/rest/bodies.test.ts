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

test('a form has at most 1,000 fields, also if they all have the same name', async () => {
  const parts = (count: number) =>
    form(...Array.from({ length: count }, () => ['tags', 'a'] as [string, string]));
  const pairs = (count: number) => new URLSearchParams(Array.from({ length: count }, () => ['tags', 'a']));
  for (const fields of [parts, pairs]) expect(await patch(fields(1000))).toMatchObject([200, { tags: 'a' }]);
  expect(await patch(parts(1001))).toEqual([
    400,
    { detail: 'Multipart form parse error - there are more than 1000 fields.' },
  ]);
  expect(await patch(pairs(1001))).toEqual([
    400,
    { detail: 'Form parse error - there are more than 1000 fields.' },
  ]);
});

test('JSON has at most 10,000 values, and texts may contain any characters', async () => {
  const list = (count: number) => JSON.stringify({ title: 'Kite', extra: Array(count).fill(0) });
  expect(await patch(list(9_000), 'application/json')).toMatchObject([200, { title: 'Kite' }]);
  const error = { detail: 'JSON parse error - there are more than 10000 values.' };
  expect(await patch(list(10_001), 'application/json')).toEqual([400, error]);
  expect(await patch(form(['_content', list(10_001)]))).toEqual([400, error]);
  const text = '[{",\\'.repeat(20_000);
  expect(await patch(JSON.stringify({ text }), 'application/json')).toMatchObject([200, { text }]);
});

test('a list of more than 1,000 tags is refused as a whole, also if most are empty', async () => {
  for (const tags of [','.repeat(1000), Array(1001).fill('a')])
    expect(await patch(JSON.stringify({ tags }), 'application/json')).toEqual([
      400,
      { tags: ['Ensure there are no more than 20 tags.'] },
    ]);
  expect(await patch(JSON.stringify({ tags: `${','.repeat(999)}a` }), 'application/json')).toMatchObject([
    200,
    { tags: 'a' },
  ]);
});

test('who is not signed in can send 64 kB, as a form and as JSON', async () => {
  const signIn = (password: string, type: string) =>
    site.request('/api/v1/auth/token/', {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: type.endsWith('json')
        ? JSON.stringify({ username: 'ada', password })
        : new URLSearchParams({ username: 'ada', password }),
    });
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    expect((await signIn('x'.repeat(65_000), type)).status).toBe(400);
    const refused = await signIn('x'.repeat(66_000), type);
    expect([refused.status, await refused.json()]).toEqual([
      413,
      { detail: 'The request is larger than 65536 bytes.' },
    ]);
  }
  const withInvalidKey = await site.request('/api/v1/projects/1/', {
    method: 'POST',
    headers: { Authorization: 'Token none', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ text: 'x'.repeat(66_000) }),
  });
  expect(withInvalidKey.status).toBe(413);
});

test('a boundary of one character costs no more than others', async () => {
  const body = `--a\r\nContent-Disposition: form-data; name="title"\r\n\r\n${'a'.repeat(150)}\r\n--a--\r\n`;
  for (const boundary of ['a', '"a"', 'a; charset=utf-8'])
    expect(await patch(body, `multipart/form-data; boundary=${boundary}`)).toMatchObject([
      200,
      { title: 'a'.repeat(150) },
    ]);
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

test('the parts of a form are found however a client writes them', async () => {
  const part = (text: string, parameter = 'name="text"') =>
    `--edge\r\ncontent-disposition: form-data; ${parameter}\r\n\r\n${text}\r\n`;
  for (const [body = '', text] of [
    [`${part('Kite', 'name=text')}--edge--`, 'Kite'],
    [`An older client shows this.\r\n${part('Kite')}--edge--\r\nAnd this.`, 'Kite'],
    [`${part('a --edge b\r\n--edges')}--edge--\r\n`, 'a --edge b\n--edges'],
    [`${part('Kite', 'x="; name=title"; NAME="text"')}--edge--`, 'Kite'],
  ])
    expect(await patch(body, 'multipart/form-data; boundary=edge')).toMatchObject([200, { text }]);
  const tooMany = { detail: 'Multipart form parse error - there are more than 1000 fields.' };
  for (const body of [part('Kite').repeat(1002), `${part('Kite')}--edge--${'--edge'.repeat(1001)}`])
    expect(await patch(body, 'multipart/form-data; boundary=edge')).toEqual([400, tooMany]);
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
