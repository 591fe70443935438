// What a search finds, and in which order: the same on both databases.

import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { importDump } from '../../src/gallery/dump/import.ts';
import { toSearchWords } from '../../src/gallery/projects/search-words.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

interface Page {
  count?: number;
  next: string | null;
  previous: string | null;
  results: { id: number }[];
}

const idsOf = ({ results }: Page) => results.map(({ id }) => id);

/** What is found, in its order. */
async function found(site: Site, search: string, more = ''): Promise<number[]> {
  const query = `fields=id&page_size=100&search=${encodeURIComponent(search)}${more}`;
  const page = (await site.json(`/api/v1/projects/?${query}`)) as Page;
  const ids = idsOf(page);
  expect(page.count).toBe(ids.length);
  return ids;
}

const importMore = ({ database, files }: Site, ...lines: string[]) =>
  importDump(database, files, 'more', new Blob([dump(...lines)]).stream());

const gallery = dump(
  ada,
  contributor(2, 'grace', { first_name: 'Grace', last_name: 'Kite' }),
  contributor(3, 'zoë', { first_name: 'Zoë', last_name: 'Ångström' }),
  project(1, { text: 'A kite made of paper.' }),
  project(2, { title: 'Kite', text: 'Made of linen.' }),
  project(3, { tags: ['kite'] }),
  project(4, { title: 'Paper boat', tags: ['kites'] }),
  project(5, { contributor: 2 }),
  project(6, { title: 'Kite of paper' }),
  project(7, { title: 'Paper, and not a kite', text: 'Paper kite' }),
  project(8, { title: 'Windmill', text: 'red wind, mill of wood', tags: ['big red', 'wheel'] }),
  project(9, { title: 'Café Straße ΟΔΟΣ', contributor: 3 }),
  project(20, { title: '東京都の夜' }),
  project(21, { title: '京都', text: '東京タワー' }),
  project(22, { title: '東の京', tags: ['東'] }),
  project(23, { title: 'iPhone用ケース', text: 'コーヒー 大 小' }),
  project(24, { title: 'ภาษาไทย', text: 'ฉันมีแมว' }),
  project(25, { title: 'ไม่มา', text: 'v2東京tower' }),
);

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
  });

  const finds = (what: string, searches: Record<string, number[]>) => {
    test(what, async () => {
      const heard: Record<string, number[]> = {};
      for (const search of Object.keys(searches)) heard[search] = await found(site, search);
      expect(heard).toEqual(searches);
    });
  };

  finds('best first: all in the title, then in title, tags and name together, then anywhere; newest first', {
    kite: [7, 6, 2, 5, 4, 3, 1],
    'paper kite': [7, 6, 4, 1],
    'grace thing': [5],
    'made kite': [2, 1],
  });

  finds('all words have to be there, the last at least as a beginning', {
    'kite linen': [2],
    'kite lin': [2],
    'lin kite': [],
    'linen ki': [2],
    'kite nowhere': [],
  });

  finds('a phrase in quotes, of any shape, stands behind one another and is not a beginning', {
    '"paper kite"': [7],
    '“paper kite”': [7],
    '„paper kite“': [7],
    '"kite of paper"': [6],
    '"kite of pap"': [],
    '"made of" linen': [2],
    'linen "made of"': [2],
    '"made o" linen': [],
    '"kite"': [7, 6, 2, 5, 3, 1],
    'paper "kite"': [7, 6, 1],
    '"paper" "boat"': [4],
    'boat ""': [4],
    '""': [],
    '"!?"': [],
  });

  finds('a quote that is not closed runs to the end, its last word a beginning', {
    '"kite of pap': [6],
    '"made o': [2, 1],
    'linen "made o': [2],
    '5" disk': [],
  });

  finds('no phrase reaches from title to tags, from tag to tag, or on into name and text', {
    '"windmill big"': [],
    '"red wheel"': [],
    '"big red"': [8],
    '"wheel ada"': [],
    '"lovelace red"': [],
    '"red wind mill of wood"': [8],
  });

  finds('neither case nor accents matter', {
    'CAFE strasse': [9],
    'café STRASSE': [9],
    οδος: [9],
    ΟΔΟ: [9],
    'zoe angstrom': [9],
    'ZOË ÅNGSTRÖM': [9],
  });

  finds('writing without spaces is found by any run of its characters', {
    東: [22, 20, 25, 21],
    京: [22, 21, 20, 25],
    東京: [20, 25, 21],
    京都: [21, 20],
    東京都: [20],
    '"東京都"': [20],
    '"京都の夜"': [20],
    '"東京" の夜': [20],
    東都: [],
    '夜 東京': [20],
    '東 京': [22, 20, 25, 21],
    ーヒ: [23],
    コーヒー: [23],
    ケース: [23],
  });

  finds('a run of one character stands in a phrase as well', {
    '"大 小"': [23],
    '"小 大"': [],
    '"大"': [23],
    '"用ケース"': [23],
    '"iphone 用"': [23],
    iPhone用: [23],
    '"v2 東京 tower"': [25],
    '"v2 東"': [25],
    '"京 tower"': [25],
    '"東 tower"': [],
    v2東京t: [25],
    '"v2東京t"': [],
    tower: [25],
  });

  finds('Thai is found with its vowels and whatever its tones', {
    ไทย: [24],
    ภาษา: [24],
    มี: [24],
    'มี แมว': [24],
    มา: [25],
    ไมมา: [25],
    ไม่มา: [25],
  });

  test('an ordering stands alone, and one of which nothing is left does not', async () => {
    expect([
      await found(site, 'kite', '&ordering=id'),
      await found(site, 'kite', '&ordering=-created'),
      await found(site, 'kite', '&ordering=best'),
    ]).toEqual([
      [1, 2, 3, 4, 5, 6, 7],
      [7, 6, 5, 4, 3, 2, 1],
      [7, 6, 2, 5, 4, 3, 1],
    ]);
  });

  test('pages and cursors go through what was found in its order, there and back', async () => {
    const best = [7, 6, 2, 5, 4, 3, 1];
    const walk = async (from: string, direction: 'next' | 'previous') => {
      const seen: number[][] = [];
      let last = from;
      for (let path: string | null = from; path; ) {
        const page = (await site.json(path)) as Page;
        seen.push(idsOf(page));
        last = path;
        path = page[direction]?.replace('http://gallery.example', '') ?? null;
      }
      return { seen, last };
    };
    const address = '/api/v1/projects/?fields=id&page_size=2&search=kite';
    const byPage = await walk(address, 'next');
    const byCursor = await walk(`${address}&cursor=`, 'next');
    const back = await walk(byCursor.last, 'previous');

    expect(byPage.seen.flat()).toEqual(best);
    expect(byCursor.seen).toEqual([[7, 6], [2, 5], [4, 3], [1]]);
    expect(back.seen.reverse().flat()).toEqual(best);
  });

  test('a search stands beside filters, and narrows a record too', async () => {
    const status = async (path: string) => (await site.get(path)).status;
    expect([
      await found(site, 'kite', '&contributor=grace'),
      await found(site, 'kite', '&tags=kite'),
      await status('/api/v1/projects/6/?search="of paper"'),
      await status('/api/v1/projects/6/?search="of kite"'),
    ]).toEqual([[5], [3], 200, 404]);
  });

  test('a project that changes and a contributor who takes another name are found by what they are now', async () => {
    const own = await siteOn(kind, { dump: dump(ada, project(1, { title: 'Old thing', tags: ['first'] })) });
    await importMore(own, project(1, { title: 'New thing' }), project(2));
    await importMore(own, contributor(1, 'ada', { first_name: 'Augusta', last_name: 'King' }));
    await Bun.sleep(own.database.maxStalenessMs);
    const searches = ['old', 'first', 'new', 'lovelace', 'augusta king', '"augusta king" thing'];
    const heard = await Promise.all(searches.map((search) => found(own, search)));

    expect(heard).toEqual([[], [], [1], [], [2, 1], [2, 1]]);
  });

  test('what is forgotten is not found', async () => {
    const own = await siteOn(kind, { dump: dump(ada, project(1), project(2), project(3)) });
    await own.database.transaction(async (transaction) => {
      await transaction.deleteSearchWords([1, 3, 99]);
      await transaction.run(sql`update change_head set last = last + 1`);
    });
    await Bun.sleep(own.database.maxStalenessMs);
    const heard = await found(own, 'thing');

    expect(heard).toEqual([2]);
  });

  test('the longest texts are found by every word of theirs, and by their phrases', async () => {
    const frequent = Array.from({ length: 900 }, (_, index) => `the w${index}`).join(' ');
    const long = Array.from({ length: 18_000 }, (_, index) => index.toString(36)).join(' ');
    const run = (length: number, first: number) =>
      Array.from({ length }, (_, index) => String.fromCodePoint(first + index)).join('');
    const own = await siteOn(kind, {
      dump: dump(
        ada,
        project(1, { text: frequent }),
        project(2, { text: long }),
        project(3, { text: run(20_000, 0x4e00) }),
        project(4, { text: run(40_000, 0x20000).repeat(2) }),
        project(5, { text: 'a '.repeat(50_000) }),
      ),
    });
    const heard: Record<string, number[]> = {};
    const searches = {
      '"the w899"': [1],
      '"w898 the w899"': [1],
      '"the w3 the w5"': [],
      [`"${(15_990).toString(36)} ${(15_991).toString(36)}"`]: [2],
      [`"${(15_997).toString(36)} ${(15_998).toString(36)} ${(15_999).toString(36)}"`]: [2],
      [`"${(17_998).toString(36)} ${(17_999).toString(36)}"`]: [2],
      [`"${(5000).toString(36)} ${(5002).toString(36)}"`]: [],
      [run(20, 0x4e00 + 15_985)]: [3],
      [run(3, 0x4e00 + 19_990)]: [3],
      [run(1, 0x4e00 + 19_999)]: [3],
      [run(3, 0x20000 + 39_990)]: [4],
      '"a a a"': [5],
    };
    for (const search of Object.keys(searches)) heard[search] = await found(own, search);

    expect(heard).toEqual(searches);
  });

  test('twenty words may be sought, and twenty characters without spaces count as one', async () => {
    const statusOf = async (search: string) =>
      (await site.get(`/api/v1/projects/?search=${encodeURIComponent(search)}`)).status;
    const searches = ['a '.repeat(20), 'a '.repeat(21), '東京'.repeat(200), '東京'.repeat(202)];
    const heard = await Promise.all(searches.map(statusOf));

    expect(heard).toEqual([200, 400, 200, 400]);
  });

  test('an audit of the index finds the entry that is missing, the one that is not right and the one too many', async () => {
    const own = await siteOn(kind, {
      dump: dump(
        ada,
        ...[1, 2, 3, 4, 5, 6].map((id) => project(id, { title: `東京 ${id}`, tags: ['a b', 'c'] })),
      ),
    });
    const words = (id: number, fields = {}) =>
      toSearchWords({ title: `東京 ${id}`, tags: ['a b', 'c'], name: 'Ada Lovelace', text: '', ...fields });
    const audit = async () => {
      const { database } = own;
      const sound = database.auditSearch();
      const rows = [1, 2, 3, 4, 5, 6].map((id): [number, ReturnType<typeof words>] => [id, words(id)]);
      return [await sound.findMismatches(rows), await sound.findOrphans()];
    };
    const before = await audit();
    await own.database.transaction(async (transaction) => {
      await transaction.deleteSearchWords([2]);
      await transaction.upsertSearchWords([
        [3, words(3, { title: '3 東京' })],
        [4, words(4, { tags: ['a', 'b c'] })],
        [5, words(5, { name: '', text: 'Ada Lovelace' })],
        [77, words(77)],
        [78, toSearchWords({ title: '', tags: [], name: '', text: '' })],
      ]);
    });
    const after = await audit();

    expect(before).toEqual([[], []]);
    expect(after).toEqual([
      [2, 3, 4, 5],
      [77, 78],
    ]);
  });
});

const word = fc.constantFrom(
  ...[
    'a',
    'ab',
    'abc',
    'b',
    'Ba',
    'É',
    'ß',
    '2',
    '東',
    '京',
    '東京',
    '京東',
    '東京東',
    'ก',
    'กา',
    '!',
    '“',
    '”',
    '"',
  ],
);
const spaced = (shortest: number, longest: number) =>
  fc
    .array(fc.tuple(word, fc.constantFrom(' ', ' ', '', ', ')), { minLength: shortest, maxLength: longest })
    .map((parts) => parts.flat().join('').trim());
const any = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.isWellFormed());
const prose = fc.oneof({ arbitrary: spaced(0, 12), weight: 4 }, { arbitrary: any, weight: 1 });
const clean = (text: string) => text.replace(/\p{C}/gu, '').trim();

test('both databases find the same, in the same order, whatever is written and whatever is sought', async () => {
  const things = fc.record({
    title: prose.map((text) => clean(text) || 'x'),
    tags: fc.uniqueArray(
      spaced(1, 3).map((text) => clean(text.replaceAll(',', '')) || 'x'),
      { maxLength: 3, selector: (tag) => tag.normalize('NFC').toLowerCase() },
    ),
    text: prose.map(clean),
    contributor: fc.constantFrom(1, 2),
  });
  const written = fc.sample(things, { numRuns: 250, seed: 11 });
  const lines = written.map((thing, index) => project(index + 1, thing));
  const people = [ada, contributor(2, 'two', { first_name: '東京 Ab', last_name: 'É' })];
  const options = { dump: dump(...people, ...lines) };
  const [first, second] = [await siteOn('SQLite', options), await siteOn('PostgreSQL', options)];
  const sought = fc.oneof({ arbitrary: spaced(1, 4), weight: 6 }, { arbitrary: any, weight: 1 });
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(sought.map(clean), async (search) => {
      const query = `/api/v1/projects/?fields=id&page_size=100&search=${encodeURIComponent(search)}`;
      const [one, other] = [(await first.json(query)) as Page, (await second.json(query)) as Page];
      hits += one.results.length;
      expect(one).toEqual(other);
    }),
    { numRuns: 400, seed: 5 },
  );

  expect(hits).toBeGreaterThan(1000);
}, 60_000);

/** Words of others and runs without spaces, with a bar on either side of each. */
const barred = (text: string) =>
  `|${(
    text
      .normalize('NFKD')
      .replaceAll('\u0301', '')
      .toUpperCase()
      .toLowerCase()
      .match(/[東京กา]+|[a-z0-9]+/g) ?? []
  ).join('|')}|`;

/** A word begins and ends at a bar, unless it may go on; a run may begin and end anywhere. */
function has(field: string, sought: string, open: boolean): boolean {
  const inner = barred(sought).slice(1, -1);
  const [begins, ends] = [/^[東京กา]/.test(inner), open || /[東京กา]$/.test(inner)];
  return barred(field).includes(`${begins ? '' : '|'}${inner}${ends ? '' : '|'}`);
}

onBothDatabases((kind) => {
  test('what is found is what a reader of the words would find, in the promised order', async () => {
    const letters = fc.constantFrom('a', 'ab', 'b', 'É', '2', '東', '京', '東京', 'ก', 'กา');
    const written = (longest: number) =>
      fc
        .array(fc.tuple(letters, fc.constantFrom(' ', ' ', '', ', ')), { minLength: 1, maxLength: longest })
        .map((parts) => parts.flat().join(''));
    const things = fc.record({
      title: written(4),
      tags: fc.constantFrom([], ['ab 東'], ['b', '京ก']),
      text: written(10),
    });
    const all = fc.sample(things, { numRuns: 150, seed: 3 });
    const site = await siteOn(kind, {
      dump: dump(
        ada,
        ...all.map(({ title, ...thing }, index) => project(index + 1, { title: title.trim(), ...thing })),
      ),
    });
    const terms = fc.array(
      fc.record({ quoted: fc.boolean(), words: fc.array(letters, { minLength: 1, maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    const tierOf = (index: number, wanted: { text: string; open: boolean }[]) => {
      const { title, tags, text } = all[index] as (typeof all)[number];
      const within = (fields: string[]) =>
        wanted.every((term) => fields.some((field) => has(field, term.text, term.open)));
      const head = [title, ...tags, 'Ada Lovelace'];
      return [[title], head, [...head, text]].findIndex(within) + 1;
    };
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(terms, fc.boolean(), async (sought, unclosed) => {
        const texts = sought.map(({ quoted, words }) => words.join(quoted ? ' ' : ''));
        const shown = sought.map(({ quoted }, index) => (quoted ? `"${texts[index]}"` : texts[index]));
        const last = sought.length - 1;
        const open = (index: number) => index === last && (!sought[index]?.quoted || unclosed);
        const search = unclosed ? shown.join(' ').replace(/"$/, '') : shown.join(' ');
        const wanted = texts.map((text, index) => ({ text, open: open(index) }));
        const promised = all
          .map((_, index) => ({ id: index + 1, tier: tierOf(index, wanted) }))
          .filter(({ tier }) => tier > 0)
          .sort((one, other) => one.tier - other.tier || (other.id % 60) - (one.id % 60) || other.id - one.id)
          .map(({ id }) => id);

        const page = (await site.json(
          `/api/v1/projects/?fields=id&page_size=100&search=${encodeURIComponent(search)}`,
        )) as Page;
        hits += promised.length;
        expect([page.count, idsOf(page)]).toEqual([promised.length, promised.slice(0, 100)]);
      }),
      { numRuns: 300, seed: 9 },
    );

    expect(hits).toBeGreaterThan(1000);
  }, 60_000);
});
