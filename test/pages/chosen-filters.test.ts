// A list says which filters it has, and leads to the list without each of them.

import { expect, test } from 'bun:test';
import { projectFilters } from '../../src/projects/reading/filters.ts';
import { person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, siteOn, uuidOf } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'grace', { first_name: 'Grace', last_name: 'Hopper' }),
  project(1, { title: 'Kite', tags: ['paper'], contributor: 2 }),
);

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
      .textsOf('.list-filters .menu a')
      .map((text, index) => [text, page.attributesOf('.list-filters .menu a', 'href')[index]]);
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
