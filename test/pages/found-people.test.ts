// The people above the results of a search: those whose names begin like it, and whom the viewer may find.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const maker = (id: number, username: string, first_name = '', last_name = '') => [
  contributor(id, username, { first_name, last_name }),
  project(id, { contributor: id, title: `Thing ${id}` }),
];

const gallery = dump(
  ...maker(1, 'kites', 'Sione', 'Fīnau'),
  ...maker(2, 'Sion', 'Ann', 'Zed'),
  ...maker(3, 'slg', 'Sara', 'López García'),
  ...maker(4, 'sara.2', 'Sara', 'Li'),
  ...maker(5, 'yuki', 'Yuki', '田中'),
  ...maker(6, 'odd', '100%', '_'),
  contributor(7, 'sione.secret', { first_name: 'Sione', last_name: 'Secret' }),
  ...Array.from({ length: 8 }, (_, index) => maker(20 + index, `mo${index}`)).flat(),
);

/** The letter of an avatar stands before each name. */
const foundOn = async (site: Site, search: string, who = visitor(site)) =>
  (await who.open(`/?search=${encodeURIComponent(search)}`))
    .textsOf('.found-people li')
    .map((text) => text.slice(text.indexOf(' ') + 1));

onBothDatabases((kind) => {
  test('people who have published nothing push nobody out of the search', async () => {
    const many = Array.from({ length: 600 }, (_, index) => contributor(100 + index, `maa${index}`));
    const site = await siteOn(kind, { dump: dump(...maker(1, 'maria', 'Maria', 'Zed'), ...many) });
    expect(await foundOn(site, 'ma')).toEqual(['Maria Zed @maria']);
  });

  test('a search finds people by how their names and usernames begin', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const found = (search: string) => foundOn(site, search);
    const cases: [string, string[]][] = [
      ['sione', ['Sione Fīnau @kites']],
      [' SION ', ['Ann Zed @Sion', 'Sione Fīnau @kites']],
      ['finau', ['Sione Fīnau @kites']],
      ['fīnau sione', ['Sione Fīnau @kites']],
      ['@kites', ['Sione Fīnau @kites']],
      ['sara', ['Sara Li @sara.2', 'Sara López García @slg']],
      ['sara lo', ['Sara López García @slg']],
      ['lopez gar', ['Sara López García @slg']],
      ['"田中"', ['Yuki 田中 @yuki']],
      ['100%', ['100% _ @odd']],
      ['%', []],
      ['ione', []],
      ['sione zed', []],
      ['\0', []],
      ['x'.repeat(5000), []],
      ['mo', ['mo0', 'mo1', 'mo2', 'mo3', 'mo4', 'mo5']],
    ];
    for (const [search, names] of cases) expect([search, await found(search)]).toEqual([search, names]);

    expect((await visitor(site).open('/?search=sione&page=2')).textsOf('.found-people li')).toEqual([]);
    expect((await visitor(site).open('/?search=sione&tags=x')).textsOf('.found-people li')).toEqual([]);
    const mo = await person(site, 'mo1', { role: 'moderator' });
    expect(await foundOn(site, 'sione', mo)).toEqual(['Sione Fīnau @kites', 'Sione Secret @sione.secret']);
  });

  test('a hidden name finds nobody, and a new name is found at once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const kites = await person(site, 'kites');
    const found = (search: string) => foundOn(site, search);
    await kites.patch('/api/v1/me/', { shown_name: 'username' });
    expect([await found('sione'), await found('kit')]).toEqual([[], ['kites']]);
    await kites.patch('/api/v1/me/', { shown_name: 'full', first_name: 'Tevita' });
    expect([await found('sione'), await found('tev')]).toEqual([[], ['Tevita Fīnau @kites']]);
  });
});
