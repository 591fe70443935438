// What a listing of some length does: deep pages, cursors, orders of words in any script.

import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { importDump } from '../../src/gallery/dump/import.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';

interface Page {
  count: number;
  next: string | null;
  previous: string | null;
  results: { id: number; title: string }[];
}

const many = 2600;
const karmaOf = (id: number) => (id * 7919) % 97;
const typeOf = (id: number) => (id % 3 ? 'photo' : 'text');

const longGallery = () =>
  dump(
    ada,
    ...Array.from({ length: many }, (_, index) =>
      project(index + 1, { karma: karmaOf(index + 1), content_type: typeOf(index + 1) }),
    ),
  );

const byKarma = (first: number, second: number) => karmaOf(second) - karmaOf(first) || second - first;
const everyId = Array.from({ length: many }, (_, index) => index + 1);

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: longGallery() });
  });

  const ids = async (query: string) =>
    ((await site.json(`/api/v1/projects/?fields=id&${query}`)) as Page).results.map(({ id }) => id);

  test('every page of a long listing holds what its number says, in whatever order they are asked for', async () => {
    const photos = everyId.filter((id) => typeOf(id) === 'photo').sort(byKarma);
    for (const page of [13, 1, 18, 7, 12, 18, 6]) {
      expect(await ids(`content_type=photo&ordering=-karma&page_size=100&page=${page}`)).toEqual(
        photos.slice((page - 1) * 100, page * 100),
      );
    }
    expect(await ids('ordering=-karma&page_size=7&page=last')).toEqual([...everyId].sort(byKarma).slice(-3));
  });

  test('an order of several terms in both directions goes deep as well', async () => {
    const sorted = [...everyId].sort((first, second) => karmaOf(first) - karmaOf(second) || second - first);
    expect(await ids('ordering=karma,-id&page_size=100&page=20')).toEqual(sorted.slice(1900, 2000));
  });

  test('cursors walk the whole listing forward and back', async () => {
    const walk = async (from: string, direction: 'next' | 'previous') => {
      const seen: number[] = [];
      for (let address: string | null = from; address; ) {
        const page = (await site.json(new URL(address).pathname + new URL(address).search)) as Page;
        const found = page.results.map(({ id }) => id);
        seen.push(...(direction === 'next' ? found : found.reverse()));
        if (page[direction] === null) return { seen, last: address };
        address = page[direction];
      }
      throw new Error('a listing has no page at all');
    };
    const there = await walk(
      'http://gallery.example/api/v1/projects/?cursor=&ordering=-karma&page_size=100&fields=id',
      'next',
    );
    const back = await walk(there.last, 'previous');

    expect(there.seen).toEqual([...everyId].sort(byKarma));
    expect(back.seen).toEqual([...everyId].sort(byKarma).reverse());
  });

  test('a cursor neither skips nor repeats an item while others are added and changed', async () => {
    const own = await siteOn(kind, {
      dump: dump(ada, ...[1, 2, 3, 4, 5, 6].map((id) => project(id, { karma: id * 10 }))),
    });
    const first = (await own.json('/api/v1/projects/?cursor=&ordering=-karma&page_size=3&fields=id')) as Page;
    const change = dump(project(7, { karma: 99 }), project(8, { karma: 35 }), project(6, { karma: 1 }));
    await importDump(own.database, own.files, 'a change', new Blob([change]).stream());
    await Bun.sleep(own.database.maxStalenessMs);
    const next = new URL(first.next as string);
    const second = (await own.json(next.pathname + next.search)) as Page;

    expect([first, second].map((page) => page.results.map(({ id }) => id))).toEqual([
      [6, 5, 4],
      [8, 3, 2],
    ]);
  });

  test('a page far behind is right again after the gallery has changed', async () => {
    const own = await siteOn(kind, { dump: longGallery() });
    const before = (await own.json('/api/v1/projects/?ordering=id&page_size=100&page=20&fields=id')) as Page;
    await importDump(
      own.database,
      own.files,
      'a change',
      new Blob([dump(project(1, { visibility: 'private' }))]).stream(),
    );
    await Bun.sleep(own.database.maxStalenessMs + 20);
    await own.get('/api/v1/projects/1/');
    await Bun.sleep(50);
    const after = (await own.json('/api/v1/projects/?ordering=id&page_size=100&page=20&fields=id')) as Page;

    expect([before.results[0]?.id, before.count]).toEqual([1901, many]);
    expect([after.results[0]?.id, after.count]).toEqual([1902, many - 1]);
  });
});

/** As the contract has it: NFKD, marks dropped, lower case, then by code point. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function byCodePoint(first: string, second: string): number {
  return Buffer.compare(Buffer.from(fold(first)), Buffer.from(fold(second)));
}

test('titles and last names of any script stand in the same order on both databases, the one that is promised', async () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text) && text.trim() === text && text !== '');
  const titles = [
    ...fc.sample(word, { numRuns: 150, seed: 7 }),
    ...[
      'Zebra',
      'zebra',
      'Äpfel',
      'apfel',
      'ÀB',
      'ab',
      '\u{1F600}',
      '\uFB01sh',
      'fish',
      'ﷺ',
      '東京',
      'ı',
      'I',
      'İ',
      'ß',
      'ss',
      '\uFFFD',
      '\u{10000}',
    ],
  ];
  const people = titles.map((name, index) =>
    contributor(index + 1, `person${index + 1}`, { last_name: name }),
  );
  const things = titles.map((title, index) => project(index + 1, { title, contributor: index + 1 }));
  const orders: Record<string, number[]> = {};
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    const site = await siteOn(kind, { dump: dump(...people, ...things) });
    for (const field of ['title', 'contributor__last_name']) {
      const pages = [1, 2].map((page) =>
        site.json(`/api/v1/projects/?ordering=${field}&fields=id&page_size=100&page=${page}`),
      );
      orders[`${kind} ${field}`] = ((await Promise.all(pages)) as Page[]).flatMap(({ results }) =>
        results.map(({ id }) => id),
      );
    }
    await site.close();
  }
  const promised = titles
    .map((_, index) => index + 1)
    .sort(
      (first, second) =>
        byCodePoint(titles[first - 1] as string, titles[second - 1] as string) || first - second,
    );

  expect(orders).toEqual({
    'SQLite title': promised,
    'SQLite contributor__last_name': promised,
    'PostgreSQL title': promised,
    'PostgreSQL contributor__last_name': promised,
  });
});

onBothDatabases((kind) => {
  test('what another process changes is seen within the stated time, in the record, the listing and the count', async () => {
    const address = await emptyDatabase(kind);
    const site = await siteAt(address, { dump: dump(ada, project(1, { title: 'Before' })) });
    const other = await openGallery(address);
    const read = async () => [
      ((await site.json('/api/v1/projects/1/')) as { title: string }).title,
      ((await site.json('/api/v1/projects/?search=e')) as Page).count,
      ((await site.json('/api/v1/projects/')) as Page).results.map(({ title }) => title),
    ];
    const seen: unknown[] = [];
    for (const _ of [1, 2, 3]) seen.push(await read());
    await Bun.sleep(150);
    seen.push(await read());
    const changed = dump(project(1, { title: 'After' }), project(2, { title: 'Either' }));
    await importDump(other, site.files, 'another process', new Blob([changed]).stream());
    await Bun.sleep(site.database.maxStalenessMs);
    const after = await read();

    expect(seen).toEqual(Array(4).fill(['Before', 0, ['Before']]));
    expect(after).toEqual(['After', 1, ['Either', 'After']]);
  });
});
