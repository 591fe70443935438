// The forms of the pages, as a browser without a script sends them.

import { beforeAll, describe, expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;
const at = (id: number, slug = 'a-thing') => `/content/${uuid(id)}/${slug}/`;

const gallery = dump(
  ada,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  project(1, { title: 'Kite', text: 'Of paper.', tags: ['wind'] }),
  project(2, { title: 'Hidden', visibility: 'private' }),
  project(3, { title: 'Draft', status: 0 }),
);

type Fields = Record<string, string>;

onBothDatabases((kind) => {
  let site: Site;
  const people = {} as Record<string, Person>;

  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
    for (const name of ['ada', 'zoe', 'mo'])
      people[name] = await person(site, name, name === 'mo' ? { role: 'moderator' } : {});
  });

  const browserOf = (name: string) => (people[name] as Person).browser;
  const open = (path: string, who = 'ada') => browserOf(who).get(path);
  const send = (path: string, fields: Fields, who = 'ada', headers: Fields = {}) =>
    browserOf(who).send(path, fields, headers);
  const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];

  describe('signing in', () => {
    const signIn = (fields: Fields, headers: Fields = {}) => visitor(site).send('/sign-in/', fields, headers);

    test('a visitor of a page for members is redirected to sign in, and back', async () => {
      for (const path of ['/new/', '/mine/?show=trash', '/account/', '/account/keys/', `${at(1)}edit/`]) {
        const next = new URLSearchParams({ next: path });
        expect(redirectOf(await site.get(path))).toEqual([303, `/sign-in/?${next}`]);
      }
    });

    test('a wrong password is reported on the form, which does not repeat the password', async () => {
      const response = await signIn({ username: 'ada', password: 'guessed right', next: '/mine/' });
      expect(response.status).toBe(400);
      const { heading, errors, fields, notices } = await readPage(response);
      expect({ heading, errors, fields, notices }).toEqual({
        heading: 'Sign in',
        errors: ['Unable to log in with provided credentials.'],
        fields: { next: '/mine/', username: 'ada', password: '' },
        notices: [],
      });
    });

    test('signing up signs in and redirects to a page of this site only', async () => {
      const addresses = [
        '/mine/',
        'https://elsewhere.example/',
        '//elsewhere.example/',
        '/\\elsewhere.example',
        '/.//elsewhere.example/',
        '/%2e%2e/.//elsewhere.example/',
        '/mine/..//elsewhere.example/',
        '',
      ];
      const places = [];
      for (const [index, next] of addresses.entries()) {
        const browser = visitor(site).browser;
        const fields = { username: `new${index}`, password: 'long and unusual', next };
        places.push(redirectOf(await browser.send('/sign-up/', fields)));
        expect((await browser.open('/account/')).heading).toBe('Account');
      }
      expect(places).toEqual([[303, '/mine/'], ...Array.from({ length: 7 }, () => [303, '/'])]);
    });

    test('another site cannot sign anybody in', async () => {
      const response = await signIn(
        { username: 'ada', password: 'x' },
        { Origin: 'https://elsewhere.example' },
      );
      expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
    });

    test('signing out ends the session', async () => {
      const zoe = await person(site, 'zoe');
      expect(redirectOf(await zoe.submit('/', 'Sign out'))).toEqual([303, '/']);
      expect((await zoe.browser.get('/mine/')).status).toBe(303);
    });
  });

  test('no form works without the CSRF token of the session, or from another site', async () => {
    const forms = [
      '/new/text/',
      `${at(1)}edit/`,
      `${at(1)}away/`,
      '/account/',
      '/account/leave/',
      '/sign-out/',
    ];
    const before = await site.json('/api/v1/changes/');
    for (const path of forms) {
      expect([path, (await send(path, { csrfmiddlewaretoken: 'forged', title: 'x' })).status]).toEqual([
        path,
        403,
      ]);
      const elsewhere = await send(path, { title: 'x' }, 'ada', { Origin: 'https://elsewhere.example' });
      expect([path, elsewhere.status]).toEqual([path, 403]);
    }
    expect(await site.json('/api/v1/changes/')).toEqual(before);
    expect((await open('/mine/')).status).toBe(200);
  });

  test('a new project is published, or its form is shown again with the errors and the values', async () => {
    const typed = {
      title: '',
      text: 'Two\nlines & <b>',
      tags: 'a, b',
      visibility: 'unlisted',
      link: 'nowhere',
    };
    const refused = await send('/new/link/', { ...typed, once: 'x-1', status: '1' });
    expect([refused.status, refused.headers.get('Cache-Control')]).toEqual([400, 'no-store']);
    const { csrfmiddlewaretoken, ...fields } = (await readPage(refused.clone())).fields;
    expect(fields).toEqual({ ...typed, once: 'x-1' });
    expect((await readPage(refused)).errors).toEqual([
      'Title: This field may not be blank.',
      'Where it leads: Enter a valid URL.',
    ]);

    const right = { ...typed, title: 'Found', link: 'https://found.example/', once: 'x-1', status: '1' };
    const made = await send('/new/link/', right);
    expect(redirectOf(made)).toEqual([303, expect.stringMatching(/^\/content\/\w+\/found\/$/)]);
    // The button was pressed twice.
    expect(redirectOf(await send('/new/link/', right))).toEqual(redirectOf(made));
    const own = await site.json(
      '/api/v1/projects/?contributor=me&search=found&include=link',
      await site.key('ada'),
    );
    expect(own).toMatchObject({
      count: 1,
      results: [
        {
          title: 'Found',
          text: 'Two\nlines & <b>',
          tags: 'a, b',
          visibility: 'unlisted',
          status: 1,
          link: 'https://found.example/',
        },
      ],
    });
  });

  test('the preview shows the text as it will be, and nothing is saved', async () => {
    const response = await send('/new/text/', { title: '', text: 'A *kite* <script>', preview: '1' });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('<p>A <em>kite</em> &lt;script&gt;</p>');
    expect(await (await send('/preview/', { title: 'T', text: '# T\n\n**b**' })).text()).toBe(
      '<p><strong>b</strong></p>\n',
    );
  });

  test('nobody changes a project of somebody else', async () => {
    const acts: [string, string, Fields, number][] = [
      ['zoe', `${at(1)}edit/`, { title: 'Mine' }, 403],
      ['zoe', `${at(1)}state/`, { status: '0' }, 403],
      ['zoe', `${at(1)}away/`, {}, 403],
      ['zoe', `${at(2)}edit/`, { title: 'Mine' }, 404],
      ['zoe', `${at(3)}copy/`, {}, 404],
      ['ada', `${at(1)}rate/`, { value: '5' }, 403],
      ['ada', `${at(1)}state/`, { status: '3' }, 400],
      ['zoe', '/mine/trash/1/restore/', {}, 404],
      ['zoe', '/account/keys/1/revoke/', {}, 404],
    ];
    for (const [who, path, fields, status] of acts)
      expect([path, (await send(path, fields, who)).status]).toEqual([path, status]);
    expect(await site.json('/api/v1/projects/1/')).toMatchObject({
      title: 'Kite',
      status: 1,
      rating_count: 0,
    });
  });

  test('a person who would overwrite a later change is warned first', async () => {
    const form = (await readPage(await open(`${at(1)}edit/`))).fields;
    const other = (await readPage(await open(`${at(1)}edit/`, 'mo'))).fields;
    expect(redirectOf(await send(`${at(1)}edit/`, { ...other, text: 'Of silk.' }, 'mo'))).toEqual([
      303,
      at(1),
    ]);
    const refused = await readPage(await send(`${at(1)}edit/`, { ...form, text: 'Of foil.' }));
    expect(refused.errors).toEqual([
      'It was changed after you began. What you wrote is below; saving again puts it in the place of what is there now.',
    ]);
    expect(await site.json('/api/v1/projects/1/?fields=text')).toEqual({ text: 'Of silk.' });
    expect(redirectOf(await send(`${at(1)}edit/`, refused.fields))).toEqual([303, at(1)]);
    expect(await site.json('/api/v1/projects/1/?fields=text')).toEqual({ text: 'Of foil.' });
  });

  test('a project is rated, the rating is withdrawn, and an empty comment is refused', async () => {
    expect(redirectOf(await send(`${at(1)}rate/`, { value: '4' }, 'zoe'))).toEqual([303, `${at(1)}#rating`]);
    expect(await site.json('/api/v1/projects/1/?fields=rating_sum')).toEqual({ rating_sum: 4 });
    expect((await send(`${at(1)}rate/`, { value: '6' }, 'zoe')).status).toBe(400);
    await send(`${at(1)}rate/`, { value: '' }, 'zoe');
    expect(await site.json('/api/v1/projects/1/?fields=rating_sum')).toEqual({ rating_sum: 0 });

    const empty = await send(`${at(1)}comment/`, { text: '' }, 'zoe');
    expect([empty.status, (await readPage(empty)).errors]).toEqual([
      400,
      ['Your comment: This field may not be blank.'],
    ]);
    const said = await send(`${at(1)}comment/`, { text: 'High!', once: 'c-1' }, 'zoe');
    expect(redirectOf(said)).toEqual([303, `${at(1)}?page=last#comments`]);
    await send(`${at(1)}comment/`, { text: 'High!', once: 'c-1' }, 'zoe');
    expect(await site.json('/api/v1/projects/1/comments/')).toMatchObject({
      count: 1,
      results: [{ text: 'High!' }],
    });
  });

  test('a copy is private, and its form opens first', async () => {
    const [status, place] = redirectOf(await send(`${at(1)}copy/`, {}, 'zoe'));
    expect([status, place]).toEqual([303, expect.stringMatching(/^\/content\/\w+\/kite\/edit\/$/)]);
    const form = await readPage(await open(String(place), 'zoe'));
    expect([form.heading, form.fields.visibility]).toEqual(['Edit Kite', 'private']);
    expect((await open(String(place).replace('edit/', ''), 'ada')).status).toBe(404);
  });

  test('a deleted project is in the trash, and is restored from there', async () => {
    const made = await send('/new/text/', { title: 'Away', status: '1', visibility: 'public' });
    const path = String(redirectOf(made)[1]);
    expect((await readPage(await open(`${path}away/`))).heading).toBe('Take Away away?');
    expect(redirectOf(await send(`${path}away/`, {}))).toEqual([303, '/mine/?show=trash']);
    expect((await open(path)).status).toBe(404);
    const trash = await readPage(await open('/mine/?show=trash'));
    const restore = trash.attributesOf('form', 'action').find((action) => action.endsWith('/restore/'));
    expect(redirectOf(await send(String(restore), {}))).toEqual([303, path]);
    expect((await open(path)).status).toBe(200);
  });

  test('the history shows visitors what was public, and the owner everything', async () => {
    const made = String(
      redirectOf(await send('/new/text/', { title: 'Secret plan', status: '0', visibility: 'public' }))[1],
    );
    const edited = async (path: string, fields: Fields) => {
      const form = (await readPage(await open(`${path}edit/`))).fields;
      return String(redirectOf(await send(`${path}edit/`, { ...form, ...fields }))[1]);
    };
    const public_ = await edited(made, { title: 'Plan', text: 'One.\n', status: '1' });
    const path = await edited(public_, { text: 'One.\nTwo.\n' });
    const history = async (who?: string) =>
      (await (who ? open(`${path}history/`, who) : site.get(`${path}history/`))).text();
    for (const told of [await history(), await history('zoe')]) {
      expect(told).toContain('<ins>Two.\n</ins>');
      expect(told).not.toContain('Secret');
      expect(told).not.toContain('draft');
    }
    expect(await history('ada')).toContain('<del>Secret plan</del><ins>Plan</ins>');
    expect(await history('mo')).toContain('Secret');
  });

  test('the history of a comment hides what was written while its project was private', async () => {
    const key = await site.key('ada');
    const write = async (method: string, path: string, members: object) => {
      const headers = { ...key, 'Content-Type': 'application/json' };
      const response = await site.request(path, { method, headers, body: JSON.stringify(members) });
      return (await response.json()) as { id: number; html_url: string };
    };
    const about = await write('POST', '/api/v1/projects/', { title: 'Not yet', visibility: 'private' });
    const comments = `/api/v1/projects/${about.id}/comments/`;
    const comment = await write('POST', comments, { title: 'A word', text: 'Between ourselves.' });
    await write('PATCH', `/api/v1/projects/${about.id}/`, { visibility: 'public' });
    for (const text of ['For everybody.', 'For everybody, again.'])
      await write('PATCH', `/api/v1/projects/${comment.id}/`, { text });
    const path = `${new URL(comment.html_url).pathname}history/`;
    for (const told of [await site.get(path), await open(path, 'zoe')]) {
      const text = await told.text();
      expect(text).toContain('<ins>, again</ins>');
      expect(text).not.toContain('Between');
    }
    expect(await (await open(path)).text()).toContain('<del>Between</del>');
  });

  test('the history of texts that have little in common takes no longer than others', async () => {
    const key = { ...(await site.key('ada')), 'Content-Type': 'application/json' };
    const save = async (method: string, path: string, seed: number) => {
      const lines = Array.from({ length: 8000 }, (_, line) =>
        Bun.hash(`${seed} ${line}`).toString(36).slice(0, 5),
      );
      const body = JSON.stringify({ title: 'Noise', text: lines.join('\n') });
      const response = await site.request(path, { method, headers: key, body });
      return (await response.json()) as { id: number; html_url: string };
    };
    const { id, html_url } = await save('POST', '/api/v1/projects/', 0);
    for (let seed = 1; seed <= 12; seed++) await save('PATCH', `/api/v1/projects/${id}/`, seed);
    const began = performance.now();
    const told = await (await site.get(`${new URL(html_url).pathname}history/`)).text();
    expect(performance.now() - began).toBeLessThan(4000);
    expect(told.match(/Too much of it is different to be shown/g)).toHaveLength(12);
  });

  test('a missing status is refused, and a visitor who restores is asked to sign in', async () => {
    const nothing = await send(`${at(1)}state/`, {});
    expect([nothing.status, (await send(`${at(1)}state/`, { status: '' })).status]).toEqual([400, 400]);
    const visitor = await site.request('/mine/trash/1/restore/', {
      method: 'POST',
      body: new URLSearchParams(),
    });
    expect(redirectOf(visitor)).toEqual([303, '/sign-in/?next=%2F']);
  });

  test('a new key is shown once, and works until it is revoked', async () => {
    const values = { Name: 'script', Access: 'read', Expires: '30' };
    const made = await (people.zoe as Person).submit('/account/keys/', 'Make a key', values);
    expect(made.headers.get('Cache-Control')).toBe('no-store');
    const [key = ''] = (await readPage(made)).textsOf('pre.secret');
    expect(await site.json('/api/v1/me/', { Authorization: `Token ${key}` })).toMatchObject({
      username: 'zoe',
      may_write: false,
    });

    const page = await readPage(await open('/account/keys/', 'zoe'));
    expect(page.html).not.toContain(key);
    const revoke = page.attributesOf('form', 'action').find((action) => action.endsWith('/revoke/'));
    expect(redirectOf(await send(String(revoke), {}, 'zoe'))).toEqual([303, '/account/keys/']);
    expect((await site.get('/api/v1/me/', { Authorization: `Token ${key}` })).status).toBe(401);
  });

  test('a person changes their name, and deletes their account', async () => {
    const goer = visitor(site);
    const password = 'long and unusual';
    await goer.submit('/sign-up/', 'Sign up', { Username: 'goer', Password: password, 'First name': 'Gó' });
    const names = { 'First name': 'Go', 'Last name': 'Er' };
    expect(redirectOf(await goer.submit('/account/', 'Save', names))).toEqual([303, '/account/']);
    expect((await goer.open('/account/')).fields).toMatchObject({ first_name: 'Go', last_name: 'Er' });

    const wrong = await goer.send('/account/leave/', { items: 'keep', password: 'wrong' });
    expect((await readPage(wrong)).errors).toEqual(['Password: This is not your password.']);
    const left = await goer.send('/account/leave/', { items: 'keep', password });
    expect(redirectOf(left)).toEqual([303, '/']);
    expect((await goer.browser.get('/account/')).status).toBe(303);
  });

  test('pages for a signed-in person are cached by no one else', async () => {
    const headers = (response: Response) => [
      response.headers.get('Cache-Control'),
      response.headers.get('Vary'),
    ];
    expect(headers(await site.get('/'))).toEqual(['no-cache', 'Cookie']);
    expect(headers(await open('/'))).toEqual(['private, no-cache', 'Cookie']);
    expect(headers(await open(at(3, 'a-thing')))).toEqual(['private, no-cache', 'Cookie']);
    // Nor is kept what tells of a title that others do not see, or may be another tomorrow; nor what is not there yet.
    expect(headers(await open(at(3, 'x')))[0]).toBe('private, no-cache');
    expect(headers(await site.get(at(1, 'x')))[0]).toBe('no-cache');
    expect(headers(await site.get(at(3, 'x')))).toEqual(['no-cache', 'Cookie']);
    expect(headers(await open('/nowhere/'))).toEqual(['private, no-cache', 'Cookie']);
    expect(headers(await open('/new/text/'))).toEqual(['no-store', 'Cookie']);
  });
});
