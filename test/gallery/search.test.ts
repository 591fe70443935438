// The results of a search and their order, the same on both databases.

import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { importDump } from '../../src/features/export-import/import.ts';
import { toSearchWords } from '../../src/projects/searching/search-words.ts';
import { isErasedSql } from '../../src/projects/visibility/visible-to.ts';
import { onBothDatabases } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { learnOfChanges } from '../support/waiting.ts';

interface Page {
  count?: number;
  next: string | null;
  previous: string | null;
  results: { id: number }[];
}

const idsOf = ({ results }: Page) => results.map(({ id }) => id);

/** The ids of the results, in their order. */
async function search(site: Site, words: string, more = ''): Promise<number[]> {
  const query = `fields=id&page_size=100&search=${encodeURIComponent(words)}${more}`;
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

const texts = dump(
  ada,
  project(1, { text: '## Our kite\n\nA **red** [Kite](https://example.org/kites/), <b>made</b> of paper.' }),
  project(2, {
    text: `${'Before it, words. '.repeat(900)}The Straße, and a café.${' More words.'.repeat(900)} A zeppelin.`,
  }),
  project(3, { text: 'كتبنا عن الطَّائِرَةِ الورقية' }),
  project(4, { text: '私たちは東京都で凧を作りました。' }),
  project(5, { text: 'ฉันทำน้ำแข็งในโรงเรียน' }),
  project(6, { text: `[a link](https://example.org/${'windmill/'.repeat(3)})`, title: 'Windmill' }),
  project(7, { text: `A wheel. ${'Other words. '.repeat(20)}The big wheel turns.` }),
);

/** Marked words are in brackets. */
async function excerptOf(site: Site, words: string): Promise<string | undefined> {
  const query = `fields=excerpt&search=${encodeURIComponent(words)}`;
  const { results } = (await site.json(`/api/v1/projects/?${query}`)) as {
    results: { excerpt: { text: string; found: boolean }[] }[];
  };
  return results[0]?.excerpt.map(({ text, found }) => (found ? `[${text}]` : text)).join('');
}

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
  });

  const testSearches = (sentence: string, searches: Record<string, number[]>) => {
    test('a search gives the words around what it has found, as people read them', async () => {
      const site = await siteOn(kind, { dump: texts });
      const found = {
        'kite red': 'Our [kite] A [red] [Kite], <b>made</b> of paper.',
        'STRASSE cafe':
          '…words. Before it, words. Before it, words. The [Straße], and a [café]. More words. More words. More words. More words. More words. More words. More words. More…',
        الطائرة: 'كتبنا عن [الطَّائِرَةِ] الورقية',
        '"東京都" 凧': '私たちは[東京都]で[凧]を作りました。',
        น้ำ: 'ฉันทำ[น้ำ]แข็งในโรงเรียน',
        windmill: '',
        '"big wheel"': '…words. Other words. Other words. Other words. The [big wheel] turns.',
        'wheel turn': '…Other words. Other words. Other words. The big [wheel] [turns].',
        // Beyond what is looked at of a long text.
        zeppelin: '',
      };
      const seen = Object.keys(found).map(async (words) => [words, await excerptOf(site, words)]);
      expect(Object.fromEntries(await Promise.all(seen))).toEqual(found);
      expect(await site.json('/api/v1/projects/4/?fields=id,excerpt')).toEqual({ id: 4, excerpt: [] });

      const page = await (await visitor(site).get('/?search=kite+red')).text();
      expect(page).toContain(
        '<p class="excerpt" dir="auto">Our <mark>kite</mark> A <mark>red</mark> <mark>Kite</mark>, &lt;b&gt;made&lt;/b&gt; of paper.</p>',
      );
      expect((await visitor(site).open('/')).textsOf('.excerpt')).toEqual([]);
    });

    test(sentence, async () => {
      for (const [words, ids] of Object.entries(searches))
        expect([words, await search(site, words)]).toEqual([words, ids]);
    });
  };

  testSearches(
    'all words in the title come first, then in title, tags and name, then anywhere; newest first',
    {
      kite: [7, 6, 2, 5, 4, 3, 1],
      'paper kite': [7, 6, 4, 1],
      'grace project': [5],
      'made kite': [2, 1],
    },
  );

  testSearches('all words have to be there, the last at least as a prefix', {
    'kite linen': [2],
    'kite lin': [2],
    'lin kite': [],
    'linen ki': [2],
    'kite nowhere': [],
  });

  testSearches('a phrase in quotes of any shape matches adjacent words, and is no prefix', {
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

  testSearches('a quote that is not closed runs to the end, and its last word is a prefix', {
    '"kite of pap': [6],
    '"made o': [2, 1],
    'linen "made o': [2],
    '5" disk': [],
  });

  testSearches('no phrase reaches from title to tags, from tag to tag, or on into name and text', {
    '"windmill big"': [],
    '"red wheel"': [],
    '"big red"': [8],
    '"wheel ada"': [],
    '"lovelace red"': [],
    '"red wind mill of wood"': [8],
  });

  testSearches('neither case nor accents matter', {
    'CAFE strasse': [9],
    'café STRASSE': [9],
    οδος: [9],
    ΟΔΟ: [9],
    'zoe angstrom': [9],
    'ZOË ÅNGSTRÖM': [9],
  });

  testSearches('writing without spaces is found by any run of its characters', {
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

  testSearches('a run of one character may be part of a phrase', {
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

  testSearches('Thai is found with its vowels and with any tones', {
    ไทย: [24],
    ภาษา: [24],
    มี: [24],
    'มี แมว': [24],
    มา: [25],
    ไมมา: [25],
    ไม่มา: [25],
  });

  test('an ordering replaces the ranking, unless none of its terms is known', async () => {
    expect(await search(site, 'kite', '&ordering=id')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await search(site, 'kite', '&ordering=-created')).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await search(site, 'kite', '&ordering=best')).toEqual([7, 6, 2, 5, 4, 3, 1]);
  });

  test('pages and cursors go through the results in their order, forward and back', async () => {
    const best = [7, 6, 2, 5, 4, 3, 1];
    const walk = async (from: string, direction: 'next' | 'previous') => {
      const pages: number[][] = [];
      let last = from;
      for (let path: string | null = from; path; ) {
        const page = (await site.json(path)) as Page;
        pages.push(idsOf(page));
        last = path;
        path = page[direction]?.replace('http://gallery.example', '') ?? null;
      }
      return { pages, last };
    };
    const path = '/api/v1/projects/?fields=id&page_size=2&search=kite';
    const byPage = await walk(path, 'next');
    expect(byPage.pages.flat()).toEqual(best);

    const byCursor = await walk(`${path}&cursor=`, 'next');
    expect(byCursor.pages).toEqual([[7, 6], [2, 5], [4, 3], [1]]);

    const back = await walk(byCursor.last, 'previous');
    expect(back.pages.reverse().flat()).toEqual(best);
  });

  test('a search is combined with filters, and narrows a single project too', async () => {
    const status = async (path: string) => (await site.get(path)).status;
    expect(await search(site, 'kite', '&contributor=grace')).toEqual([5]);
    expect(await search(site, 'kite', '&tags=kite')).toEqual([3]);
    expect(await status('/api/v1/projects/6/?search="of paper"')).toBe(200);
    expect(await status('/api/v1/projects/6/?search="of kite"')).toBe(404);
  });

  test('a changed project and a renamed contributor are found by their present words only', async () => {
    const own = await siteOn(kind, {
      dump: dump(ada, project(1, { title: 'Old project', tags: ['first'] })),
    });
    await importMore(own, project(1, { title: 'New project' }), project(2));
    await importMore(own, contributor(1, 'ada', { first_name: 'Augusta', last_name: 'King' }));
    await learnOfChanges(own);

    expect(await search(own, 'old')).toEqual([]);
    expect(await search(own, 'first')).toEqual([]);
    expect(await search(own, 'lovelace')).toEqual([]);
    expect(await search(own, 'new')).toEqual([1]);
    expect(await search(own, 'augusta king')).toEqual([2, 1]);
    expect(await search(own, '"augusta king" project')).toEqual([2, 1]);
  });

  test('a project without search words is not found', async () => {
    const own = await siteOn(kind, { dump: dump(ada, project(1), project(2), project(3)) });
    await own.database.transaction(async (transaction) => {
      await transaction.deleteSearchWords([1, 3, 99]);
      await transaction.run(sql`update change_head set last = last + 1`);
    });
    await learnOfChanges(own);

    expect(await search(own, 'project')).toEqual([2]);
  });

  test('the longest texts are found by their words and phrases, unless nearly all of them differ', async () => {
    const frequent = Array.from({ length: 900 }, (_, index) => `the w${index}`).join(' ');
    const long = Array.from({ length: 18_000 }, (_, index) => index.toString(36)).join(' ');
    const run = (length: number, first: number) =>
      Array.from({ length }, (_, index) => String.fromCodePoint(first + index)).join('');
    // A few thousand characters in any order, with a name that occurs again and again, as in a novel.
    const names = '風太郎';
    const pairs = Array.from({ length: 80_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * index * 31 + index) % 3001)),
    ).join('');
    const chapters = `${pairs.slice(0, 70_000)}凧${names}凧${pairs.slice(70_000)}凧${names}凧`;
    const own = await siteOn(kind, {
      dump: dump(
        ada,
        project(1, { text: frequent }),
        project(2, { text: long }),
        project(3, { text: run(20_000, 0x4e00) }),
        project(4, { text: run(40_000, 0x20000).repeat(2) }),
        project(5, { text: 'a '.repeat(50_000) }),
        project(6, { text: chapters }),
      ),
    });
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
      [run(3, 0x20000 + 100)]: [4],
      // The index has no room for so many different pairs of characters.
      [run(3, 0x20000 + 39_990)]: [],
      '"a a a"': [5],
      [`凧${names}凧`]: [6],
    };
    for (const [words, ids] of Object.entries(searches))
      expect([words, await search(own, words)]).toEqual([words, ids]);
  });

  test('a search has at most twenty words, and twenty characters without spaces count as one', async () => {
    const statusOf = async (words: string) =>
      (await site.get(`/api/v1/projects/?search=${encodeURIComponent(words)}`)).status;

    expect(await statusOf('a '.repeat(20))).toBe(200);
    expect(await statusOf('a '.repeat(21))).toBe(400);
    expect(await statusOf('東京'.repeat(200))).toBe(200);
    expect(await statusOf('東京'.repeat(202))).toBe(400);
  });

  test('an audit of the index finds missing, wrong and superfluous entries', async () => {
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
      const searchAudit = database.auditSearch();
      const rows = [1, 2, 3, 4, 5, 6].map((id): [number, ReturnType<typeof words>] => [id, words(id)]);
      return [await searchAudit.findMismatches(rows), await searchAudit.findOrphans(sql`not ${isErasedSql}`)];
    };
    expect(await audit()).toEqual([[], []]);

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
    expect(await audit()).toEqual([
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

test('both databases find the same in the same order, for any texts and any search', async () => {
  const members = fc.record({
    title: prose.map((text) => clean(text) || 'x'),
    tags: fc.uniqueArray(
      spaced(1, 3).map((text) => clean(text.replaceAll(',', '')) || 'x'),
      { maxLength: 3, selector: (tag) => tag.normalize('NFC').toLowerCase() },
    ),
    text: prose.map(clean),
    contributor: fc.constantFrom(1, 2),
  });
  const samples = fc.sample(members, { numRuns: 250, seed: 11 });
  const lines = samples.map((sample, index) => project(index + 1, sample));
  const people = [ada, contributor(2, 'two', { first_name: '東京 Ab', last_name: 'É' })];
  const options = { dump: dump(...people, ...lines) };
  const [first, second] = [await siteOn('SQLite', options), await siteOn('PostgreSQL', options)];
  const searches = fc.oneof({ arbitrary: spaced(1, 4), weight: 6 }, { arbitrary: any, weight: 1 });
  const queries = fc.sample(searches.map(clean), { numRuns: 400, seed: 5 });
  let hits = 0;
  for (let start = 0; start < queries.length; start += 8) {
    const compare = async (words: string) => {
      const path = `/api/v1/projects/?fields=id&page_size=100&search=${encodeURIComponent(words)}`;
      const [one, other] = (await Promise.all([first.json(path), second.json(path)])) as [Page, Page];
      hits += one.results.length;
      expect({ words, ...one }).toEqual({ words, ...other });
    };
    await Promise.all(queries.slice(start, start + 8).map(compare));
  }

  expect(hits).toBeGreaterThan(1000);
});

/** The words of a text, and its runs without spaces, with a bar on either side of each. */
const withBars = (text: string) =>
  `|${(
    text
      .normalize('NFKD')
      .replaceAll('\u0301', '')
      .toUpperCase()
      .toLowerCase()
      .match(/[東京กา]+|[a-z0-9]+/g) ?? []
  ).join('|')}|`;

/** A word begins and ends at a bar, unless it is a prefix; a run may begin and end anywhere. */
function hasTerm(field: string, term: string, isPrefix: boolean): boolean {
  const inner = withBars(term).slice(1, -1);
  const [begins, ends] = [/^[東京กา]/.test(inner), isPrefix || /[東京กา]$/.test(inner)];
  return withBars(field).includes(`${begins ? '' : '|'}${inner}${ends ? '' : '|'}`);
}

onBothDatabases((kind) => {
  test('a search finds what a simple comparison of the words finds, in the promised order', async () => {
    const letters = fc.constantFrom('a', 'ab', 'b', 'É', '2', '東', '京', '東京', 'ก', 'กา');
    const textOf = (maxLength: number) =>
      fc
        .array(fc.tuple(letters, fc.constantFrom(' ', ' ', '', ', ')), { minLength: 1, maxLength })
        .map((parts) => parts.flat().join(''));
    const members = fc.record({
      title: textOf(4),
      tags: fc.constantFrom([], ['ab 東'], ['b', '京ก']),
      text: textOf(10),
    });
    const samples = fc.sample(members, { numRuns: 150, seed: 3 });
    const site = await siteOn(kind, {
      dump: dump(
        ada,
        ...samples.map(({ title, ...sample }, index) =>
          project(index + 1, { title: title.trim(), ...sample }),
        ),
      ),
    });
    const terms = fc.array(
      fc.record({ quoted: fc.boolean(), words: fc.array(letters, { minLength: 1, maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    const tierOf = (index: number, terms: { text: string; isPrefix: boolean }[]) => {
      const { title, tags, text } = samples[index] as (typeof samples)[number];
      const within = (fields: string[]) =>
        terms.every((term) => fields.some((field) => hasTerm(field, term.text, term.isPrefix)));
      const head = [title, ...tags, 'Ada Lovelace'];
      return [[title], head, [...head, text]].findIndex(within) + 1;
    };
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(terms, fc.boolean(), async (terms, isUnclosed) => {
        const texts = terms.map(({ quoted, words }) => words.join(quoted ? ' ' : ''));
        const shownTerms = terms.map(({ quoted }, index) => (quoted ? `"${texts[index]}"` : texts[index]));
        const last = terms.length - 1;
        const isPrefix = (index: number) => index === last && (!terms[index]?.quoted || isUnclosed);
        const query = isUnclosed ? shownTerms.join(' ').replace(/"$/, '') : shownTerms.join(' ');
        const parts = texts.map((text, index) => ({ text, isPrefix: isPrefix(index) }));
        const promised = samples
          .map((_, index) => ({ id: index + 1, tier: tierOf(index, parts) }))
          .filter(({ tier }) => tier > 0)
          .sort((one, other) => one.tier - other.tier || (other.id % 60) - (one.id % 60) || other.id - one.id)
          .map(({ id }) => id);

        const page = (await site.json(
          `/api/v1/projects/?fields=id&page_size=100&search=${encodeURIComponent(query)}`,
        )) as Page;
        hits += promised.length;
        expect([page.count, idsOf(page)]).toEqual([promised.length, promised.slice(0, 100)]);
      }),
      { numRuns: 300, seed: 9 },
    );

    expect(hits).toBeGreaterThan(1000);
  });
});
