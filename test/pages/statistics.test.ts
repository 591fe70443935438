// The statistics page: what was created, rated and viewed in each week. Only numbers are kept.

import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test';
import sql from 'sql-template-tag';
import { select } from '#sql';
import { weeklyCountTable } from '../../src/features/statistics/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const statisticsPath = '/admin/statistics/';
const today = '2030-06-05T12:00:00.000000+00:00';
beforeEach(() => void setSystemTime(new Date(today)));
afterEach(() => void setSystemTime());

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'Kite', contributor: 2 }),
  project(2, { content_type: 'video', contributor: 2, created: today, modified: today }),
);

onBothDatabases((kind) => {
  test('moderators see the totals of the last weeks, and nobody else does', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'moderator' });
    const bob = await person(site, 'bob');
    expect((await bob.browser.get(statisticsPath)).status).toBe(403);
    expect((await visitor(site).browser.get(statisticsPath)).status).toBe(303);
    expect((await bob.open('/')).hasLink(statisticsPath)).toBe(false);
    expect((await ada.open('/')).hasLink(statisticsPath)).toBe(true);

    const created = await bob.post('/api/v1/projects/', { title: 'Boat' });
    expect(created.status).toBe(201);
    await bob.post('/api/v1/projects/1/comments/', { text: 'It flies.' });
    await ada.put('/api/v1/projects/1/rating/', { value: 4 });
    await ada.put('/api/v1/projects/1/rating/', { value: 5 });
    await ada.post('/api/v1/projects/1/copy/', {});

    const page = await ada.open(statisticsPath);
    expect(page.textsOf('.statistic h2')).toEqual([
      'Projects created',
      'Project pages viewed',
      'Comments',
      'Ratings',
    ]);
    // The imported video counts in the week in which it was created.
    expect(page.textsOf('.total')).toEqual([
      '3 most in a week: 3',
      '0',
      '1 most in a week: 1',
      '1 most in a week: 1',
    ]);
    expect(page.textsOf('.small .statistic p').slice(0, 5)).toEqual([
      'Stories 2',
      'Photos 0',
      'Questions 0',
      'Links 0',
      'Videos 1',
    ]);
    expect(page.textsOf('thead th')).toEqual([
      'Week from',
      'Projects created',
      'Project pages viewed',
      'Comments',
      'Ratings',
    ]);
    expect(page.textsOf('tbody tr')).toHaveLength(26);
    expect(page.textsOf('tbody tr')[0]).toEndWith('3 0 1 1');
    expect(page.html).not.toContain('style=');
  });

  test('views of project pages are counted, from the cache too, and nothing about the visitor is kept', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'moderator' });
    await ada.browser.get(pathOf(1));
    for (let view = 0; view < 3; view++) expect((await site.get(pathOf(1))).status).toBe(200);
    const etag = (await site.get(pathOf(2))).headers.get('ETag') ?? '';
    expect((await site.get(pathOf(2), { 'If-None-Match': etag })).status).toBe(304);

    await site.get('/');
    await site.get('/api/v1/projects/1/');
    await site.get(`${pathOf(1)}lineage/`);
    await site.get('/content/nothing/at-all/');
    await site.request(pathOf(1), { method: 'HEAD' });
    await site.get(pathOf(1), { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });

    const page = await ada.open(statisticsPath);
    expect(page.textsOf('.total')[1]).toBe('6 most in a week: 6');
    const rows = await site.database.all(
      select(
        weeklyCountTable.columns,
        sql`from weekly_count where activity = 'viewed' order by content_type`,
      ),
    );
    expect(rows).toEqual([
      { week: expect.any(Number), activity: 'viewed', content_type: 'text', count: 4 },
      { week: expect.any(Number), activity: 'viewed', content_type: 'video', count: 2 },
    ]);
  });

  test('the weeks begin on Monday, and older ones are not shown', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'moderator' });
    const row = (week: number, count: number) => ({ week, activity: 'viewed', content_type: 'text', count });
    const week = Math.floor((Date.now() / 86_400_000 + 3) / 7);
    await site.database.transaction((transaction) =>
      transaction.insert(weeklyCountTable, [
        row(week - 26, 1000),
        row(week - 25, 20),
        row(week + 1, 500),
        row(week, 3),
      ]),
    );

    const page = await ada.open(statisticsPath);
    expect(page.textsOf('.total')[1]).toBe('23 most in a week: 20');
    const weeks = page.attributesOf('tbody time', 'datetime').map((day) => new Date(day));
    expect(new Set(weeks.map((day) => day.getUTCDay()))).toEqual(new Set([1]));
    expect(weeks[0]?.getTime()).toBe((week * 7 - 3) * 86_400_000);
  });
});
