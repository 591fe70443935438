// The projects of a contributor who was renamed or has left are updated a few at a time. Nothing of it is lost, and
// `check` knows what is left to do.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { exists, pick, select } from '#sql';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { finishUpdates, startUpdate } from '../../src/projects/people/contributor-updates.ts';
import { projectTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';

const ids = Array.from({ length: 70 }, (_, index) => index + 1);
const gallery = dump(
  ada,
  contributor(2, 'bob'),
  ...ids.map((id) =>
    project(id, { visibility: id % 7 ? 'public' : 'private', tags: ['red'], text: `Text ${id}.` }),
  ),
  project(71, { contributor: 2 }),
);

const isPending = (site: Site) => exists(site.database, sql`from job where kind = 'contributor_update'`);
const countOf = async (site: Site, search: string) =>
  (await visitor(site).json<{ count: number }>(`/api/v1/projects/?search=${search}`)).count;
const versions = (site: Site) =>
  site.database.all(
    select(
      pick(projectTable.columns, 'id', 'record_modified'),
      sql`from project where contributor = 1 order by id`,
    ),
  );

onBothDatabases((kind) => {
  test('every project of a renamed contributor is found by the new name and gets a new version', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const adaHere = await person(site, 'ada');
    const before = await versions(site);
    expect((await adaHere.patch('/api/v1/me/', { first_name: 'Augusta', last_name: 'King' })).status).toBe(
      200,
    );

    expect(await countOf(site, 'augusta')).toBe(60);
    expect(await countOf(site, 'lovelace')).toBe(0);
    const after = await versions(site);
    for (const [index, { record_modified }] of after.entries())
      expect(record_modified).toBeGreaterThan(before[index]?.record_modified ?? Number.POSITIVE_INFINITY);
    expect(await isPending(site)).toBe(false);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('an update that was interrupted goes on later, and check does not report it meanwhile', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const adaHere = await person(site, 'ada');
    await adaHere.patch('/api/v1/me/', { last_name: 'King' });
    // As if the process had been killed after the first projects of a second change.
    await site.database.transaction(async (transaction) => {
      await transaction.run(
        sql`update contributor set last_name = 'Byron', last_name_key = 'byron' where id = 1`,
      );
      await startUpdate(transaction, 1, null);
    });

    expect(await checkGallery(site.database, false)).toEqual([]);
    expect(await countOf(site, 'byron')).toBe(0);
    await sweep(site.database, site.files);
    expect(await countOf(site, 'byron')).toBe(60);
    expect(await countOf(site, 'king')).toBe(0);
    expect(await isPending(site)).toBe(false);
    expect(await checkGallery(site.database, true)).toEqual([]);
  });

  test('a second change of the name during an update begins again with the first project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const adaHere = await person(site, 'ada');
    const names = ['Augusta', 'Byron', 'Noel', 'King'];
    const responses = await Promise.all(
      names.map((last_name) => adaHere.patch('/api/v1/me/', { last_name })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await finishUpdates(site.database);

    const { last_name } = await adaHere.json<{ last_name: string }>('/api/v1/me/');
    for (const name of names) expect(await countOf(site, name)).toBe(name === last_name ? 60 : 0);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('all projects, ratings and reports of a contributor who leaves are deleted', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [adaHere, bob] = [await person(site, 'ada'), await person(site, 'bob', { role: 'moderator' })];
    expect((await adaHere.put('/api/v1/projects/71/rating/', { value: 5 })).status).toBe(200);
    expect((await adaHere.post('/api/v1/projects/71/report/', { reason: 'spam' })).status).toBe(201);
    expect((await adaHere.delete('/api/v1/me/', { items: 'delete' })).status).toBe(204);

    expect(await bob.json('/api/v1/projects/?fields=id')).toMatchObject({ count: 1, results: [{ id: 71 }] });
    expect(await bob.json('/api/v1/projects/71/?fields=rating_count')).toEqual({ rating_count: 0 });
    expect(await bob.json('/api/v1/reports/')).toMatchObject({ count: 0 });
    expect(await isPending(site)).toBe(false);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a contributor who leaves and has commented on their own projects leaves the counts right', async () => {
    const comment = (id: number, parent: number, visibility = 'public') =>
      project(id, { content_type: 'comment', parent, visibility, tags: ['red'] });
    const lines = [
      ada,
      contributor(2, 'bob'),
      ...[project(1, { tags: ['red'] }), comment(2, 1), comment(3, 2), comment(4, 1, 'private')],
      ...[project(5, { visibility: 'private' }), comment(6, 5)],
      ...[project(7, { contributor: 2 }), comment(8, 7)],
    ];
    for (const [items, count] of [
      ['delete', 1],
      ['keep', 5],
    ] as const) {
      const site = await siteOn(kind, { dump: dump(...lines) });
      const adaHere = await person(site, 'ada');
      expect((await adaHere.delete('/api/v1/me/', { items })).status).toBe(204);

      expect(await site.json('/api/v1/projects/?fields=id')).toMatchObject({ count });
      expect(await checkGallery(site.database, false)).toEqual([]);
    }
  });

  test('private projects of a contributor who leaves are deleted, and the others lose the name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const adaHere = await person(site, 'ada');
    expect((await adaHere.delete('/api/v1/me/', { items: 'keep' })).status).toBe(204);

    const bob = await person(site, 'bob', { role: 'moderator' });
    expect(await bob.json('/api/v1/projects/?fields=id')).toMatchObject({ count: 61 });
    expect(await countOf(site, 'lovelace')).toBe(0);
    expect(await countOf(site, 'deleted')).toBe(60);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('two processes finish an update together', async () => {
    const first = await siteOn(kind, { dump: gallery });
    await first.database.transaction(async (transaction) => {
      await transaction.run(sql`update contributor set first_name = 'Augusta' where id = 1`);
      await startUpdate(transaction, 1, null);
    });
    const second = await siteAt(first.address);
    await Promise.all([finishUpdates(first.database), finishUpdates(second.database)]);

    expect(await countOf(second, 'augusta')).toBe(60);
    expect(await checkGallery(second.database, false)).toEqual([]);
  });
});
