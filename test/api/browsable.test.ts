// The forms of the browsable API, sent as a browser without script sends them.

import { beforeAll, expect, test } from 'bun:test';
import { type Page, readPage } from '../support/html.ts';
import { type Browser, person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'bob'),
  project(1, { title: 'A lamp', text: 'Two\nlines', link: 'https://lamp.example/', content_type: 'link' }),
);

let site: Site;
let adas: Browser;
let visitors: Browser;

beforeAll(async () => {
  site = await siteOn('SQLite', { dump: gallery });
  adas = (await person(site, 'ada')).browser;
  visitors = visitor(site).browser;
});

/** Browsers ask for HTML. */
const html = { Accept: 'text/html' };
const open = async (browser: Browser, path: string) => readPage(await browser.get(path, html));
const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  adas.send(path, fields, { ...html, ...headers });

const record = () => site.json('/api/v1/projects/1/?fields=title,text,link,tags');

/** The names of the fields with which the page changes something. */
function namesOn(page: Page): string[] {
  const fields = page.document.querySelectorAll('input[name], select[name], textarea[name]');
  return fields
    .filter((field) => !field.closest('details.filters'))
    .map((field) => field.getAttribute('name') ?? '');
}

test('a person who may change a record gets a form with its values, and others get none', async () => {
  const own = await open(adas, '/api/v1/projects/1/');
  expect(new Set(namesOn(own))).toEqual(
    new Set(['csrfmiddlewaretoken', '_method', '_content', 'title', 'visibility', 'tags', 'text', 'status']),
  );
  expect(own.fields.title).toBe('A lamp');

  const bobs = (await person(site, 'bob')).browser;
  expect(namesOn(await open(bobs, '/api/v1/projects/1/'))).toEqual([]);
  expect(namesOn(await open(visitors, '/api/v1/projects/1/'))).toEqual([]);
});

test('a form changes the fields that it has and no others, and lines end as they did', async () => {
  const fields = { _method: 'PUT', title: 'A brighter lamp', text: 'Two\r\nlines' };
  const response = await submit('/api/v1/projects/1/', fields);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await record()).toEqual({
    title: 'A brighter lamp',
    text: 'Two\nlines',
    link: 'https://lamp.example/',
    tags: '',
  });
});

test('the JSON of a request can be sent by a form', async () => {
  const fields = { _method: 'PATCH', _content: '{"tags": ["light", "code"]}' };
  expect((await submit('/api/v1/projects/1/', fields)).status).toBe(200);
  expect(await record()).toMatchObject({ tags: 'light, code' });
});

test('a form that is refused says what is wrong at the field, and keeps the values', async () => {
  const tags = '"><script>alert(1)</script>';
  const response = await submit('/api/v1/projects/1/', { _method: 'PUT', title: ' ', tags });
  const page = await readPage(response);
  expect(response.status).toBe(400);
  expect(page.textsOf('#put-title-wrong')).toEqual(['This field may not be blank.']);
  expect(page.attributesOf('[aria-invalid=true]', 'name')).toEqual(['title']);
  expect(page.fields.tags).toBe(tags);
  expect(page.html).not.toContain('<script>alert');
});

test('a form without the token, or from another site, changes nothing', async () => {
  const before = await record();
  const fields = { _method: 'PUT', title: 'Forged' };
  const { Cookie = '' } = adas.headers;
  const withoutToken = await site.request('/api/v1/projects/1/', {
    method: 'POST',
    headers: { ...html, Cookie },
    body: new URLSearchParams(fields),
  });
  expect(withoutToken.status).toBe(403);

  const guessed = await submit('/api/v1/projects/1/', { ...fields, csrfmiddlewaretoken: 'guessed' });
  expect(guessed.status).toBe(403);
  const elsewhere = await submit('/api/v1/projects/1/', fields, { Origin: 'https://evil.example' });
  expect(elsewhere.status).toBe(403);
  const deletion = { _method: 'DELETE', csrfmiddlewaretoken: '' };
  expect((await submit('/api/v1/projects/1/', deletion)).status).toBe(403);
  expect(await record()).toEqual(before);
});

test('a visitor signs in by the form of the session', async () => {
  const page = await open(visitors, '/api/v1/auth/session/');
  expect(namesOn(page)).toEqual(expect.arrayContaining(['username', 'password']));
  expect(page.attributesOf('[type=password]', 'name')).toEqual(['password']);

  const credentials = { username: 'ada', password: 'sesame-opens' };
  const response = await visitors.send('/api/v1/auth/session/', credentials, html);
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain('sesame-opens');
});

test('a record that was deleted by a form is gone', async () => {
  const response = await submit('/api/v1/projects/1/', { _method: 'DELETE' });
  const page = await readPage(response);
  expect([response.status, namesOn(page)]).toEqual([200, []]);
  expect(page.text).toContain('HTTP 204');
  expect((await adas.get('/api/v1/projects/1/')).status).toBe(404);
});
