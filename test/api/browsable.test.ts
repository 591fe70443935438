// The forms of the browsable API, sent as a browser without script sends them.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'bob'),
  project(1, { title: 'A lamp', text: 'Two\nlines', link: 'https://lamp.example/', content_type: 'link' }),
);

let site: Site;
let adas: Record<string, string>;
let token: string;

beforeAll(async () => {
  site = await siteOn('SQLite', { dump: gallery });
  ({ 'X-CSRFToken': token = '', ...adas } = await site.signIn('ada'));
});
afterAll(() => site.close());

const page = async (path: string, headers: Record<string, string> = {}) =>
  (await site.get(path, { Accept: 'text/html', ...headers })).text();

const submit = (path: string, fields: Record<string, string>, headers = adas) =>
  site.request(path, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

const record = () => site.json('/api/v1/projects/1/?fields=title,text,link,tags');

/** The names of what the page's forms send to change something. */
const named = (text: string) => namesIn(text.replace(/<details class="filters".*?<\/details>/s, ''));

const namesIn = (text: string) =>
  [...text.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name]) => name);

test('who may change a record finds a form with what it has, and others find none', async () => {
  const [own, others, visitors] = [
    await page('/api/v1/projects/1/', adas),
    await page('/api/v1/projects/1/', await site.signIn('bob')),
    await page('/api/v1/projects/1/'),
  ];

  expect(new Set(named(own))).toEqual(
    new Set(['csrfmiddlewaretoken', '_method', '_content', 'title', 'visibility', 'tags', 'text', 'status']),
  );
  expect(own).toContain('value="A lamp"');
  expect([named(others), named(visitors)]).toEqual([[], []]);
});

test('a form changes what it shows and nothing else, and lines end as they did', async () => {
  const fields = {
    csrfmiddlewaretoken: token,
    _method: 'PUT',
    title: 'A brighter lamp',
    text: 'Two\r\nlines',
  };
  const answer = await submit('/api/v1/projects/1/', fields);

  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await record()).toEqual({
    ...{ title: 'A brighter lamp', text: 'Two\nlines' },
    ...{ link: 'https://lamp.example/', tags: '' },
  });
});

test('JSON as it would be sent is sent', async () => {
  const fields = { csrfmiddlewaretoken: token, _method: 'PATCH', _content: '{"tags": ["light", "code"]}' };
  const answer = await submit('/api/v1/projects/1/', fields);

  expect([answer.status, await record()]).toEqual([200, expect.objectContaining({ tags: 'light, code' })]);
});

test('what is wrong is told at its field, and what was typed stays', async () => {
  const fields = {
    csrfmiddlewaretoken: token,
    _method: 'PUT',
    title: ' ',
    tags: '"><script>alert(1)</script>',
  };
  const answer = await submit('/api/v1/projects/1/', fields);
  const text = await answer.text();

  expect(answer.status).toBe(400);
  expect(text).toContain('id="put-title-wrong">This field may not be blank.</p>');
  expect(text).toContain('aria-invalid="true"');
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  expect(text).not.toContain('<script>alert');
});

test('a form without the token, or from another site, changes nothing', async () => {
  const before = await record();
  const fields = { _method: 'PUT', title: 'Forged' };
  const answers = [
    await submit('/api/v1/projects/1/', fields),
    await submit('/api/v1/projects/1/', { ...fields, csrfmiddlewaretoken: 'guessed' }),
    await submit(
      '/api/v1/projects/1/',
      { ...fields, csrfmiddlewaretoken: token },
      {
        ...adas,
        Origin: 'https://evil.example',
      },
    ),
    await submit('/api/v1/projects/1/', { _method: 'DELETE' }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(await record()).toEqual(before);
});

test('a visitor signs in by the form of the session', async () => {
  const text = await page('/api/v1/auth/session/');
  const answer = await submit('/api/v1/auth/session/', { username: 'ada', password: 'sesame-opens' }, {});

  expect(named(text)).toEqual(expect.arrayContaining(['username', 'password']));
  expect(text).toContain('type="password"');
  expect([answer.status, (await answer.text()).includes('sesame-opens')]).toEqual([400, false]);
});

test('what was deleted by a form is said to be gone', async () => {
  const answer = await submit('/api/v1/projects/1/', { csrfmiddlewaretoken: token, _method: 'DELETE' });
  const text = await answer.text();

  expect([answer.status, named(text)]).toEqual([200, []]);
  expect(text).toContain('HTTP 204');
  expect((await site.get('/api/v1/projects/1/', adas)).status).toBe(404);
});
