// Long listings: deep pages, cursors, and the order of text in any script.

import { beforeAll, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { Unavailable } from '#common/errors.ts';
import { openGallery } from '../../src/core/open-gallery.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { learnOfChanges, letTimePass } from '../support/waiting.ts';

interface Page {
  count: number;
  next: string | null;
  previous: string | null;
  results: { id: number; title: string }[];
}

const projectCount = 2600;
const karmaOf = (id: number) => (id * 7919) % 97;
const typeOf = (id: number) => (id % 3 ? 'photo' : 'text');

const longGallery = () =>
  dump(
    ada,
    ...Array.from({ length: projectCount }, (_, index) =>
      project(index + 1, { karma: karmaOf(index + 1), content_type: typeOf(index + 1) }),
    ),
  );

const byKarma = (first: number, second: number) => karmaOf(second) - karmaOf(first) || second - first;
const everyId = Array.from({ length: projectCount }, (_, index) => index + 1);

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: longGallery() });
  });

  const ids = async (query: string) =>
    ((await site.json(`/api/v1/projects/?fields=id&${query}`)) as Page).results.map(({ id }) => id);

  test('every page of a long listing has its own items, in whatever order pages are requested', async () => {
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
      const walked: number[] = [];
      for (let url: string | null = from; url; ) {
        const page = (await site.json(new URL(url).pathname + new URL(url).search)) as Page;
        const pageIds = page.results.map(({ id }) => id);
        walked.push(...(direction === 'next' ? pageIds : pageIds.reverse()));
        if (page[direction] === null) return { walked, last: url };
        url = page[direction];
      }
      throw new Error('a listing has no page at all');
    };
    const first = 'http://gallery.example/api/v1/projects/?cursor=&ordering=-karma&page_size=100&fields=id';
    const forward = await walk(first, 'next');
    expect(forward.walked).toEqual([...everyId].sort(byKarma));

    const back = await walk(forward.last, 'previous');
    expect(back.walked).toEqual([...everyId].sort(byKarma).reverse());
  });

  test('a cursor neither skips nor repeats an item while others are added and changed', async () => {
    const own = await siteOn(kind, {
      dump: dump(ada, ...[1, 2, 3, 4, 5, 6].map((id) => project(id, { karma: id * 10 }))),
    });
    const idsOf = ({ results }: Page) => results.map(({ id }) => id);
    const first = (await own.json('/api/v1/projects/?cursor=&ordering=-karma&page_size=3&fields=id')) as Page;
    expect(idsOf(first)).toEqual([6, 5, 4]);

    const change = dump(project(7, { karma: 99 }), project(8, { karma: 35 }), project(6, { karma: 1 }));
    await importDump(own.database, own.files, 'a change', new Blob([change]).stream());
    await learnOfChanges(own);
    const next = new URL(first.next as string);
    const second = (await own.json(next.pathname + next.search)) as Page;
    expect(idsOf(second)).toEqual([8, 3, 2]);
  });

  test('after a failure, the next request for a deep page finds it', async () => {
    const page = '/api/v1/projects/?ordering=-id&page_size=100&page=20&fields=id';
    const spy = spyOn(site.database.slowReader, 'all').mockRejectedValueOnce(new Unavailable('busy'));
    expect((await site.get(page)).status).toBe(503);

    const { results } = (await site.json(page)) as Page;
    expect([results[0]?.id, spy.mock.calls.length]).toEqual([700, 2]);
    spy.mockRestore();
  });

  // The last test of the shared gallery: it changes it.
  test('a deep page is right again after the gallery has changed', async () => {
    const readPage = async () => {
      const page = await site.json('/api/v1/projects/?ordering=id&page_size=100&page=20&fields=id');
      const { results, count } = page as Page;
      return { first: results[0]?.id, count };
    };
    expect(await readPage()).toEqual({ first: 1901, count: projectCount });

    const change = dump(project(1, { visibility: 'private' }));
    await importDump(site.database, site.files, 'a change', new Blob([change]).stream());
    await learnOfChanges(site);
    expect(await readPage()).toEqual({ first: 1902, count: projectCount - 1 });
  });
});

/** The sort key that the contract promises: NFKD without marks, in lower case. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function byCodePoint(first: string, second: string): number {
  return Buffer.compare(Buffer.from(fold(first)), Buffer.from(fold(second)));
}

test('titles and last names of any script are sorted as promised, the same on both databases', async () => {
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
  const projects = titles.map((title, index) => project(index + 1, { title, contributor: index + 1 }));
  const promised = titles
    .map((_, index) => index + 1)
    .sort(
      (first, second) =>
        byCodePoint(titles[first - 1] as string, titles[second - 1] as string) || first - second,
    );

  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    const site = await siteOn(kind, { dump: dump(...people, ...projects) });
    for (const field of ['title', 'contributor__last_name']) {
      const pages = [1, 2].map((page) =>
        site.json(`/api/v1/projects/?ordering=${field}&fields=id&page_size=100&page=${page}`),
      );
      const ids = ((await Promise.all(pages)) as Page[]).flatMap(({ results }) =>
        results.map(({ id }) => id),
      );
      expect([kind, field, ids]).toEqual([kind, field, promised]);
    }
    await site.close();
  }
});

onBothDatabases((kind) => {
  test('a change by another process is seen within the stated time, in the project, the listing and the count', async () => {
    const address = await emptyDatabase(kind);
    const site = await siteAt(address, { dump: dump(ada, project(1, { title: 'Before' })) });
    const other = await openGallery(address);
    const read = async () => [
      ((await site.json('/api/v1/projects/1/')) as { title: string }).title,
      ((await site.json('/api/v1/projects/?search=e')) as Page).count,
      ((await site.json('/api/v1/projects/')) as Page).results.map(({ title }) => title),
    ];
    for (let reads = 0; reads < 3; reads++) expect(await read()).toEqual(['Before', 0, ['Before']]);
    letTimePass(150);
    expect(await read()).toEqual(['Before', 0, ['Before']]);

    const changed = dump(project(1, { title: 'After' }), project(2, { title: 'Either' }));
    await importDump(other, site.files, 'another process', new Blob([changed]).stream());
    letTimePass(site.database.maxStalenessMs);
    expect(await read()).toEqual(['After', 1, ['Either', 'After']]);
  });
});
