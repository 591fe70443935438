// What becomes of what was thrown away.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { checkGallery } from '../../src/gallery/check.ts';
import { sweep } from '../../src/gallery/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
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
  test('a moderator brings it back after 29 days, with its comments', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await site.request('/api/v1/projects/1/', { method: 'DELETE', headers: await site.key('ada') });
    const comment = await site.get('/api/v1/projects/3/');
    await agedBy(site, 29);
    await sweep(site.database, site.files);
    const moderator = await site.key('bob', { role: 'moderator' });
    const answer = await site.request('/api/v1/projects/1/restore/', { method: 'POST', headers: moderator });
    const after = await Promise.all([1, 3].map((id) => site.get(`/api/v1/projects/${id}/`)));
    const findings = await checkGallery(site.database, false);
    await site.close();

    expect([comment.status, answer.status, ...after.map(({ status }) => status)]).toEqual([
      404, 200, 200, 200,
    ]);
    expect(findings).toEqual([]);
  });

  test('after 30 days it is gone for good, and its id is never given out again', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    await site.request('/api/v1/projects/1/', { method: 'DELETE', headers: key });
    await agedBy(site, 31);
    await sweep(site.database, site.files);
    const moderator = await site.key('bob', { role: 'moderator' });
    const answer = await site.request('/api/v1/projects/1/restore/', { method: 'POST', headers: moderator });
    const trash = await site.json('/api/v1/trash/', moderator);
    const copy = (await site.json('/api/v1/projects/2/')) as { copied_from: number };
    const rows = await site.database.all(sql`select title, text, tags from project where id = 1`);
    const told = await site.database.all(
      sql`select record from change where kind = 'project' and subject = 1 and record <> ''`,
    );
    const findings = await checkGallery(site.database, false);
    await site.close();

    expect(answer.status).toBe(404);
    expect(trash).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect(copy.copied_from).toBe(1);
    expect(rows).toEqual([{ title: '', text: '', tags: '' }]);
    expect(told).toEqual([]);
    expect(findings).toEqual([]);
  });

  test('an owner brings back what they threw away, and not what a moderator did', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [owner, moderator] = [await site.key('ada'), await site.key('bob', { role: 'moderator' })];
    const restore = () => site.request('/api/v1/projects/1/restore/', { method: 'POST', headers: owner });
    await site.request('/api/v1/projects/1/', { method: 'DELETE', headers: owner });
    const own = await restore();
    await site.request('/api/v1/projects/1/', { method: 'DELETE', headers: moderator });
    const others = await restore();
    await site.close();

    expect([own.status, others.status]).toEqual([200, 403]);
  });
});
