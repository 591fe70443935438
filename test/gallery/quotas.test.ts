// How much an account may store.

import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import sql from 'sql-template-tag';
import { count } from '#sql';
import { addDays, now } from '../../src/core/instant.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, contributor(2, 'bob'), project(1, { contributor: 2 }));

const projectSentence = (quota: number) =>
  `An account can have ${quota} projects and comments, and yours would have more. Those in the trash count until they are deleted for good.`;
const fileSentence =
  'An account can store 1 MB of files, and yours would store more. Remove files that you no longer need.';

const formOf = (bytes: number, content: string) => {
  const form = new FormData();
  form.append('title', 'With a file');
  form.append('file', new Blob([content.repeat(bytes)]), 'long.txt');
  return form;
};

const outcome = async (response: Response) => [response.status, (await response.json()).detail];
const usageOf = async (someone: Person) => (await someone.json<{ usage: unknown }>('/api/v1/me/')).usage;
const countFiles = (site: Site) =>
  readdirSync(site.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

onBothDatabases((kind) => {
  test('an account has so many projects and comments, and those in the trash count', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_PROJECT_QUOTA: '3' } });
    const ada = await person(site, 'ada');
    expect((await ada.post('/api/v1/projects/', { title: 'A lamp' })).status).toBe(201);
    expect((await ada.post('/api/v1/projects/1/copy/')).status).toBe(201);
    expect((await ada.post('/api/v1/projects/1/comments/', { text: 'Nice.' })).status).toBe(201);

    const refusals = [
      ada.post('/api/v1/projects/', { title: 'One more' }),
      ada.post('/api/v1/projects/1/copy/'),
      ada.post('/api/v1/projects/1/comments/', { text: 'Again.' }, { 'Idempotency-Key': 'again' }),
    ];
    for (const refused of refusals) expect(await outcome(await refused)).toEqual([403, projectSentence(3)]);
    const page = await ada.send('/new/text/', { title: 'One more', text: 'x' });
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('Your account is full')]);
    expect(await count(site.database, sql`from project`)).toBe(4);
    expect(await count(site.database, sql`from idempotency`)).toBe(0);

    await ada.delete('/api/v1/projects/2/');
    expect((await ada.post('/api/v1/projects/', { title: 'One more' })).status).toBe(403);
    expect((await ada.patch('/api/v1/projects/3/', { title: 'Changed' })).status).toBe(200);
    const long = addDays(now(), -31);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = ${long} where id = 2`),
    );
    await sweep(site.database, site.files);
    expect(await usageOf(ada)).toEqual({
      projects: { used: 2, quota: 3 },
      file_bytes: { used: 0, quota: 1000 * 1024 * 1024 },
    });
    expect((await ada.post('/api/v1/projects/', { title: 'One more' })).status).toBe(201);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('simultaneous requests do not exceed a quota', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_PROJECT_QUOTA: '5' } });
    const ada = await person(site, 'ada');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => ada.post('/api/v1/projects/', { title: 'A lamp' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(201),
      ...Array(5).fill(403),
    ]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('an account stores so many bytes of files, in each project that has them', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_FILE_QUOTA: '1' } });
    const ada = await person(site, 'ada');
    expect((await ada.post('/api/v1/projects/', formOf(600_000, 'a'))).status).toBe(201);
    const filesBefore = countFiles(site);

    expect(await outcome(await ada.post('/api/v1/projects/', formOf(600_000, 'b')))).toEqual([
      403,
      fileSentence,
    ]);
    expect(await outcome(await ada.post('/api/v1/projects/2/media/', formOf(600_000, 'c')))).toEqual([
      403,
      fileSentence,
    ]);
    expect(await outcome(await ada.post('/api/v1/projects/2/copy/'))).toEqual([403, fileSentence]);
    expect([countFiles(site), await count(site.database, sql`from project`)]).toEqual([filesBefore, 2]);
    expect(await usageOf(ada)).toMatchObject({ file_bytes: { used: 600_000, quota: 1024 * 1024 } });

    // Somebody else has the same file.
    const bob = await person(site, 'bob');
    expect((await bob.post('/api/v1/projects/', formOf(600_000, 'a'))).status).toBe(201);
    expect(await usageOf(bob)).toMatchObject({ file_bytes: { used: 600_000 } });

    expect((await ada.delete('/api/v1/projects/2/media/1/')).status).toBe(204);
    expect(await usageOf(ada)).toMatchObject({ file_bytes: { used: 0 } });
    expect((await ada.post('/api/v1/projects/2/media/', formOf(600_000, 'd'))).status).toBe(201);
    expect(await checkGallery(site.database, false)).toEqual([]);

    await ada.delete('/api/v1/me/', { items: 'delete' });
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('moderators have no quotas, and neither does anybody if the operator turns them off', async () => {
    const environment = { VITRINE_PROJECT_QUOTA: '1', VITRINE_FILE_QUOTA: 'off' };
    const site = await siteOn(kind, { dump: gallery, environment });
    const mo = await person(site, 'bob', { role: 'moderator' });
    expect((await mo.post('/api/v1/projects/', { title: 'A lamp' })).status).toBe(201);
    expect(await usageOf(mo)).toEqual({
      projects: { used: 2, quota: null },
      file_bytes: { used: 0, quota: null },
    });
    const ada = await person(site, 'ada');
    expect(await usageOf(ada)).toEqual({
      projects: { used: 0, quota: 1 },
      file_bytes: { used: 0, quota: null },
    });
    const { html } = await ada.open('/account/');
    expect(html).toContain('You have 0 of 1 projects and comments, and 0 MB of files.');
  });

  test('wrong counts of what is stored are found and repaired', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await site.database.transaction((transaction) =>
      transaction.run(sql`update contributor_usage set count = 7 where contributor = 2`),
    );
    const findings = [{ problem: 'the counts of what contributors store are wrong', projects: [] }];
    expect(await checkGallery(site.database, true)).toEqual(findings);
    expect(await checkGallery(site.database, false)).toEqual([]);
    expect(await usageOf(await person(site, 'bob'))).toMatchObject({ projects: { used: 1 } });
  });

  test('who uploads and deletes again and again does not fill the disk', async () => {
    const limits = { VITRINE_FILE_QUOTA: '1', VITRINE_UPLOAD_LIMIT: '1' };
    const site = await siteOn(kind, { dump: gallery, environment: limits });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const upload = (someone: Person, content: string) =>
      someone.post('/api/v1/projects/?include=media', formOf(900_000, content));
    for (const content of 'abcdefghij') {
      const response = await upload(ada, content);
      const { id, media } = (await response.json()) as { id: number; media: { number: number }[] };
      expect((await ada.delete(`/api/v1/projects/${id}/media/${media[0]?.number}/`)).status).toBe(204);
    }

    const refused = await upload(ada, 'k');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(60);
    expect((await upload(bob, 'k')).status).toBe(201);
  });
});
