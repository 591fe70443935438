// The content of pages for different viewers, and for different numbers of projects and comments.

import { beforeAll, expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { Page } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const uuid = (id: number) => `uuid${String(id).padStart(18, '0')}`;
const at = (id: number) => `/content/${uuid(id)}/a-thing/`;

/** Forty lines, of which the last is another one after the change. */
const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}.`);

const gallery = dump(
  ada,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  contributor(9, 'quiet'),
  project(1, { title: 'Kite', text: lines.join('\n\n') }),
  project(2, { title: 'Secret', visibility: 'private' }),
  project(3, { title: 'Draft', status: 0 }),
  project(4, { title: 'Gone', status: 3, contributor: 3 }),
  project(5, { title: 'Of another', contributor: 2 }),
  project(6, { title: 'Gone too', status: 3 }),
  project(7, { title: 'Said', content_type: 'comment', parent: 5, text: `${'Word. '.repeat(500)}The end.` }),
  project(8, { title: 'Long', contributor: 9, text: `${'Word. '.repeat(3000)}The end.` }),
);

onBothDatabases((kind) => {
  let site: Site;
  const people = {} as Record<string, Person>;

  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
    for (const name of ['ada', 'zoe', 'mo'])
      people[name] = await person(site, name, name === 'mo' ? { role: 'moderator' } : {});
    people.visitor = visitor(site);
  });

  const browserOf = (name: string) => (people[name] as Person).browser;
  const open = async (path: string, who = 'visitor') => (await browserOf(who).get(path)).text();
  const send = (path: string, fields: Record<string, string>, who: string, headers = {}) =>
    browserOf(who).send(path, fields, headers);
  const redirectOf = (response: Response) => response.headers.get('Location');

  test('what is private is not shared, and a draft is no card for other sites', async () => {
    const offers = async (id: number) => {
      const page = await open(at(id), 'ada');
      return [page.includes('Its address'), page.includes('As a card on another page')];
    };

    expect([await offers(1), await offers(2), await offers(3)]).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ]);
  });

  test('nobody is offered to report their own project', async () => {
    const offers = async (who?: string) => (await open(at(1), who)).includes(`href="${at(1)}report/"`);

    expect([await offers(), await offers('zoe'), await offers('ada')]).toEqual([true, true, false]);
  });

  test('the sign-in page redirects a person who is signed in, but not to itself', async () => {
    const next = async (path: string) =>
      redirectOf(
        await site.get(`/sign-in/?${new URLSearchParams({ next: path })}`, browserOf('ada').headers),
      );

    expect(await next('/mine/')).toBe('/mine/');
    for (const path of ['/sign-in/', '/sign-up/?next=x', '/sign-out/']) expect(await next(path)).toBe('/');
  });

  test('choosing a theme redirects to the page before, if it is of this site', async () => {
    const from = async (referer: string) =>
      redirectOf(await send('/look/', { look: 'dark' }, 'ada', { Referer: referer }));

    expect(await from('http://gallery.example/tags/?page=1')).toBe('/tags/?page=1');
    expect(await from('http://elsewhere.example/tags/')).toBe('/');
  });

  test('a moderator’s own trash has nothing of anybody else’s', async () => {
    await send(`/content/${uuid(5)}/a-thing/away/`, {}, 'zoe');

    expect(await open('/mine/?show=trash', 'zoe')).toContain('Of another');
    expect(await open('/mine/?show=trash', 'mo')).not.toContain('Of another');
    expect(await open('/moderation/trash/', 'mo')).toContain('Of another');
    await send('/moderation/trash/', { project: '5' }, 'mo');
  });

  test('deleting a project redirects a moderator to the queue, and its owner to the trash', async () => {
    const away = async (id: number, who: string) => {
      const place = redirectOf(await send(`${at(id)}away/`, {}, who));
      await send('/moderation/trash/', { project: String(id) }, 'mo');
      return place;
    };

    expect([await away(5, 'zoe'), await away(5, 'mo')]).toEqual(['/mine/?show=trash', '/moderation/']);
  });

  test('a removed project is restored by moderators, but not by its owner', async () => {
    const page = await open('/moderation/removed/', 'mo');

    expect(page).toContain(at(4));
    expect(new Page(page).attributesOf('[name=project]', 'value')).toEqual(['6']);
  });

  test('only the text’s changes are in a visitor’s history, and only what is near them', async () => {
    await send(`${at(1)}state/`, { status: '2' }, 'ada');
    const since = (await browserOf('ada').open(`${at(1)}edit/`)).fields.since ?? '';
    const text = [...lines.slice(0, -1), 'The last.'].join('\n\n');
    await send(`${at(1)}edit/`, { title: 'Kite', text, tags: '', visibility: 'public', since }, 'mo');
    const [own, others] = [await open(`${at(1)}history/`, 'ada'), await open(`${at(1)}history/`)];

    expect([own.includes('now archived'), others.includes('now archived')]).toEqual([true, false]);
    expect([others.includes('<ins>'), others.includes('Line 39.'), others.includes('Line 3.')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([own.includes('by a moderator (3)'), others.includes('by a moderator (3)')]).toEqual([
      false,
      false,
    ]);
    expect(await open(`${at(1)}history/`, 'mo')).toContain('by a moderator (3)');
  });

  test('long comments are read on their own pages, and feeds tell long texts by their first words', async () => {
    expect(await open(at(5))).toContain('Read all of it');
    expect(await open(at(5))).not.toContain('The end.');
    expect(await open(at(7))).toContain('The end.');
    expect(await open('/contributors/9-quiet/feed.atom')).toContain('Long');
    expect(await open('/contributors/9-quiet/feed.atom')).not.toContain('The end.');
  });

  test('a card is made no smaller than it can be read', async () => {
    const url = encodeURIComponent(`http://gallery.example${at(1)}`);

    expect(await site.json(`/oembed?url=${url}&maxwidth=10&maxheight=10`)).toMatchObject({
      width: 240,
      height: 160,
    });
  });

  test('an expired key is shown as expired', async () => {
    const key = await site.key('ada', { expired: true });

    expect((await site.get('/api/v1/me/', key)).status).toBe(401);
    expect(await open('/account/keys/', 'ada')).toContain('over since');
  });

  test('the first part of the sitemap alone has the home page', async () => {
    const home = '<loc>http://gallery.example/</loc>';

    expect(await open('/sitemaps/1-.xml')).toContain(home);
    expect(await open('/sitemaps/2-.xml')).not.toContain(home);
  });
});
