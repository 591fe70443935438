// `vitrine-moving adopt` finds the last names in the order of the old site's list, whichever order that is.

import { expect, test } from 'bun:test';
import { sortKey } from '../../src/core/words.ts';
import { onBothDatabases } from '../../test/support/databases.ts';
import { emptyGallery } from '../../test/support/galleries.ts';
import { contributor, dump, project, type Site, siteAt, siteOn } from '../../test/support/site.ts';
import { adoption } from './moving.ts';
import { compareCodePoints, item, type OldSite, startOldSite } from './old-site.ts';

type Names = readonly [firstName: string, lastName: string];

const names: readonly Names[] = [
  ['Ada', 'Zebra'],
  ['Bo', 'apple'],
  ['Cleo', 'Äpfel'],
  ['Dan', 'Apel'],
  ['Ewa', 'łem'],
  ['Fay', "O'Neil"],
  ['Gil', 'Onder'],
  ['Hana', 'Öz'],
  ['Ludwig', 'van Beethoven'],
  ['Jan', 'van Aken'],
  ['Иван', 'Петров'],
  ['Ольга', 'иванова'],
  ['Елена', 'Ёлкина'],
  ['يوسف', 'الفارابي'],
  ['مريم', 'ﻣحمد'],
  ['Kim', '🎈'],
  ['Lea', '\ue000'],
  ['Anna Maria', ''],
  ['Otto', ''],
  ['', 'Quine'],
  ['', 'user21'],
  ['Sam', 'CRUZ'],
  ['Rosa', 'Cruz'],
  ['Tim', 'de la Vega'],
];

const sortings: Record<string, OldSite['compareLastNames']> = {
  'by code point': compareCodePoints,
  'by code point, without case and accents': (one, other) => compareCodePoints(sortKey(one), sortKey(other)),
  'by code point, without case': (one, other) => compareCodePoints(one.toLowerCase(), other.toLowerCase()),
  'by Unicode collation': new Intl.Collator('en').compare,
  'by Unicode collation, without case and accents': new Intl.Collator('en', { sensitivity: 'base' }).compare,
  'by Unicode collation, without punctuation': new Intl.Collator('en', { ignorePunctuation: true }).compare,
};

/** Each contributor has two records, the ids of which are between those of others. */
const ownersOf = (people: readonly Names[]) =>
  [...people, ...people.toReversed()].map((names, index) => ({
    id: index + 1,
    person: people.indexOf(names) + 1,
  }));

function startOldSiteOf(people: readonly Names[], compare: OldSite['compareLastNames']): OldSite {
  const contributors = people.map(([firstName, lastName], index) => ({
    id: index + 1,
    username: `user${index + 1}`,
    name: `${firstName} ${lastName}`.trim(),
    lastName,
  }));
  const old = startOldSite(
    ownersOf(people).flatMap(({ id, person }) =>
      contributors.slice(person - 1, person).map((contributor) => ({ ...item(id), contributor })),
    ),
  );
  old.compareLastNames = compare;
  return old;
}

const dumpOf = (people: readonly Names[]) =>
  dump(
    ...people.map(([first_name, last_name], index) =>
      contributor(index + 1, `user${index + 1}`, { first_name, last_name }),
    ),
    ...ownersOf(people).map(({ id, person }) => project(id, { contributor: person })),
  );

interface List {
  readonly results: readonly { readonly id: number }[];
}

const orderings = ['contributor__last_name', '-contributor__last_name'];
const listOf = (ordering: string) => `projects/?page_size=100&ordering=${ordering}`;
const idsOf = ({ results }: List) => results.map(({ id }) => id);

const listBoth = (site: Site) =>
  Promise.all(orderings.map(async (name) => idsOf((await site.json(`/api/v1/${listOf(name)}`)) as List)));

async function listBothOfOldSite(old: OldSite): Promise<number[][]> {
  old.pageSize = 100;
  return Promise.all(
    orderings.map(async (name) =>
      idsOf((await (await fetch(`${old.address}${listOf(name)}`)).json()) as List),
    ),
  );
}

async function listLastNames(site: Site): Promise<string[]> {
  const { results } = (await site.json('/api/v1/contributors/?ordering=id&page_size=100')) as {
    results: { last_name: string }[];
  };
  return results.map(({ last_name }) => last_name);
}

onBothDatabases((kind) => {
  for (const [sorting, compare] of Object.entries(sortings))
    test(`of a site that sorts ${sorting}, last names and both orders by them are as in its dump`, async () => {
      const old = startOldSiteOf(names, compare);
      const { database, run, report } = adoption(old.address, await emptyGallery(kind));
      expect((await run()).out).toBe('48 of 48 records equal\n');
      expect(report()[0]).toEqual({ note: `The old site sorts last names ${sorting}.` });

      const adopted = await siteAt(database);
      const imported = await siteOn(kind, { dump: dumpOf(names) });
      expect(await listLastNames(adopted)).toEqual(names.map(([, lastName]) => lastName));
      expect(await listBoth(adopted)).toEqual(await listBoth(imported));
      // The gallery has one order of its own.
      if (sorting === 'by code point, without case and accents')
        expect(await listBoth(adopted)).toEqual(await listBothOfOldSite(old));
    });
});

/** The old site and its adoption, on SQLite. */
async function adoptionOf(people: readonly Names[], compare: OldSite['compareLastNames']) {
  const old = startOldSiteOf(people, compare);
  return { old, ...adoption(old.address, await emptyGallery('SQLite')) };
}

test('of a site with an order that is not tried, the report says so, names the nearest one and those who do not fit it', async () => {
  const people: readonly Names[] = [
    ['Ada', 'Adler'],
    ['Bo', 'Zander'],
    ['Kai', 'Ek'],
    ['Dan', 'Åberg'],
    ['Ewa', 'Ärlig'],
    ['Fay', 'Öberg'],
    ['Gil', 'von Platen'],
    ['Isa', 'de Geer'],
  ];
  const alphabet = ['Adler', 'Ek', 'Zander', 'de Geer', 'von Platen', 'Åberg', 'Ärlig', 'Öberg'];
  const { database, run, report } = await adoptionOf(
    people,
    (one, other) => alphabet.indexOf(one) - alphabet.indexOf(other),
  );

  expect((await run()).code).toBe(0);
  expect(report()).toEqual([
    {
      problem:
        "No common order explains the old site's list by contributor__last_name. Nearest, with 7 of 8 contributors: by code point.",
    },
    { contributor: 5, problem: 'The last name of "Ewa Ärlig" is a guess, "Ärlig": none fits the order.' },
  ]);
  expect(await listLastNames(await siteAt(database))).toEqual(people.map(([, lastName]) => lastName));
});

test('of a site that does not sort by last names, the likeliest are taken, and the report says so', async () => {
  const { database, run, report } = await adoptionOf(names, () => 0);

  expect((await run()).code).toBe(0);
  expect(report()).toEqual([
    { problem: 'The old site does not sort by contributor__last_name: all last names are guesses.' },
  ]);
  const lastNames = await listLastNames(await siteAt(database));
  expect(lastNames.slice(0, 10)).toEqual(names.slice(0, 10).map(([, lastName]) => lastName));
});

test('what the old site moves from the first to the last name is found by the run with --all', async () => {
  const people: Names[] = [
    ['Ada', 'Adler'],
    ['Juan Abad', 'Ruiz'],
    ['Zoë', 'Zebra'],
    ['Tim', 'Sand'],
  ];
  const { old, database, run } = await adoptionOf(people, compareCodePoints);
  await run();
  for (const { contributor } of old.items.values())
    if (contributor.id === 2) contributor.lastName = 'Abad Ruiz';
  await run();
  expect(await listLastNames(await siteAt(database))).toContain('Ruiz');

  await run('--all');
  expect(await listLastNames(await siteAt(database))).toContain('Abad Ruiz');
});
