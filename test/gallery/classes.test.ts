// Classes: the accounts that they make and look after, their cards, what waits, and who sees what.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { Person, person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { contributor, dump, exportAll, importInto, project, type Site, siteOn } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'teacher'),
  contributor(3, 'bob'),
  contributor(4, 'other'),
  project(5, { title: 'A lamp' }),
);

afterEach(() => void setSystemTime());

const consent = { consent: 'yes' };

async function openClass(kind: 'SQLite' | 'PostgreSQL') {
  const site = await siteOn(kind, { dump: gallery });
  const ada = await person(site, 'ada', { role: 'moderator' });
  const [teacher, bob, other] = (await Promise.all(
    ['teacher', 'bob', 'other'].map((name) => person(site, name)),
  )) as [Person, Person, Person];
  const made = await ada.submit('/moderation/classes/', 'Make the class', {
    'Name of the class': 'Class 6b',
    'Username of a teacher': 'teacher',
  });
  expect(made.status).toBe(303);
  await ada.submit('/moderation/classes/', 'Make the class', {
    'Name of the class': 'Class 7a',
    'Username of a teacher': 'other',
  });
  const path = (made.headers.get('Location') ?? '').replace(/class\/$/, '');
  return { site, ada, teacher, bob, other, path, people: `${path}class/` };
}

/** The codes on the cards of the page: those of children, then of parents, in turn. */
const codesOn = (html: string) =>
  [...html.matchAll(/<p class="card-code">([\w-]+)<\/p>/g)].map(([, code]) => code as string);

async function makeAccounts(teacher: Person, people: string, names: string) {
  const response = await teacher.submit(people, 'Make accounts and cards', { Names: names, ...consent });
  return codesOn(await response.text());
}

/** A child who signs in with the code of a card. */
async function signInWith(site: Site, code: string): Promise<Person> {
  const child = new Person(site);
  const response = await child.browser.submit('/code/', 'Next', { code });
  expect([response.status, response.headers.get('Location')]).toEqual([303, '/my-class/']);
  return child;
}

const make = (child: Person, title: string, visibility: string, text = '') =>
  child.browser.submit('/new/text/', 'Publish', { Title: title, visibility, text });

onBothDatabases((kind) => {
  test('a teacher makes accounts from names, and everything that is wrong is said at once', async () => {
    const { site, teacher, other, people } = await openClass(kind);
    const wrong = 'kim\nKim\nada\nb0b\n12\nlee lou';
    const refused = await teacher.submit(people, 'Make accounts and cards', { Names: wrong, ...consent });
    expect(refused.status).toBe(400);
    const text = await refused.text();
    for (const name of ['Kim', 'ada', '12']) expect(text).toContain(`${name}: `);
    expect(await exportAll(site)).not.toContain('"looked_after_by"');
    const without = await teacher.submit(people, 'Make accounts and cards', { Names: 'kim' });
    expect(without.status).toBe(400);
    const many = await teacher.submit(people, 'Make accounts and cards', {
      'Or a word': 'kite',
      'How many': '60',
      Names: 'one more',
      ...consent,
    });
    expect([many.status, (await many.text()).includes('at most 60 accounts')]).toEqual([400, true]);

    expect(await makeAccounts(teacher, people, 'kim\nlee lou')).toHaveLength(4);
    const page = await teacher.open(people);
    expect(page.textsOf('.rows li a')).toEqual(['kim', 'lee.lou']);
    expect((await other.browser.get(people)).status).toBe(404);
    expect((await visitor(site).browser.get(people)).status).toBe(303);
  });

  test('a child signs in with the card until there is a new one', async () => {
    const { site, teacher, other, people } = await openClass(kind);
    const [code = ''] = await makeAccounts(teacher, people, 'kim');
    const kim = await signInWith(site, code.toLowerCase().replace('-', ' '));
    const again = await signInWith(site, code);
    expect((await kim.open('/mine/')).textsOf('h1')).toHaveLength(1);
    const pupil = (await teacher.open(people)).attributesOf('.rows li a', 'href')[0] ?? '';
    expect((await other.send(`${pupil}card/`)).status).toBe(404);
    const [next = ''] = codesOn(await (await teacher.submit(pupil, 'New card')).text());
    expect(next).not.toBe(code);
    for (const child of [kim, again]) expect((await child.browser.get('/mine/')).status).toBe(303);
    const old = await new Person(site).browser.submit('/code/', 'Next', { code });
    expect(old.status).toBe(400);
    await signInWith(site, next);
    const before = await exportAll(site);
    const copy = await siteOn(kind, { dump: before });
    await signInWith(copy, next);
    // It ends all sessions.
    await importInto(site, before);
    const same = await person(site, 'teacher');
    await same.submit(pupil, 'New card');
    expect(await refusalOf(importInto(site, before))).toContain('contributor: 5 has another card, or none.');
    await same.submit(pupil, 'Disable');
    expect((await new Person(site).browser.submit('/code/', 'Next', { code: next })).status).toBe(400);
    const html = await (await same.submit(people, 'Make a new link')).text();
    const [link = ''] = /\/join\/\?code=[\w-]+/.exec(html) ?? [];
    const moved = await siteOn(kind, { dump: await exportAll(site) });
    expect((await (await person(moved, 'bob')).browser.get(link)).status).toBe(200);
  });

  test('an account that is looked after has a username and nothing more', async () => {
    const { site, ada, teacher, people } = await openClass(kind);
    const [code = ''] = await makeAccounts(teacher, people, 'kim');
    const kim = await signInWith(site, code);
    const sentence = 'A class looks after this account: ask your teacher.';
    for (const page of ['password', 'email', 'profile', 'passkeys', 'keys', 'webhooks', 'leave']) {
      const refused = await kim.browser.get(`/account/${page}/`);
      const text = await refused.text();
      expect([page, refused.status, text.includes(sentence)]).toEqual([page, 403, true]);
    }
    expect((await kim.open('/account/notifications/')).attributesOf('.sections a', 'href')).toEqual([
      '/account/',
      '/account/notifications/',
      '/account/import/',
    ]);
    for (const path of ['/account/keys/', '/account/webhooks/', '/account/profile/avatar/']) {
      const refused = await kim.send(path, { name: 'x', url: 'https://example.org/' });
      expect([path, refused.status, (await refused.text()).includes(sentence)]).toEqual([path, 403, true]);
    }
    expect((await kim.send('/content/x/y/bookmark/', {})).status).toBe(404);
    const named = await ada.patch('/api/v1/contributors/5/', { first_name: 'Kim', last_name: 'Lee' });
    expect([named.status, await named.json()]).toEqual([
      409,
      { detail: 'A class looks after this account: it has to be handed over first.' },
    ]);
  });

  test('what a child makes for the class is seen by the class alone, and what is public waits for the teacher', async () => {
    const { site, ada, teacher, bob, other, path, people } = await openClass(kind);
    const [kims = '', , lees = ''] = await makeAccounts(teacher, people, 'kim\nlee');
    const [kim, lee] = [await signInWith(site, kims), await signInWith(site, lees)];
    const forClass = (await make(kim, 'For us', 'class')).headers.get('Location')?.replace(/\?.*/, '') ?? '';
    const secret =
      (await make(kim, 'A secret', 'private')).headers.get('Location')?.replace(/\?.*/, '') ?? '';
    const statusOf = async (address: string) =>
      Promise.all(
        [kim, lee, teacher, ada, bob, other, visitor(site)].map(
          async (who) => (await who.browser.get(address)).status,
        ),
      );
    expect(await statusOf(forClass)).toEqual([200, 200, 200, 200, 404, 404, 404]);
    expect(await statusOf(secret)).toEqual([200, 404, 404, 200, 404, 404, 404]);
    expect((await lee.open(path)).textsOf('.collection-works .card .name')).toEqual(['For us']);
    expect(await statusOf(path)).toEqual([200, 200, 200, 200, 404, 404, 404]);
    const [kimsPage = ''] = (await lee.open(path)).attributesOf('.collection-works .card a.person', 'href');
    expect(await statusOf(kimsPage)).toEqual([200, 200, 200, 200, 404, 404, 404]);
    const everywhere = [
      '/',
      '/?search=us',
      '/feed/',
      '/wall/',
      '/sitemap.xml',
      '/sitemaps/1-.xml',
      '/api/v1/projects/',
      '/api/v1/projects/?content_type=collection',
      '/api/v1/projects/?visibility=class',
      '/api/v1/projects/?search=us',
      '/api/v1/changes/',
      '/api/v1/contributors/',
      '/api/v1/tags/',
      '/api/v1/projects/?format=csv',
    ];
    for (const who of [visitor(site), bob, other])
      for (const address of everywhere) {
        const text = await (await who.browser.get(address)).text();
        expect([address, /For us|Class 6b|kim/.exec(text)?.[0]]).toEqual([address, undefined]);
      }

    const open = (await make(kim, 'For all', 'public')).headers.get('Location')?.replace(/\?.*/, '') ?? '';
    expect(await statusOf(open)).toEqual([200, 404, 200, 200, 404, 404, 404]);
    expect((await other.browser.get(`${people}waiting/`)).status).toBe(404);
    await teacher.submit(`${people}waiting/`, 'Approve it For all');
    expect(await statusOf(open)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    for (const address of [open, `${open}lineage/`]) {
      const html = await (await visitor(site).browser.get(address)).text();
      expect([address, html.includes('<meta name="robots" content="noindex"')]).toEqual([address, true]);
    }
    const profile = /\/contributors\/\d+-kim\//.exec(
      await (await visitor(site).browser.get(open)).text(),
    )?.[0];
    for (const address of [`${open}?format=json`, `${profile}feed.atom`, `${profile}feed.json`]) {
      const { status, headers } = await visitor(site).browser.get(address);
      expect([address, status, headers.get('X-Robots-Tag')]).toEqual([address, 200, 'noindex']);
    }
    expect(await (await visitor(site).browser.get('/sitemaps/1-.xml')).text()).not.toContain(open);
  });

  test('what was made for a class leaves it by no collection, remix, history or comment', async () => {
    const { site, ada, teacher, bob, people } = await openClass(kind);
    const [code = ''] = await makeAccounts(teacher, people, 'kim');
    const kim = new Person(site, (await signInWith(site, code)).browser.headers, 'kim');
    const at = '/api/v1/projects/';
    const created = async (who: Person, values: object) =>
      (await who.post(at, values)).json() as Promise<{ id: number; visibility: string }>;
    const answer = async (response: Response) => [response.status, await response.json()];
    const work = await created(kim, { title: 'For us', visibility: 'class', history: 'public' });
    const comment = await created(kim, {
      ...{ title: 'I am Kim', content_type: 'comment', parent: work.id, visibility: 'public' },
    });
    const ofTeacher = await created(teacher, {
      ...{ title: 'Well done, Kim', content_type: 'comment', parent: work.id },
    });
    expect([comment.visibility, ofTeacher.visibility]).toEqual(['class', 'class']);
    const kimsId = 5;
    const best = await created(teacher, { title: 'Best of', content_type: 'collection' });
    const own = await created(kim, { title: 'Mine', content_type: 'collection', visibility: 'private' });

    const roleOf = async (who: Person, collection: { id: number }, id: number) =>
      (await who.put(`${at}${collection.id}/people/${id}/`, { role: 'editor' })).status;
    expect(await roleOf(ada, best, 3)).toBe(204);
    expect(await roleOf(kim, own, 3)).toBe(403);
    expect(await roleOf(ada, best, kimsId)).toBe(404);
    expect(await roleOf(teacher, best, 4)).toBe(await roleOf(teacher, best, 99));
    expect((await kim.delete(`${at}6/people/${kimsId}/`)).status).toBe(403);

    expect(await answer(await teacher.post(`${at}${best.id}/items/`, { project: work.id }))).toEqual([
      400,
      { project: ['There is no such project.'] },
    ]);
    const noted = { project: work.id, note: 'Call' };
    expect(await answer(await kim.post(`${at}${best.id}/items/`, noted))).toEqual([
      400,
      { note: ['A class looks after this account: ask your teacher.'] },
    ]);
    expect((await kim.post(`${at}${own.id}/items/`, noted)).status).toBe(201);
    const ofWork = await (await teacher.post(`${at}${work.id}/copy/`)).json();
    expect(await answer(await teacher.patch(`${at}${ofWork.id}/`, { visibility: 'public' }))).toEqual([
      403,
      { detail: 'This was made for a class: it cannot be remixed outside.' },
    ]);
    expect((await ada.post(`${at}${work.id}/copy/`)).status).toBe(201);

    await kim.patch(`${at}${work.id}/`, { title: 'For all', visibility: 'public' });
    await teacher.submit(`${people}waiting/`, 'Approve it For all');
    for (const who of [visitor(site), bob]) {
      expect((await who.get(`${at}${work.id}/`)).status).toBe(200);
      for (const { id } of [comment, ofTeacher]) expect((await who.get(`${at}${id}/`)).status).toBe(404);
      expect(await who.json(`${at}${work.id}/comments/`)).toMatchObject({ count: 0 });
      const versions = await who.json<{ results: { title: string }[] }>(`${at}${work.id}/history/`);
      expect(versions.results.map(({ title }) => title)).toEqual(['For all']);
    }
    for (const who of [kim, teacher])
      for (const { id } of [comment, ofTeacher]) expect((await who.get(`${at}${id}/`)).status).toBe(200);
    await kim.patch(`${at}${work.id}/`, { visibility: 'private' });
    for (const { id } of [work, comment, ofTeacher])
      expect((await teacher.get(`${at}${id}/`)).status).toBe(404);
  });

  test('a child becomes no teacher, leaves the class only by a release, and opens no copy of a work for it', async () => {
    const { site, ada, teacher, path, people } = await openClass(kind);
    const [kims = '', , lees = ''] = await makeAccounts(teacher, people, 'kim\nlee');
    const [kim, lee] = (await Promise.all(
      Object.entries({ kim: kims, lee: lees }).map(
        async ([name, code]) => new Person(site, (await signInWith(site, code)).browser.headers, name),
      ),
    )) as [Person, Person];
    const at = '/api/v1/projects/';
    const collection = 6;
    const kimsPlace = `${at}${collection}/people/5/`;
    for (const who of [ada, teacher])
      expect([403, 404]).toContain((await who.put(kimsPlace, { role: 'teacher' })).status);
    const form = await ada.send(`${people}teachers/`, { username: 'kim' });
    expect([form.status, (await kim.browser.get(`${path}hand-ins/`)).status]).toEqual([400, 404]);
    for (const who of [ada, teacher])
      expect(await (await who.delete(kimsPlace)).json()).toEqual({
        detail: 'The class looks after this account: hand it over instead.',
      });

    const work = (await (await lee.post(at, { title: 'For us', visibility: 'class' })).json()) as {
      id: number;
    };
    const copy = (await (await kim.post(`${at}${work.id}/copy/`)).json()) as { id: number };
    const drafted = (await (await kim.post(`${at}${work.id}/copy/`)).json()) as { id: number };
    expect((await kim.patch(`${at}${drafted.id}/`, { visibility: 'public', status: 0 })).status).toBe(403);
    await make(kim, 'By its address', 'unlisted');
    expect((await teacher.submit(`${people}waiting/`, 'Approve it By its address')).status).toBe(303);
    const [ofKim = ''] = (await teacher.open(people)).attributesOf('.rows li a', 'href');
    await teacher.submit(ofKim, 'Hand over the account');
    const released = await person(site, 'kim');
    expect((await released.patch(`${at}${copy.id}/`, { visibility: 'public', status: 1 })).status).toBe(403);
    const publish_at = new Date(Date.now() + 3_600_000).toISOString();
    for (const opened of [{ status: 1 }, { publish_at }])
      expect((await released.patch(`${at}${drafted.id}/`, { visibility: 'public', ...opened })).status).toBe(
        403,
      );
    expect((await released.patch(`${at}${copy.id}/`, { title: 'Still mine' })).status).toBe(200);
    expect(await visitor(site).json(`${at}?fields=title`)).toMatchObject({ results: [{ title: 'A lamp' }] });
  });

  test('on a shared tablet, the next child’s card signs in, and the one before is signed out', async () => {
    const { site, teacher, people } = await openClass(kind);
    const [kims = '', , lees = ''] = await makeAccounts(teacher, people, 'kim\nlee');
    const tablet = await signInWith(site, kims);
    const asKim = { ...tablet.browser.headers };
    expect((await tablet.open('/code/')).text).toContain('You are signed in as kim : a card signs in');
    const next = await tablet.browser.submit('/code/', 'Next', { code: lees });
    expect([next.status, next.headers.get('Clear-Site-Data')]).toEqual([303, '"cache", "storage"']);
    expect((await tablet.open('/account/')).text).toContain('lee');
    expect((await site.request('/mine/', { headers: asKim })).status).toBe(303);
    // What a child writes without a network begins with the class.
    expect(await (await tablet.browser.get('/offline/key.json')).json()).toMatchObject({
      visibility: 'class',
    });
    const kept = await tablet.send('/code/', { code: kims, keeps_storage: '1' });
    expect([kept.status, kept.headers.get('Clear-Site-Data')]).toEqual([303, '"cache"']);
  });

  test('a released account is its owner’s own, an erased one is gone with all that it made', async () => {
    const { site, teacher, people } = await openClass(kind);
    const [kims = '', , lees = ''] = await makeAccounts(teacher, people, 'kim\nlee');
    const lee = await signInWith(site, lees);
    await make(lee, 'The story of leeward', 'class', 'Nobody else shall read it.');
    const [ofKim = '', ofLee = ''] = (await teacher.open(people)).attributesOf('.rows li a', 'href');
    const released = await (await teacher.submit(ofKim, 'Hand over the account')).text();
    expect(released).toMatch(/\/new-password\/\?code=\d+\./);
    expect((await new Person(site).browser.submit('/code/', 'Next', { code: kims })).status).toBe(400);
    expect((await teacher.browser.get(ofKim)).status).toBe(404);

    const erased = await teacher.send(`${ofLee}erase/`);
    expect(erased.status).toBe(303);
    expect((await lee.browser.get('/mine/')).status).toBe(303);
    const rest = await exportAll(site);
    for (const text of ['leeward', 'shall read', '"lee"']) expect(rest).not.toContain(text);
    expect((await teacher.open(people)).textsOf('.rows li a')).toEqual([]);
  });

  test('a parent sees the child’s works, takes them along and ends the account', async () => {
    const { site, teacher, people } = await openClass(kind);
    const [code = '', slip = ''] = await makeAccounts(teacher, people, 'kim');
    const kim = await signInWith(site, code);
    await make(kim, 'For us', 'class', 'A **kite**.');
    const photo = await make(kim, 'A photo', 'class', '![Mine](kite.png)');
    const [path] = (photo.headers.get('Location') ?? '').split('?');
    for (const [name, width] of [
      ['kite.png', 40],
      ['tail.png', 50],
    ] as const) {
      const picture = new File([Uint8Array.from(png(width, 30))], name);
      expect((await kim.browser.upload(`${path}files/`, picture)).status).toBe(303);
    }
    const parent = new Person(site);
    const ask = async (path: string) => parent.browser.get(path);
    expect((await ask('/guardian/end/')).status).toBe(303);
    expect(await (await ask(`/guardian/?code=${code}`)).text()).toContain('This code is not right.');
    const opened = await ask(`/guardian/?code=${slip}`);
    expect([opened.status, opened.headers.get('Location')]).toEqual([303, '/guardian/']);
    expect(opened.headers.get('Set-Cookie')).toContain('Max-Age=900');
    const page = await ask('/guardian/');
    const text = await page.text();
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    for (const part of ['For us', '<strong>kite</strong>']) expect(text).toContain(part);
    expect(text).not.toContain(slip);
    // The text shows one of them, so that it does not stand above it.
    expect((await parent.open('/guardian/')).attributesOf('.childs-work img', 'alt')).toEqual(['', 'Mine']);
    const [src = ''] = /\/guardian\/pictures\/[\d/]+/.exec(text) ?? [];
    const seen = await ask(src);
    expect([seen.status, seen.headers.get('Content-Type'), (await seen.bytes()).length > 20]).toEqual([
      200,
      'image/webp',
      true,
    ]);
    expect((await new Person(site).browser.get(src)).status).toBe(404);
    expect((await ask(src.replace(/\d+\/$/, '9/'))).status).toBe(404);
    const zip = Buffer.from(await (await ask('/guardian/zip/')).bytes());
    expect(zip.includes('A **kite**.')).toBe(true);

    const typed = new Person(site);
    expect((await typed.open('/sign-in/')).textsOf('main a.button')).toEqual(['I have a code']);
    const lead = await typed.browser.submit('/code/', 'Next', { code: slip });
    expect([lead.status, lead.headers.get('Location')]).toEqual([303, '/guardian/']);
    const closed = await typed.browser.submit('/guardian/', 'Close this page', {});
    expect([closed.status, closed.headers.get('Location')]).toEqual([303, '/guardian/']);
    expect((await typed.browser.get('/guardian/end/')).status).toBe(303);
    await typed.browser.submit('/guardian/', 'Next', { code: slip });
    const ended = await typed.browser.submit('/guardian/end/', 'End the account', {});
    expect(ended.status).toBe(200);
    expect((await kim.browser.get('/mine/')).status).toBe(303);
    expect(await exportAll(site)).not.toContain('kite');
    expect((await ask('/guardian/end/')).status).toBe(303);
    expect((await ask(src)).status).toBe(404);
  });

  test('people with an account of their own join by the link, and leave', async () => {
    const { teacher, bob, path, people } = await openClass(kind);
    const shown = await (await teacher.submit(people, 'Make a new link')).text();
    const link = /\/join\/\?code=[\w-]+/.exec(shown)?.[0] ?? '';
    expect((await bob.browser.get('/join/?code=wrong')).status).toBe(404);
    const joined = await bob.submit(link, 'Join');
    expect([joined.status, joined.headers.get('Location')]).toEqual([303, path]);
    expect((await bob.browser.get(path)).status).toBe(200);
    expect((await bob.browser.get(people)).status).toBe(404);
    expect((await bob.browser.get('/account/password/')).status).toBe(200);
    await teacher.submit(people, 'End the link');
    expect((await bob.browser.get(link)).status).toBe(404);
  });

  test('sixty days after its end, and two notices, a class erases the accounts that were not released', async () => {
    setSystemTime(new Date('2030-06-01T08:00:00Z'));
    const { site, ada, teacher, people } = await openClass(kind);
    const [, , lees = ''] = await makeAccounts(teacher, people, 'kim\nlee');
    const [ofKim = ''] = (await teacher.open(people)).attributesOf('.rows li a', 'href');
    await teacher.submit(ofKim, 'Hand over the account');
    await make(await signInWith(site, lees), 'The story of leeward', 'class', 'Nobody else shall read it.');
    expect((await teacher.send(`${people}ends/`, { ends: '2030-06-30T12:00' })).status).toBe(403);
    expect((await ada.send(`${people}ends/`, { ends: '2030-06-30T12:00' })).status).toBe(303);
    const noticesOf = async (who: Person) => {
      const { results } = await who.json<{ results: { kind: string }[] }>('/api/v1/me/notifications/');
      return results.filter((notification) => notification.kind === 'ended').length;
    };
    const after = async (day: string) => {
      setSystemTime(new Date(`2030-${day}T13:00:00Z`));
      for (let time = 1; time <= 2; time++) await sweep(site.database, site.files);
      const home = await (await person(site, 'teacher')).open('/my-class/');
      const isKept = (await exportAll(site)).includes('leeward');
      expect([home.heading, home.text.includes('leeward')]).toEqual(['Class 6b', isKept]);
      return [await noticesOf(teacher), await noticesOf(ada), isKept];
    };
    expect(await after('06-29')).toEqual([0, 0, true]);
    expect(await after('06-30')).toEqual([1, 1, true]);
    expect(await after('07-29')).toEqual([1, 1, true]);
    expect(await after('07-31')).toEqual([2, 2, true]);
    expect(await after('08-29')).toEqual([2, 2, true]);
    expect(await after('08-31')).toEqual([2, 2, false]);
    const rest = await exportAll(site);
    expect(rest).not.toContain('"lee"');
    expect(rest).toContain('"username":"kim"');
    expect(rest).toContain('"title":"Class 6b"');
    if (kind === 'PostgreSQL') return;
    const files = [site.address, `${site.address}-wal`].filter(existsSync).map((path) => readFileSync(path));
    for (const text of ['leeward', 'Nobody else shall'])
      expect(files.map((bytes) => bytes.includes(text))).toEqual(files.map(() => false));
  });
});
