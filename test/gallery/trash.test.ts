// The trash: who restores what is in it, and when it is emptied.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { pick, select } from '#sql';
import { changeTable } from '../../src/core/changes/tables.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { projectTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'A lamp', tags: ['light'] }),
  project(2, { title: 'Its copy', contributor: 2, copied_from: 1 }),
  project(3, { title: 'Well done', contributor: 2, content_type: 'comment', parent: 1 }),
);

const day = 24 * 3600 * 1_000_000;
const agedBy = (site: Site, days: number) =>
  site.database.transaction((transaction) =>
    transaction.run(sql`update project set trashed = trashed - ${days * day} where trashed is not null`),
  );

onBothDatabases((kind) => {
  test('a moderator restores a project after 29 days, with its comments', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.delete('/api/v1/projects/1/');
    expect((await site.get('/api/v1/projects/3/')).status).toBe(404);

    await agedBy(site, 29);
    await sweep(site.database, site.files);
    const bob = await person(site, 'bob', { role: 'moderator' });
    expect((await bob.post('/api/v1/projects/1/restore/')).status).toBe(200);
    expect((await site.get('/api/v1/projects/1/')).status).toBe(200);
    expect((await site.get('/api/v1/projects/3/')).status).toBe(200);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('after 30 days a project is deleted for good, and its id is never used again', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.delete('/api/v1/projects/1/');
    await agedBy(site, 31);
    const earlierTitles = () =>
      site.database.all(
        select(pick(projectTable.columns, 'title_key'), sql`from earlier_project where title_key = 'a lamp'`),
      );
    expect(await earlierTitles()).not.toEqual([]);
    await sweep(site.database, site.files);
    expect(await earlierTitles()).toEqual([]);
    const bob = await person(site, 'bob', { role: 'moderator' });
    expect((await bob.post('/api/v1/projects/1/restore/')).status).toBe(404);
    expect(await bob.json('/api/v1/trash/')).toEqual({ count: 0, next: null, previous: null, results: [] });

    expect(await site.json('/api/v1/projects/2/')).toMatchObject({ copied_from: 1 });
    const rows = await site.database.all(
      select(pick(projectTable.columns, 'title', 'text', 'tags'), sql`from project where id = 1`),
    );
    expect(rows).toEqual([{ title: '', text: '', tags: '' }]);
    const records = await site.database.all(
      select(
        pick(changeTable.columns, 'record'),
        sql`from change where kind = 'project' and subject = 1 and record <> ''`,
      ),
    );
    expect(records).toEqual([]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('projects are deleted for good together with comments on them, and the counts stay right', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const bob = await person(site, 'bob', { role: 'moderator' });
    for (const id of [3, 1, 2]) expect((await bob.delete(`/api/v1/projects/${id}/`)).status).toBe(204);
    await agedBy(site, 31);
    await sweep(site.database, site.files);

    expect(await bob.json('/api/v1/trash/')).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect(await site.json('/api/v1/projects/')).toMatchObject({ count: 0 });
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('an owner restores what they deleted, and not what a moderator deleted', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob', { role: 'moderator' });
    await ada.delete('/api/v1/projects/1/');
    expect((await ada.post('/api/v1/projects/1/restore/')).status).toBe(200);

    await bob.delete('/api/v1/projects/1/');
    expect((await ada.post('/api/v1/projects/1/restore/')).status).toBe(403);
  });
});
