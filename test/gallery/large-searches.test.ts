// Searches with more matches than are listed: the same best ones on both databases.

import { beforeAll, expect, spyOn, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { letTimePass, limitTime, waitMs, whileUpToDate } from '../support/waiting.ts';

const maxMatches = 10_000;
const minute = 60_000_000;
const start = Date.UTC(2020, 0, 1) * 1000;

/** Ids are not in the order of time, and lie in several blocks of the index. Every tenth title has the word. */
const projects = Array.from({ length: 10_500 }, (_, index) => {
  const id = index * 4 + 1;
  return {
    id,
    created: start + ((index * 7919) % 10_500) * minute,
    hasTitle: index % 10 === 0,
    contributor: index % 1000 === 3 ? 2 : 1,
  };
});

const lines = projects.map(({ id, created, hasTitle, contributor }) =>
  project(id, {
    title: hasTitle ? 'A kite' : 'Kites',
    text: hasTitle ? 'lonely' : 'A kite of paper',
    contributor,
    created: new Date(created / 1000).toISOString(),
    karma: id % 97,
    tags: ['a'],
  }),
);

/** The matches of the search for a kite, the best first. */
const inTitle = projects.filter(({ hasTitle }) => hasTitle);
const inText = projects.filter(({ hasTitle }) => !hasTitle).slice(inTitle.length - maxMatches);
const newestFirst = (list: typeof projects) => list.toSorted((one, other) => other.created - one.created);
const best = [...newestFirst(inTitle), ...newestFirst(inText)].map(({ id }) => id);

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: dump(ada, contributor(2, 'grace'), ...lines) });
  });

  async function search(query: string) {
    const response = await site.get(`/api/v1/projects/?fields=id&page_size=100&search=${query}`);
    const body = (await response.json()) as {
      count?: number;
      next: string | null;
      results: { id: number }[];
    };
    return {
      status: response.status,
      truncated: response.headers.get('Results-Truncated'),
      count: body.count,
      next: body.next,
      ids: body.results?.map(({ id }) => id),
    };
  }

  test('a search lists its best 10,000 matches and says that there are more', async () => {
    const first = await search('kite');
    expect(first).toMatchObject({ truncated: '10000', count: maxMatches, ids: best.slice(0, 100) });
    expect(await search('kite&page=50')).toMatchObject({ ids: best.slice(4900, 5000) });
    expect(await search('kite&page=last')).toMatchObject({ ids: best.slice(-100), next: null });
    expect((await search('kite&page=101')).status).toBe(404);

    const byKarma = best.toSorted((one, other) => (other % 97) - (one % 97) || other - one);
    expect(await search('kite&ordering=-karma')).toMatchObject({ ids: byKarma.slice(0, 100) });

    const filters = 'content_type__in=photo,text&created__gte=2000-01-01T00:00:00Z&tags=a';
    expect(await search(`kite&${filters}`)).toMatchObject({ truncated: '10000', ids: best.slice(0, 100) });

    const walked: number[] = [];
    for (let { next, ids } = await search('kite&cursor='); ids; ) {
      walked.push(...ids);
      if (next === null || walked.length >= 300) break;
      ({ next, ids } = await search(`kite&cursor=${new URL(next).searchParams.get('cursor')}`));
    }
    expect(walked).toEqual(best.slice(0, 300));
  });

  test('with at most 10,000 matches a search lists all, whatever is rare: a word, a filter or both words together', async () => {
    const lonely = newestFirst(inTitle).map(({ id }) => id);
    expect(await search('lonely')).toMatchObject({ truncated: null, count: 1050, ids: lonely.slice(0, 100) });
    expect(await search('kite+lonely')).toMatchObject({ truncated: null, count: 1050 });
    expect(await search('"kite+of+paper"')).toMatchObject({ truncated: null, count: 9450 });
    expect(await search('kite&contributor=grace')).toMatchObject({ truncated: null, count: 11 });
    expect(await search('kite&created__lt=2020-01-01T00:50:00Z')).toMatchObject({
      truncated: null,
      count: 50,
    });
  });

  test('after changes a search finds what a new server finds, though only changed projects are searched', async () => {
    const { address } = site;
    const [changing, grace] = [await siteAt(address), await person(site, 'grace', { role: 'admin' })];
    const queries = ['kite', 'kite&page=last', 'kit&ordering=-karma', 'kite&tags=a', '"kite of paper"'];
    const pages = queries.map((query) => `/api/v1/projects/?fields=id&page_size=50&search=${query}`);
    const searchAll = (from: Site) =>
      Promise.all(
        pages.map(async (page) => {
          const response = await from.get(page);
          return [page, response.headers.get('Results-Truncated'), await response.text()];
        }),
      );
    const [lowest, middle, highest] = [projects[0], projects[5000], projects.at(-1)].map((it) => it?.id);
    const kite = { visibility: 'public', status: 1, tags: ['a'], text: 'A kite of paper' };
    const patch = (id: number | undefined, changes: object) =>
      grace.patch(`/api/v1/projects/${id}/`, changes);
    const steps = [
      [
        () => patch(middle, { title: 'A kite in the wind', text: 'lonely' }),
        () => patch(highest, { title: 'Nothing', text: 'of it' }),
        () => patch(lowest, { title: 'A kite, the first', status: 2 }),
        () => grace.post('/api/v1/projects/', { ...kite, title: 'A kitchen' }),
        () => grace.post('/api/v1/projects/', { ...kite, title: 'Kite', text: 'lonely' }),
      ],
      [
        () => grace.put(`/api/v1/projects/${middle}/rating/`, { value: 5 }),
        () => patch(lowest, { status: 1 }),
      ],
    ];
    const learnAndSearch = () => whileUpToDate(changing, () => searchAll(changing));
    await learnAndSearch();
    const findAnew = spyOn(changing.database, 'findMatches');
    for (const changes of steps) {
      for (const change of changes) expect((await change()).ok).toBe(true);
      expect(await learnAndSearch()).toEqual(await searchAll(await siteAt(address)));
    }
    expect(findAnew).not.toHaveBeenCalled();
  });

  test('a page says that there are more', async () => {
    const html = await (await site.get('/?search=kite')).text();
    expect(html).toContain('More than 10,000 projects: the best matches');
  });
});

test('what a search has not found in time is found by the next one, though nothing has changed', async () => {
  const kites = [project(1, { title: 'Kite' }), project(2, { title: 'Paper', text: 'Of a kite' })];
  const environment = { VITRINE_PUBLIC_MAX_AGE: '60' };
  const site = await siteOn('SQLite', { dump: dump(ada, ...kites), environment });
  const { slowReader } = site.database;
  const readAtOnce = slowReader.all.bind(slowReader);
  const isKept = /s-maxage/;
  for (const [path, found] of [
    ['/api/v1/projects/?search=kite&fields=id', '[{"id":1},{"id":2}]'],
    ['/?search=kite&content_type=text', '>2 projects<'],
  ] as const) {
    spyOn(slowReader, 'all').mockImplementationOnce(async (query) => {
      letTimePass(2001);
      return readAtOnce(query);
    });
    limitTime('search', 2000);
    const stopped = await site.get(path);
    expect([stopped.status, stopped.headers.get('Cache-Control')]).toEqual([200, 'no-cache']);
    expect(await stopped.text()).not.toContain(found);
    limitTime('search', waitMs);
    for (let request = 0; request < 2; request++) {
      const whole = await site.get(path);
      expect(whole.headers.get('Cache-Control')).toMatch(isKept);
      expect(await whole.text()).toContain(found);
    }
  }
});
