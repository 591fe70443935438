// The forms of the browsable API, sent as a browser without script sends them.

import { beforeAll, expect, test } from 'bun:test';
import { type Page, readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'A lamp', text: 'Two\nlines', link: 'https://lamp.example/', content_type: 'link' }),
);

let site: Site;
let ada: Person;
let anonymous: Person;

beforeAll(async () => {
  site = await siteOn('SQLite', { dump: gallery });
  ada = await person(site, 'ada');
  anonymous = visitor(site);
});

/** Browsers ask for HTML. */
const html = { Accept: 'text/html' };
const open = async ({ browser }: Person, path: string) => readPage(await browser.get(path, html));
const readProject = () => site.json('/api/v1/projects/1/?fields=title,text,link,tags');

/** The names of the fields with which the page changes something. */
function namesOfFields(page: Page): string[] {
  const fields = page.document.querySelectorAll('input[name], select[name], textarea[name]');
  return fields
    .filter((field) => !field.closest('details.filters'))
    .map((field) => field.getAttribute('name') ?? '');
}

test('a person who may change a project gets a form with its values, and others get none', async () => {
  const page = await open(ada, '/api/v1/projects/1/');
  expect(new Set(namesOfFields(page))).toEqual(
    new Set(['csrfmiddlewaretoken', '_method', '_content', 'title', 'visibility', 'tags', 'text', 'status']),
  );
  expect(page.fields.title).toBe('A lamp');

  const bob = await person(site, 'bob');
  expect(namesOfFields(await open(bob, '/api/v1/projects/1/'))).toEqual([]);
  expect(namesOfFields(await open(anonymous, '/api/v1/projects/1/'))).toEqual([]);
});

test('a form changes the fields that it has and no others, and keeps the line endings', async () => {
  const values = { _method: 'PUT', title: 'A brighter lamp', text: 'Two\r\nlines' };
  const response = await ada.send('/api/v1/projects/1/', values, html);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await readProject()).toEqual({
    title: 'A brighter lamp',
    text: 'Two\nlines',
    link: 'https://lamp.example/',
    tags: '',
  });
});

test('a form can send the JSON of a request', async () => {
  const before = (await readProject()) as object;

  const values = { _method: 'PATCH', _content: '{"tags": ["light", "code"]}' };
  expect((await ada.send('/api/v1/projects/1/', values, html)).status).toBe(200);
  expect(await readProject()).toEqual({ ...before, tags: 'light, code' });
});

test('a form that is refused says what is wrong at the field, and keeps the values', async () => {
  const tags = '"><script>alert(1)</script>';
  const response = await ada.send('/api/v1/projects/1/', { _method: 'PUT', title: ' ', tags }, html);
  expect(response.status).toBe(400);

  const page = await readPage(response);
  expect(page.textsOf('#put-title-wrong')).toEqual(['This field may not be blank.']);
  expect(page.attributesOf('[aria-invalid=true]', 'name')).toEqual(['title']);
  expect(page.fields.tags).toBe(tags);
  expect(page.html).not.toContain('<script>alert');
});

test('a form without the CSRF token, or from another site, changes nothing', async () => {
  const before = await readProject();
  const values = { _method: 'PUT', title: 'Forged' };

  const withoutToken = await site.request('/api/v1/projects/1/', {
    method: 'POST',
    headers: { ...html, ...ada.browser.headers },
    body: new URLSearchParams(values),
  });
  expect(withoutToken.status).toBe(403);

  const wrongToken = { ...values, csrfmiddlewaretoken: 'guessed' };
  expect((await ada.send('/api/v1/projects/1/', wrongToken, html)).status).toBe(403);

  const fromOtherSite = { ...html, Origin: 'https://evil.example' };
  expect((await ada.send('/api/v1/projects/1/', values, fromOtherSite)).status).toBe(403);

  const deletion = { _method: 'DELETE', csrfmiddlewaretoken: '' };
  expect((await ada.send('/api/v1/projects/1/', deletion, html)).status).toBe(403);
  expect(await readProject()).toEqual(before);
});

test('the form of the session asks for username and password, and does not repeat a wrong password', async () => {
  const page = await open(anonymous, '/api/v1/auth/session/');
  expect(namesOfFields(page)).toEqual(expect.arrayContaining(['username', 'password']));
  expect(page.attributesOf('[type=password]', 'name')).toEqual(['password']);

  const account = { username: 'ada', password: 'sesame-opens' };
  const response = await anonymous.send('/api/v1/auth/session/', account, html);
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain('sesame-opens');
});

test('a project that was deleted with a form is gone', async () => {
  const response = await ada.send('/api/v1/projects/1/', { _method: 'DELETE' }, html);
  expect(response.status).toBe(200);

  const page = await readPage(response);
  expect(namesOfFields(page)).toEqual([]);
  expect(page.text).toContain('HTTP 204');
  expect((await ada.get('/api/v1/projects/1/')).status).toBe(404);
});
