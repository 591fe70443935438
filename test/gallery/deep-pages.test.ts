// Known positions of a listing are adjusted by what has changed: deep pages are exact after any writes, without
// searching the listing again.

import { expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { type Column, integer, select, text } from '#sql';
import { orderBy, parseOrder } from '../../src/core/listing/order.ts';
import { projectColumns } from '../../src/projects/project.ts';
import { projectSorting } from '../../src/projects/project-order.ts';
import { isListedSql } from '../../src/projects/visibility/visible-to.ts';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, importInto, project, type Site, siteAt } from '../support/site.ts';
import { learnOfChanges } from '../support/waiting.ts';

const projectCount = 2200;
const write = fc.record({
  action: fc.constantFrom('create', 'title', 'title', 'visibility', 'visibility', 'rate', 'rate', 'delete'),
  id: fc.integer({ min: 1, max: projectCount }),
  letter: fc.constantFrom('A', 'm', 'é', '東', '\u{1F600}'),
  value: fc.integer({ min: 1, max: 5 }),
});

const listings = [
  '',
  'ordering=title',
  'ordering=-karma,title',
  'ordering=karma,-id',
  'content_type=text&ordering=rating_sum,-title,created',
];

const steps = ({ database }: Site) => {
  const spy = spyOn(database.slowReader, 'all');
  return () => spy.mock.calls.filter(([{ statement }]) => statement.sql.includes("'found'")).length;
};

async function expectExactPages(site: Site, listing: string) {
  const query = new URLSearchParams(listing);
  const { order } = parseOrder(query.get('ordering') ?? '-created', projectSorting);
  const type = query.has('content_type') ? sql`content_type = 'text'` : sql`1 = 1`;
  const rows = await site.database.all({
    columns: { id: projectColumns.id },
    statement: sql`select id from project where ${isListedSql} and ${type} order by ${order ? orderBy(order) : raw('id')}`,
  });
  for (const page of [22, 33, 40]) {
    const path = `/api/v1/projects/?${listing}&page_size=50&page=${page}&fields=id`;
    const { results } = (await site.json(path)) as { results: { id: number }[] };
    const expected = rows.slice((page - 1) * 50, page * 50).map(({ id }) => id);
    expect([listing, page, results?.map(({ id }) => id) ?? []]).toEqual([listing, page, expected]);
  }
}

onBothDatabases((kind) => {
  test('deep pages are those of the whole listing after writes of two processes, and are found without another search', async () => {
    const address = await emptyDatabase(kind);
    const lines = Array.from({ length: projectCount }, (_, index) =>
      project(index + 1, { title: `${(index * 7919) % 97}`, karma: index % 5, rating_sum: 0 }),
    );
    const one = await siteAt(address, { dump: dump(ada, contributor(2, 'grace'), ...lines) });
    const sites = [one, await siteAt(address)];
    const [headers, grace] = [await one.key('ada'), await one.key('grace')];
    const counts = sites.map(steps);
    const checkAll = async () => {
      for (const site of sites) {
        await learnOfChanges(site);
        for (const listing of listings) await expectExactPages(site, listing);
      }
    };
    await checkAll();
    const found = counts.map((count) => count());

    const send = async ({ action, id, letter, value }: (typeof batch)[number], site: Site) => {
      const request = (method: string, path: string, body?: object, key = headers) =>
        site.request(`/api/v1/projects/${path}`, {
          method,
          headers: { ...key, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
      const title = `${letter}${id}`;
      if (action === 'create') await request('POST', '', { title, content_type: 'text', text: 'New' });
      if (action === 'title') await request('PATCH', `${id}/`, { title });
      if (action === 'visibility')
        await request('PATCH', `${id}/`, { visibility: value > 2 ? 'public' : 'private' });
      if (action === 'rate') await request('PUT', `${id}/rating/`, { value }, grace);
      if (action === 'delete') await request('DELETE', `${id}/`);
    };
    const batch = fc.sample(write, { numRuns: 120, seed: 11 });
    for (let start = 0; start < batch.length; start += 40) {
      const reads = sites.map((site) => site.get('/api/v1/projects/?page_size=50&page=40'));
      const some = batch.slice(start, start + 40);
      await Promise.all([...reads, ...some.map((write, index) => send(write, sites[index % 2] as Site))]);
      await checkAll();
    }
    expect(counts.map((count) => count())).toEqual(found);
    expect(found.every((count) => count >= listings.length)).toBe(true);
  });

  test('positions from before a load into an empty gallery are not adjusted, and those from after it are', async () => {
    const site = await siteAt(await emptyDatabase(kind));
    const { marker, isAfter, isComplete } = site.database.earlierProjects;
    const first = <Type>(column: Column<Type>, from = empty) =>
      site.database.first(select({ value: column }, from)).then((row) => row?.value);
    const holds = (condition: Sql) => first(integer(sql`case when ${condition} then 1 else 0 end`));
    const before = String(await first(text(marker)));
    const copy = project(2, { copied_from: 1, contributor: 2 });
    await importInto(site, dump(ada, contributor(2, 'grace'), project(1, { karma: 9 }), copy));
    const after = String(await first(text(marker)));
    expect([await holds(isComplete(before)), await holds(isComplete(after))]).toEqual([0, 1]);
    await site.request('/api/v1/projects/1/', {
      method: 'PATCH',
      headers: { ...(await site.key('ada')), 'Content-Type': 'application/json' },
      body: '{"title": "Another"}',
    });
    const kept = await first(integer(sql`count(*)`), sql`from earlier_project where ${isAfter(after)}`);
    expect([await holds(isComplete(after)), kept]).toEqual([1, 1]);
    await site.close();
  });
});
