// The history of a project does not grow without end.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count, pick, select } from '#sql';
import { changeTable } from '../../src/core/changes/tables.ts';
import { now } from '../../src/core/instant.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { makeJobsDue } from '../support/jobs.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { text: 'first' }), project(2));
const hour = 3600 * 1_000_000;

const countVersions = (site: Site) =>
  count(site.database, sql`from change where kind = 'project' and subject = 1 and record <> ''`);
const countChanges = (site: Site) => count(site.database, sql`from change`);

async function textsOf(site: Site): Promise<string[]> {
  const rows = await site.database.all(
    select(
      pick(changeTable.columns, 'record'),
      sql`from change where kind = 'project' and subject = 1 and record <> '' order by sequence`,
    ),
  );
  return rows.map(({ record }) => JSON.parse(record).text);
}

onBothDatabases((kind) => {
  test('a project has at most two hundred versions, with the first and the last', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    const changesBefore = await countChanges(site);
    for (let number = 1; number <= 230; number++)
      expect((await ada.patch('/api/v1/projects/1/', { text: `text ${number}` })).status).toBe(200);

    expect(await countVersions(site)).toBe(200);
    expect(await countChanges(site)).toBe(changesBefore + 230);
    const texts = await textsOf(site);
    expect([texts[0], texts.at(-1)]).toEqual(['first', 'text 230']);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('the sweep keeps one version an hour after a day, and one a day after thirty days', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const agesInHours = [1000, 999, 990, 970, 100, 99.5, 99, 98.9, 10, 9.9, 9.8];
    for (const age of agesInHours) await ada.patch('/api/v1/projects/1/', { text: `${age} hours ago` });
    await site.database.transaction(async (transaction) => {
      await transaction.run(sql`update change set at = ${now() - 2000 * hour} where subject = 1`);
      for (const age of agesInHours)
        await transaction.run(
          sql`update change set at = ${Math.round(now() - age * hour)} where record like ${`%"${age} hours ago"%`}`,
        );
    });
    const changesBefore = await countChanges(site);

    await sweep(site.database, site.files);
    expect(await countVersions(site)).toBe(12);
    // As if a day had passed since.
    await makeJobsDue(site);
    await sweep(site.database, site.files);
    expect(await textsOf(site)).toEqual([
      'first',
      '1000 hours ago',
      '970 hours ago',
      '100 hours ago',
      '99 hours ago',
      '10 hours ago',
      '9.9 hours ago',
      '9.8 hours ago',
    ]);
    expect(await countChanges(site)).toBe(changesBefore);
    const { results } = await ada.json<{ results: { text: string }[] }>('/api/v1/projects/1/history/');
    expect(results.map(({ text }) => text)).toEqual((await textsOf(site)).toReversed());

    await sweep(site.database, site.files);
    expect(await countVersions(site)).toBe(8);
  });
});
