// Karma: 1 for a rating of 4, 2 for one of 5, 3 for a public copy and 1 for a public comment, all by others.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { transact } from '../../src/core/changes/transact.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { eraseProjects } from '../../src/projects/writing/erase.ts';
import { lockProjects } from '../../src/projects/writing/store.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import {
  ada as adasLine,
  contentOf,
  contributor,
  dump,
  exportAll,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';

const people = dump(adasLine, contributor(2, 'bob'), contributor(3, 'cleo'));
const created = '2024-01-01T00:00:00.000000+00:00';
const rating = (contributor: number, value: number) =>
  JSON.stringify({ type: 'rating', project: 1, contributor, value, created, modified: created });

const karmaOf = async (site: Site) =>
  (await visitor(site).json<{ karma: number }>('/api/v1/projects/1/?fields=karma')).karma;
const importInto = (site: Site, ...lines: string[]) =>
  importDump(site.database, site.files, 'a dump', new Blob([dump(...lines)]).stream());

async function rate(rater: Person, value: number): Promise<number> {
  const response = await rater.put('/api/v1/projects/1/rating/', { value });
  return ((await response.json()) as { karma: number }).karma;
}

onBothDatabases((kind) => {
  test('only ratings of 4 and 5 earn karma, and a changed rating earns what it is now', async () => {
    const site = await siteOn(kind, { dump: people + dump(project(1, { karma: 7 })) });
    const [bob, cleo] = [await person(site, 'bob'), await person(site, 'cleo')];

    const karma: number[] = [];
    for (const value of [1, 2, 3, 4, 5, 3, 5]) karma.push(await rate(bob, value));
    expect(karma).toEqual([7, 7, 7, 8, 9, 7, 9]);
    expect(await rate(cleo, 4)).toBe(10);
    await bob.delete('/api/v1/projects/1/rating/');
    expect(await karmaOf(site)).toBe(8);

    const copy = (await (await bob.post('/api/v1/projects/1/copy/')).json()) as { id: number };
    await bob.patch(`/api/v1/projects/${copy.id}/`, { visibility: 'public' });
    await cleo.post('/api/v1/projects/1/comments/', { text: 'Bright.' });
    expect(await karmaOf(site)).toBe(12);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('the comments of a person on a project earn karma once, as long as one of them is public', async () => {
    const site = await siteOn(kind, { dump: people + dump(project(1)) });
    const [bob, cleo] = [await person(site, 'bob'), await person(site, 'cleo')];
    const comment = async (writer: Person) =>
      (
        (await (await writer.post('/api/v1/projects/1/comments/', { text: 'Bright.' })).json()) as {
          id: number;
        }
      ).id;

    const first = await comment(bob);
    const [second, third] = await Promise.all([comment(bob), comment(bob), comment(cleo)]);
    expect(await karmaOf(site)).toBe(2);
    await bob.delete(`/api/v1/projects/${first}/`);
    await bob.patch(`/api/v1/projects/${second}/`, { visibility: 'private' });
    expect(await karmaOf(site)).toBe(2);
    expect(await checkGallery(site.database, false)).toEqual([]);

    await bob.delete(`/api/v1/projects/${third}/`);
    expect(await karmaOf(site)).toBe(1);
    await bob.patch(`/api/v1/projects/${second}/`, { visibility: 'public' });
    expect(await karmaOf(site)).toBe(2);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('ratings that an import adds or changes count, and its copies and comments do not', async () => {
    const site = await siteOn(kind, { dump: people + dump(project(1, { karma: 7 }), rating(2, 5)) });
    expect(await karmaOf(site)).toBe(7);

    await importInto(site, rating(2, 4), rating(3, 5), project(2, { contributor: 2, copied_from: 1 }));
    expect(await karmaOf(site)).toBe(8);
    await importInto(site, rating(2, 1), rating(3, 5));
    expect(await karmaOf(site)).toBe(7);
    expect(await checkGallery(site.database, false)).toEqual([]);

    // A dump has the totals.
    const whole = await exportAll(site);
    await importInto(site, ...whole.trim().split('\n'));
    expect(contentOf(await exportAll(site))).toBe(contentOf(whole));
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a project that is erased keeps no karma of its ratings', async () => {
    const site = await siteOn(kind, { dump: people + dump(project(1), rating(2, 5), rating(3, 2)) });

    await transact(site.database, null, async (write) =>
      eraseProjects(write, await lockProjects(write.transaction, sql`id = 1`)),
    );
    expect(await checkGallery(site.database, false)).toEqual([]);
  });
});
