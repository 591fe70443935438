// Listings of tags are read from rows of their own: after any writes they have what the projects have.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, dump, importInto, project, siteOn } from '../support/site.ts';

interface Listed {
  readonly count: number;
  readonly results: readonly { readonly id: number; readonly tags: string; readonly content_type: string }[];
}

const tags = fc.subarray(['a', 'B', 'c', 'd']);
const changes = fc.record(
  {
    tags,
    visibility: fc.constantFrom('public', 'public', 'public', 'unlisted', 'private'),
    status: fc.constantFrom(0, 1, 1, 1, 2),
    content_type: fc.constantFrom('text', 'quote'),
  },
  { requiredKeys: [] },
);
const write = fc.record({
  method: fc.constantFrom(...Array(11).fill('PATCH'), 'DELETE'),
  on: fc.nat(),
  changes,
});

onBothDatabases((kind) => {
  test('a listing of tags is the list of all projects with these tags, after any writes', async () => {
    const lines = Array.from({ length: 12 }, (_, index) =>
      project(40 - index, { tags: ['a', 'b'], created: `2020-01-${10 + index}T00:00:00Z` }),
    );
    const site = await siteOn(kind, { dump: dump(ada, ...lines) });
    const headers = { ...(await site.key('ada')), 'Content-Type': 'application/json' };
    const send = (path: string, method: string, body?: object) =>
      site.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    for (const id of [40, 39, 38])
      await send(`/api/v1/projects/${id}/comments/`, 'POST', { text: 'Nice', tags: ['a', 'c'] });
    await importInto(site, dump(ada, project(35, { tags: ['c'], created: '2021-01-01T00:00:00Z' })));

    for (const { method, on, changes: body } of fc.sample(write, { numRuns: 60, seed: 3 }))
      await send(`/api/v1/projects/${29 + (on % 15)}/`, method, method === 'PATCH' ? body : undefined);

    const list = async (query: string) =>
      (await site.json(`/api/v1/projects/?page_size=100&include=content_type&${query}`)) as Listed;
    const all = (await list('ordering=-created')).results;
    const keysOf = (text: string) => text.toLowerCase().split(', ');
    for (const keys of [['a'], ['b'], ['c'], ['a', 'b'], ['c', 'a', 'd']])
      for (const type of [undefined, 'text', 'comment']) {
        const expected = all.filter(
          (row) =>
            keys.every((key) => keysOf(row.tags).includes(key)) && (!type || row.content_type === type),
        );
        const filter = `tags=${keys}&content_type=${type ?? ''}`;
        const ids = expected.map(({ id }) => id);
        const newest = await list(filter);
        expect([newest.count, newest.results.map(({ id }) => id)]).toEqual([ids.length, ids]);
        const oldest = await list(`${filter}&ordering=created`);
        expect(oldest.results.map(({ id }) => id)).toEqual(ids.toReversed());
        const secondById = `/api/v1/projects/?${filter}&ordering=-id&page_size=2&page=2&fields=id`;
        if (ids.length > 2)
          expect(((await site.json(secondById)) as Listed).results.map(({ id }) => id)).toEqual(
            ids.toSorted((one, other) => other - one).slice(2, 4),
          );
        const byId = await list(`${filter}&ordering=id`);
        expect(byId.results.map(({ id }) => id)).toEqual(ids.toSorted((one, other) => one - other));
      }
    expect((await list('tags=a')).count).toBeGreaterThan(1);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });
});
