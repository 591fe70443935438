// The settings of a site: who may change them, and what the pages, feeds and previews make of them.

import { expect, test } from 'bun:test';
import { findUsedHashes } from '../../src/core/files/references.ts';
import { removeUnused } from '../../src/core/files/store.ts';
import { siteSettingTable } from '../../src/core/server-tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  exportAll,
  pathOf,
  project,
  type Site,
  siteAt,
  siteOn,
} from '../support/site.ts';
import { learnOfChanges } from '../support/waiting.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'Kite', contributor: 2 }),
  project(2, { title: 'A film', content_type: 'video' }),
);
const settingsPath = '/admin/site/';

async function save(admin: Person, values: Record<string, string>, host = ''): Promise<Response> {
  const path = host ? `${settingsPath}?${new URLSearchParams({ host })}` : settingsPath;
  return admin.send(path, values);
}

async function expectSaved(response: Promise<Response>): Promise<void> {
  const { status, headers } = await response;
  expect([status, headers.get('Location')]).toEqual([303, expect.stringContaining('saved')]);
}

const openSite = (site: Site, host: string, path: string) => site.get(path, { Host: host }).then(readPage);

onBothDatabases((kind) => {
  test('the site says who may sign up and how new people are shown, and an option of the server wins', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    expect((await visitor(site).get('/sign-up/')).status).toBe(403);

    await expectSaved(save(ada, { sign_up: 'open', names: 'username' }));
    expect((await visitor(site).open('/')).hasLink('/sign-up/')).toBe(true);
    expect((await visitor(site).open('/sign-up/')).text).toContain(
      'Only you and moderators can see your name.',
    );
    const cy = { username: 'cy', password: 'correct horse battery', first_name: 'Cyrus' };
    const signedUp = await visitor(site).post('/api/v1/auth/sign-up/', cy);
    expect(signedUp.status).toBe(201);
    expect(await (await person(site, 'cy')).json('/api/v1/me/')).toMatchObject({ shown_name: 'username' });

    await expectSaved(save(ada, { sign_up: 'closed' }, 'gallery.example'));
    expect((await openSite(site, 'gallery.example', '/sign-up/')).text).toContain('Sign-up is closed');
    expect((await openSite(site, 'localhost', '/sign-up/')).text).toContain('Everyone can see');

    const environment = { VITRINE_SIGN_UP: 'closed', VITRINE_NAMES: 'full' };
    const closed = await siteAt(site.address, { environment, database: site.database });
    expect((await visitor(closed).get('/sign-up/')).status).toBe(403);
    expect((await ada.at(closed).open(`${settingsPath}?part=people`)).text).toMatch(
      /started with --sign-up closed, which wins over this setting\..*started with --names full, which wins/,
    );

    const wrong = await save(ada, { sign_up: 'sometimes' });
    expect([wrong.status, (await readPage(wrong)).errors]).toEqual([
      400,
      ['Sign-up: Choose one of closed, invitation, open.'],
    ]);
    await expectSaved(save(ada, { sign_up: 'closed', names: 'full' }));
    expect(await exportAll(site)).not.toContain('"host":""');
  });

  test('only admins see and change the settings', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const bob = await person(site, 'bob', { role: 'moderator' });

    expect((await bob.browser.get(settingsPath)).status).toBe(403);
    expect((await save(bob, { name: 'Bob’s' })).status).toBe(403);
    const toSignIn = await visitor(site).browser.get(settingsPath);
    expect([toSignIn.status, toSignIn.headers.get('Location')]).toEqual([
      303,
      '/sign-in/?next=%2Fadmin%2Fsite%2F',
    ]);

    expect((await ada.open('/')).hasLink(settingsPath)).toBe(true);
    expect((await bob.open('/')).hasLink(settingsPath)).toBe(false);
    expect((await ada.open('/')).html).toContain('Vitrine');
  });

  test('an admin names the site, and every page, feed and preview says so', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    await expectSaved(
      save(ada, {
        name: 'Ada’s <Shelf>',
        tagline: 'Made by ten-year-olds.',
        heading: 'See what flies!',
        contact: 'ada@school.example',
        links: 'School https://school.example/\nTags /tags/',
        look: 'playground',
        accent: 'plum',
        corners: 'square',
      }),
    );

    const home = await visitor(site).open('/');
    expect(home.heading).toBe('See what flies!');
    expect(home.textsOf('title')).toEqual(['Gallery – Ada’s <Shelf>']);
    expect(home.textsOf('.logo')).toEqual(['Ada’s <Shelf>']);
    expect(home.textsOf('.site-footer p')).toEqual(['Made by ten-year-olds.']);
    expect(home.attributesOf('meta[name=description]', 'content')).toEqual(['Made by ten-year-olds.']);
    expect(home.attributesOf('html', 'data-look')).toEqual(['playground']);
    expect(home.attributesOf('html', 'data-accent')).toEqual(['plum']);
    expect(home.attributesOf('html', 'data-corners')).toEqual(['square']);
    expect(home.attributesOf('.site-footer a', 'href')).toEqual(
      expect.arrayContaining(['https://school.example/', '/tags/', 'mailto:ada@school.example']),
    );

    const text = async (path: string) => (await site.get(path)).text();
    expect(await text('/feed.atom')).toContain('<title>Gallery – Ada’s &#60;Shelf&#62;</title>');
    expect(await site.json('/feed.json')).toMatchObject({ title: 'Gallery – Ada’s <Shelf>' });
    const url = encodeURIComponent(`http://gallery.example${pathOf(1)}`);
    expect(await site.json(`/oembed?url=${url}`)).toMatchObject({ provider_name: 'Ada’s <Shelf>' });
    expect(
      (await visitor(site).open(pathOf(1))).attributesOf('meta[property="og:site_name"]', 'content'),
    ).toEqual(['Ada’s <Shelf>']);
    expect(await text(`/content/${pathOf(1).split('/')[2]}/embed/`)).toContain('data-look="playground"');
    const record = await text('/api/v1/projects/1/?format=api');
    expect(record).toContain('data-accent="plum"');
    expect(record).toContain('Project – Ada’s &lt;Shelf&gt; API</title>');

    const page = await ada.open(settingsPath);
    expect(page.fields).toMatchObject({ name: 'Ada’s <Shelf>' });
    const appearance = `${settingsPath}?part=appearance`;
    const look = { look: 'playground', accent: 'plum', corners: 'square' };
    expect((await ada.open(appearance)).fields).toMatchObject(look);
    expect(page.textsOf('#changes + .rows li')).toEqual([
      expect.stringMatching(
        /^ada · Name, Tagline, Heading of the home page, Look, Colour, Corners, Contact, Links in the footer .* All addresses$/,
      ),
    ]);
    expect(site.logged.filter((line) => line.includes('site changed'))).toHaveLength(1);

    for (const part of ['', '?part=projects', '?part=people', '?part=texts']) {
      await expectSaved(ada.submit(`${settingsPath}${part}`, 'Save', {}));
      expect((await ada.open(appearance)).fields).toMatchObject(look);
    }
    expect((await ada.browser.get(`${settingsPath}?part=nothing`)).status).toBe(404);
  });

  test('a host has settings of its own, and takes the others from the default', async () => {
    const site = await siteOn(kind, {
      dump: gallery,
      environment: { VITRINE_ALLOWED_HOSTS: 'gallery.example,club.example' },
    });
    const ada = await person(site, 'ada', { role: 'admin' });
    await expectSaved(save(ada, { name: 'School', tagline: 'For everybody.' }));
    expect((await save(ada, { name: 'Club' }, 'club.example')).status).toBe(404);
    const inClub = await site.request(`${settingsPath}?host=club.example`, {
      method: 'POST',
      headers: { ...ada.browser.headers, Host: 'club.example', Origin: 'http://club.example' },
      body: new URLSearchParams({
        csrfmiddlewaretoken: (await ada.open(settingsPath)).fields.csrfmiddlewaretoken ?? '',
        name: 'Club',
        look: '',
      }),
    });
    expect(inClub.status).toBe(303);

    const club = await openSite(site, 'club.example', '/');
    expect(club.textsOf('.logo')).toEqual(['Club']);
    expect(club.textsOf('.site-footer p')).toEqual(['For everybody.']);
    expect((await openSite(site, 'club.example.', '/')).textsOf('.logo')).toEqual(['Club']);
    expect((await openSite(site, 'gallery.example', '/')).textsOf('.logo')).toEqual(['School']);

    await expectSaved(save(ada, { name: '' }, 'club.example'));
    expect((await openSite(site, 'club.example', '/')).textsOf('.logo')).toEqual(['School']);
  });

  test('a change reaches cached responses and other processes', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const other = await siteAt(site.address);
    const ada = await person(site, 'ada', { role: 'admin' });
    const before = await other.get('/');
    expect(await before.text()).toContain('Vitrine');
    expect(await (await other.get(pathOf(1))).text()).toContain('Vitrine');

    await expectSaved(save(ada, { name: 'Kites' }));
    const ask = () => other.get('/', { 'If-None-Match': before.headers.get('ETag') ?? '' });
    await learnOfChanges(other);
    const after = await ask();
    expect(await after.text()).toContain('<bdi>Kites</bdi>');
    expect(await (await other.get(pathOf(1))).text()).toContain('<bdi>Kites</bdi>');
  });

  test('a wrong value is refused with a reason, and nothing is saved', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const response = await save(ada, {
      name: 'Fine',
      contact: 'javascript:alert(1)',
      links: 'Broken',
      look: 'neon',
      accent: 'red;background:url(x)',
      heading: 'x'.repeat(121),
    });
    expect(response.status).toBe(400);
    expect((await readPage(response)).errors.toSorted()).toEqual([
      'Colour: Choose a colour such as #b03a2e, or one of felt, moss, indigo, plum, brick, copper, brass, chalk.',
      'Contact: Enter an email address or an address that begins with https://.',
      'Heading of the home page: Please use at most 120 characters.',
      'Links in the footer: Write a label, then an address. This is wrong: Broken',
      'Look: Choose one of dusk, daylight, playground.',
    ]);
    expect((await visitor(site).open('/')).textsOf('.logo')).toEqual(['Vitrine']);
    expect((await readPage(await save(ada, { offers: 'yes' }))).errors).toEqual([
      'Types offered: Offer at least one type.',
    ]);
    expect((await save(ada, { types: ',' })).status).toBe(400);
    const halfNamed = await save(ada, {
      offers: 'yes',
      offers_text: 'yes',
      one_text: 'Tale',
      many_photo: 'Shots',
    });
    expect((await readPage(halfNamed)).errors).toEqual([
      'Story, name for several projects: Give the name for several projects, too.',
      'Photo, name for a single project: Give the name for a single project, too.',
    ]);
    expect((await readPage(await save(ada, { links: 'Ada ada.example' }))).errors).toEqual([
      'Links in the footer: Enter an email address or an address that begins with https://. This is wrong: Ada ada.example',
    ]);
    for (const links of ['a //evil.example', 'a /\\evil.example', 'a http://x.example', 'a data:text/html,x'])
      expect((await save(ada, { links })).status).toBe(400);
  });

  test('rows that nobody can read break no page', async () => {
    // Nothing of an earlier test is cached: these rows are not in the change log.
    const site = await siteAt(await emptyGallery(kind), { dump: gallery });
    const rows = ['name', 'look', 'logo', 'links', 'types', 'type_names', 'about', 'nonsense'].map(
      (name) => ({
        host: '',
        name,
        value: name === 'about' ? '<script>alert(1)</script>' : '\u0001 {nonsense',
      }),
    );
    await site.database.transaction((transaction) => transaction.insert(siteSettingTable, rows));

    const home = await visitor(site).open('/');
    expect(home.textsOf('.logo')).toEqual(['Vitrine']);
    expect(home.attributesOf('html', 'data-look')).toEqual([]);
    const about = await site.get('/about/');
    expect(about.status).toBe(200);
    expect(await about.text()).not.toContain('<script>alert');
  });

  test('About and Rules are pages when they have a text', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
    const ada = await person(site, 'ada', { role: 'admin' });
    expect((await site.get('/about/')).status).toBe(404);
    expect((await site.get('/rules/')).status).toBe(404);
    expect((await visitor(site).open('/sign-up/')).hasLink('/rules/')).toBe(false);

    await expectSaved(save(ada, { about: '## Who we are\n\nA *club*.', rules: 'Be kind.' }));
    const about = await visitor(site).open('/about/');
    expect([about.heading, about.textsOf('main h2'), about.text]).toEqual([
      'About Vitrine',
      ['Who we are'],
      'About Vitrine Who we are A club .',
    ]);
    expect((await visitor(site).open('/rules/')).text).toBe('Rules Be kind.');
    expect((await visitor(site).open('/')).hasLink('/about/')).toBe(true);
    expect((await visitor(site).open('/sign-up/')).text).toContain('Please read the rules');
    expect((await ada.open(`${pathOf(1)}report/`)).hasLink('/rules/')).toBe(true);
  });

  test('a type that is not offered cannot be created, and existing projects of the type stay', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const bob = await person(site, 'bob');
    await expectSaved(
      ada.send(settingsPath, { offers: 'yes', offers_text: 'on', one_text: 'Tale', many_text: 'Tales' }),
    );

    const choices = await bob.open('/new/');
    expect(choices.textsOf('.cards .name')).toEqual(['Tale', 'Collection']);
    expect((await bob.browser.get('/new/video/')).status).toBe(400);
    expect((await bob.send('/new/video/', { title: 'Film', status: '1' })).status).toBe(400);
    const refused = await bob.post('/api/v1/projects/', { title: 'Film', content_type: 'video' });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { content_type: ['"video" is not a valid choice.'] },
    ]);
    expect((await bob.patch('/api/v1/projects/1/', { content_type: 'video' })).status).toBe(400);
    expect((await bob.post('/api/v1/projects/2/copy/', {})).status).toBe(400);
    expect((await bob.open(pathOf(2))).hasButton('Remix this')).toBe(false);
    expect((await bob.post('/api/v1/projects/', { title: 'A tale' })).status).toBe(201);

    expect(
      (await ada.patch('/api/v1/projects/2/', { title: 'The film', content_type: 'video' })).status,
    ).toBe(200);
    expect((await bob.post('/api/v1/projects/2/comments/', { text: 'Nice' })).status).toBe(201);
    const home = await visitor(site).open('/');
    expect(home.textsOf('.types a')).toEqual(['Everything', 'Tales', 'Comments', 'Collections']);
    expect(home.text).toContain('The film');
  });

  test('with hearts, a rating is given or withdrawn, and no average is shown', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    await ada.post('/api/v1/projects/1/rating/', { value: 3 });
    await ada.put('/api/v1/projects/1/rating/', { value: 3 });
    await expectSaved(save(ada, { ratings: 'heart' }));

    expect((await ada.open(pathOf(1))).text).not.toContain('of 5');
    expect((await ada.open(pathOf(1))).jsonLd).not.toHaveProperty('aggregateRating');
    await ada.submit(pathOf(1), '♥ Love this');
    expect(await site.json('/api/v1/projects/1/?fields=rating_count,rating_sum')).toEqual({
      rating_count: 1,
      rating_sum: 5,
    });
    expect((await ada.open('/')).textsOf('.card .figures')).toContain('♥ 1 1 heart');
    await ada.submit(pathOf(1), '♥ Love this');
    expect(await site.json('/api/v1/projects/1/?fields=rating_count,rating_sum')).toEqual({
      rating_count: 0,
      rating_sum: 0,
    });
  });

  test('a logo is a picture without metadata, which everybody may see and a dump keeps', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const upload = async (content: BlobPart, name: string) => {
      const form = new FormData();
      form.set('csrfmiddlewaretoken', (await ada.open(settingsPath)).fields.csrfmiddlewaretoken ?? '');
      form.set('logo', new File([content], name));
      return site.request(settingsPath, {
        method: 'POST',
        headers: { ...ada.browser.headers, Origin: 'http://gallery.example' },
        body: form,
      });
    };
    for (const content of ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'text'])
      expect((await readPage(await upload(content, 'logo.svg'))).errors).toEqual([
        'Logo: Choose a JPEG, PNG, GIF or WebP picture.',
      ]);
    expect((await readPage(await upload(new Uint8Array(4 * 1024 * 1024 + 1), 'logo.png'))).errors).toEqual([
      'Logo: Choose a picture of at most 4 MB.',
    ]);
    expect((await upload(Uint8Array.from(png(400, 200)), 'logo.png')).status).toBe(303);

    const [path = ''] = (await visitor(site).open('/')).attributesOf('.site-logo', 'src');
    const picture = await site.get(path);
    expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/webp']);
    expect(picture.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
    expect(picture.headers.get('X-Content-Type-Options')).toBe('nosniff');

    await removeUnused(site.files, Date.now() + 1000, (names) => findUsedHashes(site.database, names));
    expect((await site.get(path)).status).toBe(200);
    const copy = await siteOn(kind, { dump: await exportAll(site) });
    expect((await visitor(copy).open('/')).attributesOf('.site-logo', 'src')).toEqual([path]);
    expect((await copy.get(path)).status).toBe(200);
    expect(await exportAll(copy)).toBe(await exportAll(site));

    await expectSaved(save(ada, { remove_logo: 'on' }));
    expect((await visitor(site).open('/')).attributesOf('.site-logo', 'src')).toEqual([]);
    expect((await site.get(path)).status).toBe(404);
  });

  test('an admin is led to the settings until the site has a name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const bob = await person(site, 'bob');

    expect((await ada.open('/')).textsOf('.notice')).toEqual([
      'This gallery is new: give it a name and a look .',
    ]);
    expect((await bob.open('/')).textsOf('.notice')).toEqual([]);
    expect((await ada.open(settingsPath)).attributesOf('#f-name, #f-heading', 'placeholder')).toEqual([
      'Vitrine',
      'Look what we made.',
    ]);

    await expectSaved(save(ada, { name: 'Workshop' }));
    expect((await ada.open('/')).textsOf('.notice')).toEqual([]);
  });
});

test('any colour can be the accent: a stylesheet has it, dark and light enough to be read', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1)) });
  const ada = await person(site, 'ada', { role: 'admin' });
  const stylesheets = async (path: string) =>
    (await visitor(site).open(path))
      .attributesOf('link[rel=stylesheet]', 'href')
      .filter((href) => href.startsWith('/accents/'));
  const everywhere = async () =>
    (
      await Promise.all(
        ['/', `${pathOf(1)}embed/`.replace(/[^/]*\/embed\/$/, 'embed/'), '/api/v1/?format=api'].map(
          stylesheets,
        ),
      )
    ).flat();

  expect((await ada.send('/admin/site/', { accent: 'own', accent_color: '#FFff00' })).status).toBe(303);
  const path = '/accents/ffff00.css';
  expect(await everywhere()).toEqual([path, path, path]);
  expect(
    (await visitor(site).open('/')).document.querySelector('html')?.getAttribute('data-accent'),
  ).toBeUndefined();
  const css = await site.get(path);
  expect([css.status, css.headers.get('Content-Type'), await css.text()]).toEqual([
    200,
    'text/css',
    ':root { --chosen: light-dark(#6a6a00, #ffff00); }\n',
  ]);
  const form = await ada.open('/admin/site/?part=appearance');
  expect([form.fields.accent, form.fields.accent_color]).toEqual(['own', '#FFff00']);

  for (const accent_color of ['#12345', 'red', '#12345g', '#12345678'])
    expect((await ada.send('/admin/site/', { accent: 'own', accent_color })).status).toBe(400);
  for (const file of ['12345.css', 'FFFF00.css', 'ffff00', 'ffff00.css.map', 'zzzzzz.css'])
    expect((await site.get(`/accents/${file}`)).status).toBe(404);
  expect((await ada.send('/admin/site/', { accent: 'plum' })).status).toBe(303);
  expect(await everywhere()).toEqual([]);
});
