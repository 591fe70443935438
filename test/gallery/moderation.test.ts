// What becomes of reports and decisions when things and people go, move to another gallery, or meet one another.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { checkGallery } from '../../src/gallery/check.ts';
import { exportDump } from '../../src/gallery/dump/export.ts';
import { importDump } from '../../src/gallery/dump/import.ts';
import { sweep } from '../../src/gallery/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  contributor(4, 'lu'),
  project(1, { title: 'A lamp' }),
  project(2, { title: 'A boat' }),
  project(3, { title: 'Only Zoë’s', contributor: 2, visibility: 'private' }),
);

type Key = Record<string, string>;

const send = (site: Site, method: string, path: string, key: Key, sent: object = {}) =>
  site.request(`/api/v1/${path}`, {
    method,
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify(sent),
  });

/** Zoë and Lu report the lamp, Zoë the boat; Mo removes the lamp. */
async function moderated(site: Site): Promise<{ zoe: Key; lu: Key; mo: Key; adas: Key }> {
  const [zoe, lu] = [await site.key('zoe'), await site.key('lu')];
  const mo = await site.key('mo', { role: 'moderator' });
  await send(site, 'POST', 'projects/1/report/', zoe, { reason: 'spam', words: 'Zoë says so.' });
  await send(site, 'POST', 'projects/1/report/', lu, { reason: 'unkind' });
  await send(site, 'POST', 'projects/2/report/', zoe, { reason: 'other', words: 'It sinks.\n“Really”.' });
  await send(site, 'POST', 'reports/1/decide/', mo, { decision: 'remove', reason: 'It is spam.' });
  return { zoe, lu, mo, adas: await site.key('ada') };
}

async function exported(site: Site): Promise<string> {
  let text = '';
  await exportDump(site.database, site.files, async (lines) => {
    text += lines;
  });
  return text;
}

const ofType = (text: string, ...types: string[]) =>
  text
    .split('\n')
    .filter((line) => types.some((type) => line.startsWith(`{"type":"${type}"`)))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const load = (site: Site, text: string) =>
  importDump(site.database, site.files, 'the test’s', new Blob([text]).stream());

onBothDatabases((kind) => {
  test('moderators do not close reports of their own projects by removing these', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await moderated(site);
    const ada = await site.key('ada', { role: 'moderator' });
    const removing = await send(site, 'PATCH', 'projects/2/', ada, { status: 3 });
    const seen = await send(site, 'PATCH', 'projects/2/', ada, { title: 'A better boat' });
    const mo = await site.key('mo');
    const open = await site.json('/api/v1/reports/?state=open&project=2', mo);

    expect([removing.status, seen.status]).toEqual([403, 200]);
    expect(open).toMatchObject({ count: 1 });
  });

  test('an export carries reports and decisions, and an import brings them to the letter, twice too', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await moderated(site);
    const text = await exported(site);
    const other = await siteOn(kind, { dump: text });
    const [once] = [await exported(other)];
    await load(other, text);
    const twice = await exported(other);
    const mo = await other.key('mo');
    const undone = await send(other, 'POST', 'decisions/1/undo/', mo);
    const made = await send(other, 'POST', 'projects/2/report/', await other.key('lu'), { reason: 'spam' });
    const reports = await other.json('/api/v1/reports/?state=open&page_size=1', mo);
    const told = await other.database.all(
      sql`select record from change where kind in ('report', 'decision') and record <> ''`,
    );

    expect([once, twice]).toEqual([text, text]);
    expect(ofType(text, 'decision', 'report')).toEqual([
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
        created: expect.any(String),
      },
      ...[
        { id: 1, project: 1, contributor: 2, reason: 'spam', words: 'Zoë says so.', decision: 1 },
        { id: 2, project: 1, contributor: 4, reason: 'unkind', words: '', decision: 1 },
        { id: 3, project: 2, contributor: 2, reason: 'other', words: 'It sinks.\n“Really”.', decision: null },
      ].map((line) => ({
        type: 'report',
        ...line,
        created: expect.any(String),
        modified: expect.any(String),
      })),
    ]);
    expect([undone.status, made.status]).toEqual([200, 201]);
    expect(reports).toEqual(
      expect.objectContaining({ count: 4, results: [expect.objectContaining({ id: 4 })] }),
    );
    expect([...told]).toEqual([]);
  });

  test('an import refuses reports of what there is not', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const moment = '2024-01-01T00:00:00.000001+00:00';
    const report = {
      type: 'report',
      id: 1,
      project: 1,
      contributor: 2,
      reason: 'spam',
      words: '',
      created: moment,
      modified: moment,
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
      created: moment,
    };
    const heard: string[] = [];
    for (const line of [
      { ...report, project: 99 },
      { ...report, contributor: 99 },
      { ...report, decision: 99 },
      { ...report, reason: 'boring' },
      { ...decision, contributor: 99 },
      { ...decision, moderator: 99 },
      { ...decision, action: 'burned' },
      decision,
    ]) {
      await load(site, `${JSON.stringify(line)}\n`).then(
        () => heard.push('imported'),
        ({ message }: Error) => heard.push(message.split(' Nothing')[0] ?? ''),
      );
    }

    expect(heard.map((sentence) => sentence.replace('the test’s:1: ', ''))).toEqual([
      'project: there is no project 99.',
      'contributor: there is no contributor 99.',
      'decision: there is no decision 99.',
      'reason: must be one of unkind, unsafe, spam, copied, other.',
      'contributor: there is no contributor 99.',
      'moderator: there is no contributor 99.',
      'action: must be one of left, reopened, removed, restored, trashed, returned, disabled, enabled.',
      // What was decided on may be gone.
      'imported',
    ]);
  });

  test('a deleted project’s reports are deleted, and the log keeps the decisions', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, adas } = await moderated(site);
    await send(site, 'DELETE', 'projects/2/', adas);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = trashed - ${31 * 24 * 3600 * 1_000_000}`),
    );
    await sweep(site.database, site.files);
    const [text, log] = [await exported(site), await site.get('/moderation/log/', await site.signIn('mo'))];
    await send(site, 'DELETE', 'me/', adas, { items: 'delete' });
    const after = await exported(site);
    const page = await (await site.get('/moderation/log/', await site.signIn('mo'))).text();
    const again = await send(site, 'POST', 'decisions/1/undo/', mo);
    const next = await send(site, 'POST', 'projects/1/report/', zoe, { reason: 'spam' });
    const findings = await checkGallery(site.database, false);

    expect(ofType(text, 'report').map(({ id }) => id)).toEqual([1, 2]);
    expect([log.status, next.status]).toEqual([200, 404]);
    expect([ofType(after, 'report').length, ofType(after, 'decision').length]).toEqual([0, 1]);
    expect(page).toContain('something that is gone');
    expect(again.status).toBe(404);
    expect(findings).toEqual([]);
  });

  test('who leaves takes their reports along with their things, or leaves them without a name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, lu, mo } = await moderated(site);
    const takenAway = await (await site.get('/api/v1/me/dump/', zoe)).text();
    await send(site, 'DELETE', 'me/', zoe, { items: 'delete' });
    await send(site, 'DELETE', 'me/', lu, { items: 'keep' });
    const reports = (await site.json('/api/v1/reports/', mo)) as { results: object[] };
    await send(site, 'DELETE', 'me/', mo, { items: 'delete' });
    const text = await exported(site);

    expect(ofType(takenAway, 'report', 'decision').map(({ id, words }) => [id, words])).toEqual([
      [1, 'Zoë says so.'],
      [3, 'It sinks.\n“Really”.'],
    ]);
    expect(reports.results).toEqual([expect.objectContaining({ id: 2, contributor_name: 'deleted-4' })]);
    expect(ofType(text, 'decision')).toEqual([expect.objectContaining({ id: 1, moderator: 3 })]);
  });

  test('simultaneous reports are all stored once, and each project is decided on once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo } = await moderated(site);
    const lu = await site.key('lu');
    const told = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        send(site, 'POST', 'projects/2/report/', index % 2 ? zoe : lu, { reason: 'spam' }),
      ),
    );
    const open = (await site.json('/api/v1/reports/?state=open', mo)) as { count: number };
    const decided = await Promise.all(
      Array.from({ length: 8 }, () => send(site, 'POST', 'reports/3/decide/', mo, { decision: 'leave' })),
    );
    const undone = await Promise.all(
      Array.from({ length: 4 }, () => send(site, 'POST', 'decisions/2/undo/', mo)),
    );
    const log = (await site.json('/api/v1/decisions/?project=2', mo)) as { count: number };

    expect(told.map(({ status }) => status)).toEqual(told.map(() => 201));
    expect(open.count).toBe(2);
    const statuses = (all: Response[]) => all.map(({ status }) => status).sort();
    expect(statuses(decided)).toEqual([200, ...Array(7).fill(409)]);
    expect(statuses(undone)).toEqual([200, 409, 409, 409]);
    expect(log.count).toBe(2);
  });
});
