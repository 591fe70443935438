// A search on a page that finds nothing offers near words, if they find something.

import { beforeAll, expect, spyOn, test } from 'bun:test';
import sql from 'sql-template-tag';
import { pick, type Query, select } from '#sql';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { suggestionWordTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'grace'),
  project(1, { title: 'Kite', text: 'Of red paper', tags: ['wind'] }),
  project(2, { title: 'Pájaro de papel', content_type: 'quote', tags: ['Papel Maché'] }),
  project(3, { title: 'Воздушный змей' }),
  project(4, { title: 'Die Straße' }),
  project(5, { title: 'Paper windmill', content_type: 'quote' }),
  project(6, { title: '東京タワー' }),
  project(7, { title: 'Bear and beard' }),
  project(10, { title: 'Lantern', contributor: 2, visibility: 'private' }),
  project(11, { title: 'Marble', contributor: 2, visibility: 'unlisted' }),
  project(12, { title: 'Zeppelin', contributor: 2, status: 0 }),
  project(13, { title: 'A comment about chess', content_type: 'comment', contributor: 2, parent: 1 }),
);

/** The message of the page and the addresses of its links, but not the links of every empty list. */
async function searchFor(viewer: Person, query: Record<string, string>) {
  const page = await viewer.open(`/?${new URLSearchParams(query)}`);
  return {
    message: page.textsOf('.empty p').join(' '),
    links: page.attributesOf('.empty p a', 'href'),
  };
}

const nothing = { message: 'No projects found.', links: [] };

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
  });

  test('a search that finds nothing offers a near word, and the link finds it', async () => {
    const anyone = visitor(site);
    expect(await searchFor(anyone, { search: 'kiet' })).toEqual({
      message: 'No results for “ kiet ”. Did you mean kite ?',
      links: ['/?search=kite'],
    });
    expect((await anyone.open('/?search=kite')).textsOf('.count')).toEqual(['1 project']);
    const spanish = await anyone.browser.get('/?search=kiet', { 'Accept-Language': 'es' });
    expect(await spanish.text()).toContain(
      '<p>No hay resultados de «<bdi>kiet</bdi>». ¿Querías decir <a href="/?search=kite"><bdi>kite</bdi></a>?</p>',
    );
    expect(await site.json('/api/v1/projects/?search=kiet')).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
  });

  test('near words are one edit away, two from eight letters on, and spelled as in the project', async () => {
    const searches: Record<string, string | undefined> = {
      Kitte: 'kite',
      ikte: 'kite',
      jite: 'kite',
      kte: 'kite',
      kites: 'kite',
      kjtes: undefined,
      pajraro: 'pájaro',
      PAJÁRÓO: 'pájaro',
      'papel macje': 'papel maché',
      strasze: 'straße',
      вохдушный: 'воздушный',
      wimdmil: undefined,
      wimdnill: 'windmill',
      windnlil: 'windmill',
      bera: 'bear',
      chesz: undefined,
      東京タウー: undefined,
      k1te: undefined,
      'zz zz zz': undefined,
    };
    for (const [search, suggestion] of Object.entries(searches)) {
      const { links } = await searchFor(visitor(site), { search });
      expect([search, links]).toEqual([
        search,
        suggestion ? [`/?${new URLSearchParams({ search: suggestion })}`] : [],
      ]);
    }
  });

  test('only words that find nothing are replaced; the rest of the search and the filters stay', async () => {
    const anyone = visitor(site);
    expect(await searchFor(anyone, { search: '"red paper"  KITTE', ordering: 'title', page: '1' })).toEqual({
      message: 'No results for “ "red paper" KITTE ”. Did you mean "red paper" kite ?',
      links: ['/?ordering=title&search=%22red+paper%22++kite'],
    });
    expect(await searchFor(anyone, { search: 'papre windmlil', content_type: 'quote' })).toEqual({
      message: 'No results for “ papre windmlil ”. Did you mean paper windmill ?',
      links: ['/?content_type=quote&search=paper+windmill'],
    });
    // There is no such project of this type, with these two words, or with this phrase.
    expect(await searchFor(anyone, { search: 'kiet', content_type: 'quote' })).toEqual(nothing);
    expect(await searchFor(anyone, { search: 'kiet windmill' })).toEqual(nothing);
    expect(await searchFor(anyone, { search: 'kite windmill' })).toEqual(nothing);
    expect(await searchFor(anyone, { search: '"red papre"' })).toEqual(nothing);
    expect(await searchFor(anyone, { search: 'kiet bera strasze' })).toEqual(nothing);
    expect(await searchFor(anyone, { search: 'kiet two three four five six seven' })).toEqual(nothing);
    expect(await searchFor(anyone, { tags: 'kiet' })).toEqual(nothing);
  });

  test('words of projects that are not listed are never offered, not even to their author', async () => {
    const grace = await person(site, 'grace');
    for (const search of ['latern', 'mabrle', 'zepelin'])
      for (const viewer of [visitor(site), grace])
        expect([search, await searchFor(viewer, { search })]).toEqual([search, nothing]);
  });

  test('a word is offered while a listed project has it, and the sweep deletes it after that', async () => {
    const own = await siteOn(kind, { dump: gallery });
    const [anyone, grace] = [visitor(own), await person(own, 'grace')];
    const offered = {
      message: 'No results for “ zepelin ”. Did you mean zeppelin ?',
      links: ['/?search=zeppelin'],
    };
    await grace.patch('/api/v1/projects/12/', { status: 1 });
    expect(await searchFor(anyone, { search: 'zepelin' })).toEqual(offered);
    await grace.patch('/api/v1/projects/12/', { tags: ['airship'] });
    expect(await searchFor(anyone, { search: 'arship' })).toMatchObject({ links: ['/?search=airship'] });
    await grace.patch('/api/v1/projects/12/', { visibility: 'private' });
    expect(await searchFor(anyone, { search: 'zepelin' })).toEqual(nothing);
    await grace.patch('/api/v1/projects/12/', { visibility: 'public' });
    expect(await searchFor(anyone, { search: 'zepelin' })).toEqual(offered);

    await grace.delete('/api/v1/projects/12/');
    expect(await searchFor(anyone, { search: 'zepelin' })).toEqual(nothing);
    await own.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = 0 where trashed is not null`),
    );
    await sweep(own.database, own.files);
    const words = await own.database.all(
      select(pick(suggestionWordTable.columns, 'word'), sql`from suggestion_word order by word`),
    );
    expect(words.map(({ word }) => word)).toEqual([
      'and',
      'bear',
      'beard',
      'die',
      'kite',
      'mache',
      'pajaro',
      'papel',
      'paper',
      'strasse',
      'wind',
      'windmill',
      'воздушныи',
      'змеи',
    ]);
  });
});

/** As somebody adds them who changes a title again and again. */
const crowdOfWords = sql`
  with recursive numbers (number) as (select 10000 union all select number + 1 from numbers where number < 15000)
  insert into suggestion_word select 'aaa' || number, number || 'aaa' from numbers`;

/** `npm run test:load` measures it with many more. */
test('of very many words that begin alike, a thousand are compared, and are read where nobody waits', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const { database } = site;
  await database.transaction((transaction) => transaction.run(crowdOfWords));
  using slow = spyOn(database.slowReader, 'all');
  using quick = spyOn(database, 'all');
  await searchFor(visitor(site), { search: 'aaabbbbb' });
  const readsWords = ([{ statement }]: [Query<object>]) => statement.sql.includes('from suggestion_word');
  expect(quick.mock.calls.filter(readsWords)).toEqual([]);
  const results = slow.mock.calls.map((call, index) => readsWords(call) && slow.mock.results[index]?.value);
  const counts = (await Promise.all(results)).map((rows) => (Array.isArray(rows) ? rows.length : 0));
  expect(Math.max(...counts)).toBe(1000);
});
