// No figure is above 2^53-1, the largest number that every client of JSON reads exactly, whatever an import brought. Figures
// stay recomputable: what is beyond the largest number is not lost when it is withdrawn.

import { expect, test } from 'bun:test';
import { importDump } from '../../src/features/export-import/import.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const max = Number.MAX_SAFE_INTEGER;
const largest = { rating_count: max, rating_sum: max, karma: max };
const people = dump(adasLine, contributor(2, 'bob'), contributor(3, 'cleo'));
const rating = (project: number, contributor: number, value: number) =>
  JSON.stringify({
    type: 'rating',
    project,
    contributor,
    value,
    created: '2024-01-01T00:00:00.000000+00:00',
    modified: '2024-01-01T00:00:00.000000+00:00',
  });

const figuresOf = (site: Site, id: number) =>
  visitor(site).json(`/api/v1/projects/${id}/?fields=rating_count,rating_sum,karma`);

onBothDatabases((kind) => {
  test('ratings, copies and comments add nothing to the largest figures', async () => {
    const site = await siteOn(kind, { dump: people + dump(project(1, largest)) });
    const [bob, cleo] = [await person(site, 'bob'), await person(site, 'cleo')];

    await bob.put('/api/v1/projects/1/rating/', { value: 5 });
    const rated = await cleo.put('/api/v1/projects/1/rating/', { value: 3 });
    expect(await rated.json()).toMatchObject(largest);
    const copy = (await (await bob.post('/api/v1/projects/1/copy/')).json()) as { id: number };
    await bob.patch(`/api/v1/projects/${copy.id}/`, { visibility: 'public' });
    await cleo.post('/api/v1/projects/1/comments/', { text: 'Bright.' });
    expect(await figuresOf(site, 1)).toEqual(largest);
    expect(await checkGallery(site.database, false)).toEqual([]);

    await bob.delete('/api/v1/projects/1/rating/');
    await cleo.delete('/api/v1/projects/1/rating/');
    expect(await figuresOf(site, 1)).toEqual(largest);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a rating that reaches the largest sum is withdrawn exactly', async () => {
    const before = { rating_count: 7, rating_sum: max - 2, karma: max - 1 };
    const site = await siteOn(kind, { dump: people + dump(project(1, before)) });
    const bob = await person(site, 'bob');

    await bob.put('/api/v1/projects/1/rating/', { value: 5 });
    expect(await figuresOf(site, 1)).toEqual({ rating_count: 8, rating_sum: max, karma: max });
    await bob.put('/api/v1/projects/1/rating/', { value: 1 });
    expect(await figuresOf(site, 1)).toEqual({ rating_count: 8, rating_sum: max - 1, karma: max - 1 });
    await bob.delete('/api/v1/projects/1/rating/');
    expect(await figuresOf(site, 1)).toEqual(before);
  });

  test('ratings of a later import add nothing to the largest figures', async () => {
    const site = await siteOn(kind, { dump: people + dump(project(1, largest)) });

    for (const line of [rating(1, 2, 5), rating(1, 3, 4), rating(1, 3, 4)])
      await importDump(site.database, site.files, 'a later dump', new Blob([dump(line)]).stream());
    expect(await figuresOf(site, 1)).toEqual(largest);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });
});
