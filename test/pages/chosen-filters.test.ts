// A list says which filters it has, and leads to the list without each of them.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { projectFilters } from '../../src/projects/reading/filters.ts';
import { readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { make } from '../support/school.ts';
import { ada, contributor, dump, project, siteOn, uuidOf } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'grace', { first_name: 'Grace', last_name: 'Hopper' }),
  project(1, { title: 'Kite', tags: ['paper'], contributor: 2 }),
);

afterEach(() => void setSystemTime());

test('a list shows each filter that its heading does not name, with the list without it', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const seen = async (query: string) => {
    const page = await visitor(site).open(`/?${query}`);
    return [page.heading, page.textsOf('.chosen li'), page.attributesOf('.chosen a', 'href')];
  };
  expect(await seen('')).toEqual(['Look what we made.', [], []]);
  expect(await seen('content_type=quote')).toEqual(['Quotes', [], []]);
  expect(await seen('tags=paper&content_type=text')).toEqual(['Tagged paper', [], []]);
  expect(await seen('search=kite&tags=paper&contributor=2')).toEqual([
    'Results for “ kite ”',
    ['paper ×', 'Grace Hopper ×'],
    ['/?contributor=2&search=kite', '/?search=kite&tags=paper'],
  ]);
  expect(await seen('contributor=99&license__in=CC0-1.0,MIT')).toEqual([
    'Look what we made.',
    ['by 99 ×', 'CC0 1.0, MIT ×'],
    ['/?license__in=CC0-1.0%2CMIT', '/?contributor=99'],
  ]);
});

test('every filter of the API is said in words', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_TIME_ZONE: 'Europe/Berlin' } });
  const grace = await person(site, 'grace');
  const words: Readonly<Record<string, string>> = {
    'id__in=1,2': 'number 1,2',
    [`uuid=${uuidOf(1)}`]: `address with ${uuidOf(1)}`,
    'slug=kite': 'address that ends in kite',
    'content_type__in=text,quote': 'Stories, Quotes',
    'visibility=public': 'public',
    'status=1': 'published',
    'contributor=me': 'Mine',
    'contributor=grace': 'Grace Hopper',
    'license=MIT': 'MIT',
    'license__in=CC0-1.0,CC-BY-SA-4.0': 'CC0 1.0, CC BY-SA 4.0',
    'license__in=CC0-1.0,CC-BY-4.0,CC-BY-SA-4.0,MIT,GPL-3.0-or-later': 'Free to reuse',
    'created__gte=2026-10-01': 'made since 1 October 2026',
    'created__gt=2026-10-01': 'made after 1 October 2026, 00:00',
    'created__lt=2026-10-01T14:30': 'made before 1 October 2026, 14:30',
    'created__lte=2026-10-01T00:00Z': 'made until 1 October 2026, 02:00',
    'modified__gte=2026-10-01T00:00:01': 'changed since 1 October 2026, 00:00',
    'modified__gt=2026-10-01T12:00': 'changed after 1 October 2026, 12:00',
    'modified__lt=2026-10-01': 'changed before 1 October 2026',
    'modified__lte=2026-10-01T12:00': 'changed until 1 October 2026, 12:00',
  };
  const shown = Object.keys(words).map(async (query) => {
    const page = await grace.open(`/?search=kite&${query}`);
    return [
      query,
      page
        .textsOf('.chosen li')
        .map((text) => text.replace(' ×', ''))
        .join(' | '),
    ];
  });
  expect(Object.fromEntries(await Promise.all(shown))).toEqual(words);
  const hidden = await grace.open('/?search=kite&collection=1&copied_from=1&tags=paper');
  expect(hidden.textsOf('.chosen li')).toEqual(['Collection ×', 'Remixes ×', 'paper ×']);
  const named = new Set([
    ...Object.keys(words),
    'content_type',
    'search',
    'collection',
    'copied_from',
    'tags',
  ]);
  expect(new Set([...named].map((query) => query.split('=')[0]))).toEqual(
    new Set(Object.keys(projectFilters)),
  );
});

test('every list can be sorted by newest, also a search', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ordersOf = async (query: string) => {
    const page = await visitor(site).open(`/${query}`);
    return page
      .textsOf('.list-filters > .menu:last-child a')
      .map((text, index) => [text, page.attributesOf('.list-filters > .menu:last-child a', 'href')[index]]);
  };
  const rest = (query = '') => [
    ['Oldest', `/?ordering=created${query}`],
    ['Top rated', `/?ordering=-rating_sum${query}`],
    ['Title A–Z', `/?ordering=title${query}`],
  ];
  expect(await ordersOf('')).toEqual([['Newest', '/'], ...rest()]);
  expect(await ordersOf('?search=kite&ordering=-created')).toEqual([
    ['Best match', '/?search=kite'],
    ['Newest', '/?ordering=-created&search=kite'],
    ...rest('&search=kite'),
  ]);
});

test('a list is narrowed by time, tags, licence and to one’s own, and keeps the rest', async () => {
  setSystemTime(new Date('2026-03-31T12:00Z'));
  const site = await siteOn('SQLite', { dump: gallery });
  const query = 'content_type=text&search=kite&tags=paper&created__gte=2026-03-01&created__lt=2026-03-20';
  const seen = async (who: Person, query: string) => {
    const page = await who.open(`/?${query}`);
    const fields = page.attributesOf('.filters [name]', 'name');
    const links = page.attributesOf('.filters a', 'href');
    return { fields, links, values: page.attributesOf('.filters input', 'value') };
  };
  expect(await seen(visitor(site), query)).toEqual({
    fields: ['content_type', 'search', 'created__gte', 'created__lt', 'tags'],
    values: ['text', 'kite', '2026-03-01', '2026-03-20', 'paper'],
    links: [
      '/?content_type=text&created__gte=2026-03-24&search=kite&tags=paper',
      '/?content_type=text&created__gte=2026-03-01&search=kite&tags=paper',
      '/?content_type=text&created__gte=2025-03-31&search=kite&tags=paper',
    ],
  });
  const grace = await person(site, 'grace');
  expect((await seen(grace, 'license__in=MIT')).fields).toEqual([
    ...['created__gte', 'created__lt', 'tags', 'license__in', 'contributor'],
  ]);
  await make(grace, { title: 'A draft', status: 0 });
  const mine = await grace.browser.get('/?contributor=me&created__gte=&license__in=');
  expect(mine.headers.get('Cache-Control')).toBe('no-store');
  const page = await readPage(mine);
  expect([page.textsOf('.card .name'), page.textsOf('.chosen li')]).toEqual([
    ['A draft', 'Kite'],
    ['Mine ×'],
  ]);
  const refused = await visitor(site).get('/?contributor=me');
  expect([refused.status, refused.headers.get('Location')]).toEqual([
    303,
    '/sign-in/?next=%2F%3Fcontributor%3Dme',
  ]);
  expect((await visitor(site).get('/?created__gte=soon')).status).toBe(400);
});

test('a page that a cache has offers the days of today', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const firstLink = async () => (await visitor(site).open('/')).attributesOf('.filters a', 'href')[0];
  const seen: unknown[] = [];
  for (const now of ['2026-03-31T23:59', '2026-03-31T23:59', '2026-03-31T23:59', '2026-04-01T00:00']) {
    setSystemTime(new Date(`${now}Z`));
    seen.push(await firstLink());
  }
  expect(seen).toEqual([...Array(3).fill('/?created__gte=2026-03-24'), '/?created__gte=2026-03-25']);
});

test('the first featured project of a list has a large card; the start page and searches have none', async () => {
  const site = await siteOn('SQLite', {
    dump: dump(ada, ...[1, 2, 3].map((id) => project(id, { title: `Kite ${id}`, tags: ['kites'] }))),
  });
  const mo = await person(site, 'ada', { role: 'moderator' });
  for (const id of [1, 2]) await mo.put(`/api/v1/projects/${id}/featured/`, undefined);
  const largeOn = async (path: string) => (await visitor(site).open(path)).textsOf('.large .name');
  expect(await largeOn('/?tags=kites')).toEqual(['Kite 2']);
  expect([await largeOn('/'), await largeOn('/?search=kite')]).toEqual([[], []]);
});

test('an empty gallery has no filters', async () => {
  expect((await visitor(await siteOn('SQLite')).open('/')).textsOf('.list-filters')).toEqual([]);
});

test('search engines list what is about a topic, and no list of a person, a collection or a project', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const isIndexed = async (query: string) =>
    !(await (await site.get(`/?${query}`)).text()).includes('<meta name="robots" content="noindex"');
  for (const query of ['', 'tags=paper', 'content_type=text', 'ordering=title', 'page=1'])
    expect([query, await isIndexed(query)]).toEqual([query, true]);
  for (const query of [
    'contributor=2',
    'collection=1',
    'copied_from=1',
    'search=kite',
    'uuid=&tags=a&ordering=title',
  ])
    expect([query, await isIndexed(query)]).toEqual([query, false]);
});
