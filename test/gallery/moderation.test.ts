// Reports and decisions when projects and people are deleted, when they are exported and imported, and when several
// people act at the same time.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { pick, select } from '#sql';
import { changeTable, notificationTable } from '../../src/core/changes/tables.ts';
import { decisionActions } from '../../src/core/decisions/actions.ts';
import { decisionTable } from '../../src/core/decisions/tables.ts';
import { now } from '../../src/core/instant.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { exportDump } from '../../src/features/export-import/export.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import {
  ada as adasLine,
  contentOf,
  contributor,
  dump,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  contributor(4, 'lu'),
  project(1, { title: 'A lamp' }),
  project(2, { title: 'A boat' }),
  project(3, { title: 'Only Zoë’s', contributor: 2, visibility: 'private' }),
);

interface People {
  readonly ada: Person;
  readonly zoe: Person;
  readonly lu: Person;
  readonly mo: Person;
}

/** Zoë and Lu report the lamp, Zoë the boat; Mo removes the lamp. */
async function moderate(site: Site): Promise<People> {
  const [ada, zoe, lu] = [await person(site, 'ada'), await person(site, 'zoe'), await person(site, 'lu')];
  const mo = await person(site, 'mo', { role: 'moderator' });
  await zoe.post('/api/v1/projects/1/report/', { reason: 'spam', words: 'Zoë says so.' });
  await lu.post('/api/v1/projects/1/report/', { reason: 'unkind' });
  await zoe.post('/api/v1/projects/2/report/', { reason: 'other', words: 'It sinks.\n“Really”.' });
  await mo.post('/api/v1/reports/1/decide/', { decision: 'remove', reason: 'It is spam.' });
  return { ada, zoe, lu, mo };
}

async function exportGallery(site: Site): Promise<string> {
  let text = '';
  await exportDump(site.database, site.files, async (lines) => {
    text += lines;
  });
  return text;
}

const linesOfType = (text: string, ...types: string[]) =>
  text
    .split('\n')
    .filter((line) => types.some((type) => line.startsWith(`{"type":"${type}"`)))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const importText = (site: Site, text: string) =>
  importDump(site.database, site.files, 'the test’s', new Blob([text]).stream());

onBothDatabases((kind) => {
  test('moderators do not close reports of their own projects by removing these', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { mo } = await moderate(site);
    const ada = await person(site, 'ada', { role: 'moderator' });

    expect((await ada.patch('/api/v1/projects/2/', { status: 3 })).status).toBe(403);
    expect((await ada.patch('/api/v1/projects/2/', { title: 'A better boat' })).status).toBe(200);
    expect(await mo.json('/api/v1/reports/?state=open&project=2')).toMatchObject({ count: 1 });
  });

  test('an export has the reports and decisions, and importing it, even twice, gives the same', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await moderate(site);

    const text = await exportGallery(site);
    const created = expect.any(String);
    const report = { type: 'report', created, modified: created };
    expect(linesOfType(text, 'decision', 'report')).toEqual([
      {
        type: 'decision',
        id: 1,
        moderator: 3,
        action: 'removed',
        project: 1,
        contributor: 1,
        reason: 'It is spam.',
        status: 1,
        undoes: null,
        created,
      },
      { ...report, id: 1, project: 1, contributor: 2, reason: 'spam', words: 'Zoë says so.', decision: 1 },
      { ...report, id: 2, project: 1, contributor: 4, reason: 'unkind', words: '', decision: 1 },
      {
        ...report,
        id: 3,
        project: 2,
        contributor: 2,
        reason: 'other',
        words: 'It sinks.\n“Really”.',
        decision: null,
      },
    ]);

    const other = await siteOn(kind, { dump: text });
    expect(await exportGallery(other)).toBe(text);
    await importText(other, text);
    expect(contentOf(await exportGallery(other))).toBe(contentOf(text));

    const [mo, lu] = [await person(other, 'mo'), await person(other, 'lu')];
    expect((await mo.post('/api/v1/decisions/1/undo/')).status).toBe(200);
    expect((await lu.post('/api/v1/projects/2/report/', { reason: 'spam' })).status).toBe(201);
    expect(await mo.json('/api/v1/reports/?state=open&page_size=1')).toMatchObject({
      count: 4,
      results: [{ id: 4 }],
    });
    const records = await other.database.all(
      select(
        pick(changeTable.columns, 'record'),
        sql`from change where kind in ('report', 'decision') and record <> ''`,
      ),
    );
    expect([...records]).toEqual([]);
  });

  test('an import refuses reports and decisions that refer to something missing', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const created = '2024-01-01T00:00:00.000001+00:00';
    const report = {
      type: 'report',
      id: 1,
      project: 1,
      contributor: 2,
      reason: 'spam',
      words: '',
      created,
      modified: created,
      decision: null,
    };
    const decision = {
      type: 'decision',
      id: 1,
      moderator: null,
      action: 'left',
      project: 99,
      contributor: 1,
      reason: '',
      status: null,
      undoes: null,
      created,
    };
    const cases: [line: object, error: string][] = [
      [{ ...report, project: 99 }, 'project: there is no project 99.'],
      [{ ...report, contributor: 99 }, 'contributor: there is no contributor 99.'],
      [{ ...report, decision: 99 }, 'decision: there is no decision 99.'],
      [{ ...report, reason: 'boring' }, 'reason: must be one of unkind, unsafe, spam, copied, other.'],
      [{ ...decision, contributor: 99 }, 'contributor: there is no contributor 99.'],
      [{ ...decision, moderator: 99 }, 'moderator: there is no contributor 99.'],
      [{ ...decision, action: 'burned' }, `action: must be one of ${decisionActions().join(', ')}.`],
    ];
    for (const [line, error] of cases) {
      const failure = await importText(site, `${JSON.stringify(line)}\n`).catch(({ message }) => message);
      expect(String(failure).split(' Nothing')[0]).toBe(`the test’s:1: ${error}`);
    }
    // The project that was decided on may be deleted.
    await importText(site, `${JSON.stringify(decision)}\n`);
  });

  test('a decision of a feature that was taken out since is in no list, no notification and no dump', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, mo } = await moderate(site);
    const about = { moderator: 3, project: null, contributor: 1, reason: '', status: null, undoes: null };
    const told = { contributor: 1, number: 1, kind: 'decided', subject: 77, actor: null, is_read: 0 };
    await site.database.transaction(async (transaction) => {
      await transaction.insert(decisionTable, [{ id: 77, created: now(), action: 'knighted', ...about }]);
      await transaction.insert(notificationTable, [{ ...told, created: now() }]);
    });
    for (const [who, path] of [
      [mo, '/moderation/log/'],
      [mo, '/moderation/people/?username=ada'],
      [ada, '/account/notifications/'],
    ] as const)
      expect([path, (await who.browser.get(path)).status]).toEqual([path, 200]);
    expect(await mo.json('/api/v1/decisions/')).toMatchObject({ count: 1, results: [{ action: 'removed' }] });
    expect((await mo.get('/api/v1/decisions/77/')).status).toBe(404);
    expect(await ada.json('/api/v1/me/notifications/')).toMatchObject({
      count: 1,
      results: [{ action: 'removed' }],
    });
    const exported = linesOfType(await exportGallery(site), 'decision');
    expect(exported.map(({ action }) => action)).toEqual(['removed']);
  });

  test('a deleted project’s reports are deleted, and the log keeps the decisions', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { ada, zoe, mo } = await moderate(site);

    await ada.delete('/api/v1/projects/2/');
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = trashed - ${31 * 24 * 3600 * 1_000_000}`),
    );
    await sweep(site.database, site.files);
    expect(linesOfType(await exportGallery(site), 'report').map(({ id }) => id)).toEqual([1, 2]);
    expect((await mo.browser.get('/moderation/log/')).status).toBe(200);

    await ada.delete('/api/v1/me/', { items: 'delete' });
    const text = await exportGallery(site);
    expect([linesOfType(text, 'report').length, linesOfType(text, 'decision').length]).toEqual([0, 1]);
    expect((await mo.open('/moderation/log/')).text).toContain('a deleted project');
    expect((await mo.post('/api/v1/decisions/1/undo/')).status).toBe(404);
    expect((await zoe.post('/api/v1/projects/1/report/', { reason: 'spam' })).status).toBe(404);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a deleted account’s reports are deleted with its projects, or stay without a name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, lu, mo } = await moderate(site);

    const own = await (await zoe.get('/api/v1/me/dump/?format=ndjson')).text();
    expect(linesOfType(own, 'report', 'decision').map(({ id, words }) => [id, words])).toEqual([
      [1, 'Zoë says so.'],
      [3, 'It sinks.\n“Really”.'],
    ]);

    await zoe.delete('/api/v1/me/', { items: 'delete' });
    await lu.delete('/api/v1/me/', { items: 'keep' });
    const reports = await mo.json<{ results: object[] }>('/api/v1/reports/');
    expect(reports.results).toEqual([expect.objectContaining({ id: 2, contributor_name: 'deleted-4' })]);

    await mo.delete('/api/v1/me/', { items: 'delete' });
    expect(linesOfType(await exportGallery(site), 'decision')).toEqual([
      expect.objectContaining({ id: 1, moderator: 3 }),
    ]);
  });

  test('simultaneous reports are all stored once, and each project is decided on once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, lu, mo } = await moderate(site);
    /** The statuses of so many simultaneous requests, in order. */
    const repeat = async (count: number, act: (index: number) => Promise<Response>) => {
      const responses = await Promise.all(Array.from({ length: count }, (_, index) => act(index)));
      return responses.map(({ status }) => status).sort();
    };

    const reported = await repeat(12, (index) =>
      (index % 2 ? zoe : lu).post('/api/v1/projects/2/report/', { reason: 'spam' }),
    );
    expect(reported).toEqual(Array(12).fill(201));
    expect(await mo.json('/api/v1/reports/?state=open')).toMatchObject({ count: 2 });

    const decided = await repeat(8, () => mo.post('/api/v1/reports/3/decide/', { decision: 'leave' }));
    expect(decided).toEqual([200, ...Array(7).fill(409)]);

    const undone = await repeat(4, () => mo.post('/api/v1/decisions/2/undo/'));
    expect(undone).toEqual([200, 409, 409, 409]);
    expect(await mo.json('/api/v1/decisions/?project=2')).toMatchObject({ count: 2 });
  });

  test('moderators who decide differently at the same time make one decision', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => index + 10);
    const site = await siteOn(kind, {
      dump: dump(gallery.trimEnd(), contributor(5, 'di'), ...ids.map((id) => project(id))),
    });
    const { zoe, lu, mo } = await moderate(site);
    const di = await person(site, 'di', { role: 'admin' });
    const together = async (...requests: Promise<Response>[]) =>
      (await Promise.all(requests)).map(({ status }) => status).sort();

    for (const id of ids) {
      await zoe.post(`/api/v1/projects/${id}/report/`, { reason: 'spam' });
      const { results } = await mo.json<{ results: { id: number }[] }>(`/api/v1/reports/?project=${id}`);
      const decide = (moderator: Person, decision: string) =>
        moderator.post(`/api/v1/reports/${results[0]?.id}/decide/`, { decision, reason: 'x' });
      expect(await together(decide(mo, 'leave'), decide(di, 'remove'))).toEqual([200, 409]);
    }
    for (let round = 1; round <= 5; round++) {
      await lu.send('/contributors/1-ada/report/', { words: 'It is rude.' });
      const leaveName = (moderator: Person) =>
        moderator.send('/moderation/people/names/', { contributor: '1', decision: 'leave' });
      expect(await together(leaveName(mo), leaveName(di))).toEqual([303, 400]);
      const setState = (moderator: Person, state: string) =>
        moderator.put('/api/v1/contributors/1/account/', { state, reason: 'x' });
      await together(setState(mo, 'disabled'), setState(di, 'disabled'));
      const { results } = await mo.json<{ results: { id: number }[] }>('/api/v1/decisions/');
      const undo = (moderator: Person) => moderator.post(`/api/v1/decisions/${results[0]?.id}/undo/`);
      expect(await together(undo(mo), undo(di))).toEqual([200, 409]);
      expect(await mo.json('/api/v1/decisions/')).toMatchObject({ count: 21 + 3 * round });
    }
    expect(await checkGallery(site.database, false)).toEqual([]);
  });
});
