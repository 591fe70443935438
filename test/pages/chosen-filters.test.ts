// A list says which filters it has, and leads to the list without each of them.

import { expect, test } from 'bun:test';
import { visitor } from '../support/person.ts';
import { ada, contributor, dump, project, siteOn } from '../support/site.ts';

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
    ['contributor: 99 ×', 'CC0-1.0, MIT ×'],
    ['/?license__in=CC0-1.0%2CMIT', '/?contributor=99'],
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
