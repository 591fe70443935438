// Decisions of moderators and their log: removed projects, restored projects, and decisions that are taken back.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { select } from '#sql';
import { projectTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Page, readPage } from '../support/html.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, type Site, siteOn } from '../support/site.ts';

const reportPath = (id: number) => `${pathOf(id)}report/`;

const gallery = dump(
  adasLine,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Kite' }),
  contributor(3, 'mo'),
  contributor(5, 'alma'),
  project(1, { title: 'A lamp', status: 2 }),
  project(2, { title: 'A boat', text: 'It floats.' }),
);

/** The number of open reports in the header. */
const reportCountOn = (page: Page) => page.textsOf('.badge')[0];
const locationOf = (response: Response) => response.headers.get('Location');

async function statusOf(site: Site, id: number): Promise<number | undefined> {
  const row = await site.database.first(select(projectTable.columns, sql`from project where id = ${id}`));
  return row?.status;
}

test('moderators find the account, the history and the removal on each project and profile', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const [zoe, mo] = [await person(site, 'zoe'), await person(site, 'mo', { role: 'moderator' })];
  const linksOn = async (path: string) =>
    (await mo.open(path)).document
      .querySelectorAll('.moderator-links a')
      .map((link) => link.getAttribute('href'));

  const adasAccount = '/moderation/people/?username=ada';
  expect(await linksOn(pathOf(2))).toEqual([
    adasAccount,
    `${pathOf(2)}history/`,
    '/moderation/log/?project=2',
  ]);
  expect(await linksOn('/contributors/1-ada/')).toEqual([adasAccount]);
  for (const path of [adasAccount, `${pathOf(2)}history/`, '/moderation/log/?project=2'])
    expect((await mo.browser.get(path)).status).toBe(200);
  const removal = await mo.submit(pathOf(2), 'Remove it', { Reason: 'It leaks.' });
  expect([removal.status, await statusOf(site, 2)]).toEqual([303, 3]);

  expect((await zoe.open(pathOf(1))).textsOf('.moderator-links')).toEqual([]);
});

onBothDatabases((kind) => {
  test('a project is removed with a reason, and restored with one', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(reportPath(1), { reason: 'other', words: 'Too bright.' });

    const withoutReason = await mo.send('/moderation/', { project: '1', decision: 'remove', reason: ' ' });
    expect(withoutReason.status).toBe(400);
    expect((await readPage(withoutReason)).text).toContain('In your words: Please fill this in.');

    const removal = { project: '1', decision: 'remove', reason: 'It burns.' };
    expect((await mo.send('/moderation/', removal)).status).toBe(303);
    expect((await zoe.browser.get(pathOf(1))).status).toBe(404);
    expect((await mo.open('/moderation/removed/')).text).toContain('A lamp');

    const again = await mo.send('/moderation/', { ...removal, reason: 'Again.' });
    expect(again.status).toBe(400);

    const restoration = { project: '1', reason: 'It does not.' };
    expect((await mo.send('/moderation/removed/', restoration)).status).toBe(303);
    expect(await statusOf(site, 1)).toBe(2);
    expect((await mo.send('/moderation/removed/', { project: '1' })).status).toBe(400);

    const log = await mo.open('/moderation/log/');
    expect(log.text).toMatch(/mo restored A lamp by ada It does not\..*mo removed A lamp .*undone/);
  });

  test('the owner of a removed project reads why, and not who reported or removed it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(reportPath(1), { reason: 'other', words: 'Too bright.' });

    await mo.send('/moderation/', { project: '1', decision: 'remove', reason: 'It <b>burns</b>.' });
    await (await person(site, 'alma', { role: 'admin' })).send('/admin/site/', {
      contact: 'us@gallery.example',
    });
    for (const path of [pathOf(1), '/mine/?show=removed']) {
      const { html, text } = await ada.open(path);
      expect(text).toContain('If you think this is a mistake, write to us@gallery.example');
      expect(html).toContain('Reason for removal: <bdi>It &lt;b&gt;burns&lt;/b&gt;.</bdi>');
      expect(html).not.toMatch(/Too bright|Zoë|zoe|\bmo\b/);
    }
    const badges = async (path: string) => (await ada.open(path)).textsOf('main .badge');
    const badgesAt = await Promise.all(
      [pathOf(1), '/mine/?show=removed', '/?contributor=me&status=3'].map(badges),
    );
    expect(badgesAt).toEqual([['Removed'], ['Removed'], ['Removed']]);
    const exported = await (await ada.get('/api/v1/me/dump/?format=ndjson')).text();
    expect(exported).not.toMatch(/Too bright|"contributor":2/);

    await mo.send('/moderation/removed/', { project: '1', reason: 'It does not.' });
    expect((await ada.open(pathOf(1))).html).not.toContain('burns');
  });

  test('a decision that is taken back opens its reports again', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const alma = await person(site, 'alma', { role: 'admin' });
    await zoe.send(reportPath(2), { reason: 'spam' });

    await mo.send('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    expect(reportCountOn(await mo.open('/moderation/'))).toBeUndefined();

    const referer = { Referer: 'http://gallery.example/moderation/log/?page=1' };
    await alma.send('/moderation/log/1/undo/', {}, referer);
    expect(reportCountOn(await mo.open('/moderation/'))).toBe('1 to look at');

    await mo.send('/moderation/', { project: '2', decision: 'leave' });
    await zoe.send(reportPath(2), { reason: 'spam', words: 'Anew.' });
    const undone = await mo.send('/moderation/log/3/undo/');
    expect([undone.status, locationOf(undone)]).toEqual([303, '/moderation/log/']);

    // The new report counts; the earlier one stays closed.
    const queue = await mo.open('/moderation/');
    expect(reportCountOn(queue)).toBe('1 to look at');
    expect(queue.text).toContain('Anew.');

    expect((await mo.send('/moderation/log/3/undo/')).status).toBe(400);
    expect((await zoe.send('/moderation/log/3/undo/')).status).toBe(403);
    expect(await statusOf(site, 2)).toBe(1);
  });

  test('the log is filtered by moderator and by project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const alma = await person(site, 'alma', { role: 'admin' });
    await zoe.send(reportPath(2), { reason: 'spam' });
    await mo.send('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    await alma.send('/moderation/log/1/undo/');

    const filtered = await mo.open(
      `/moderation/log/?${new URLSearchParams({ moderator: 'alma', thing: pathOf(2) })}`,
    );
    expect(filtered.text).toContain('alma restored A boat by ada');
    expect(filtered.text).not.toContain('mo removed');

    const unknown = await mo.open('/moderation/log/?moderator=nobody&project=/content/none/x/');
    expect(unknown.text).toContain('Moderator: Nobody has that username.');
    expect(unknown.text).toContain('Project: No project was found there.');
  });

  test('a moderator restores a project from its owner’s trash', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const mo = await person(site, 'mo', { role: 'moderator' });
    await zoe.send(reportPath(2), { reason: 'spam' });

    await ada.send(`${pathOf(2)}trash/`);
    const queue = await mo.open('/moderation/');
    expect(queue.text).toContain('The author deleted it');
    expect(queue.attributesOf('[value]', 'value')).not.toContain('remove');
    expect((await mo.open('/moderation/trash/')).text).toContain('A boat');

    expect((await zoe.send('/moderation/trash/', { project: '2' })).status).toBe(403);
    const restored = await mo.send('/moderation/trash/', { project: '2' });
    expect([locationOf(restored), await statusOf(site, 2)]).toEqual(['/moderation/trash/', 1]);
    expect((await mo.open('/moderation/log/')).text).toContain('mo restored A boat by ada');
  });

  test('moderators neither see nor decide reports of their own projects', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const ada = await person(site, 'ada', { role: 'moderator' });
    const mo = await person(site, 'mo', { role: 'moderator' });

    await zoe.send(reportPath(2), { reason: 'spam' });
    expect(reportCountOn(await mo.open('/moderation/'))).toBe('1 to look at');
    expect(reportCountOn(await ada.open('/moderation/'))).toBeUndefined();
    expect(await ada.json('/api/v1/reports/')).toMatchObject({ count: 0 });
    expect((await ada.get('/api/v1/reports/1/')).status).toBe(404);
    expect((await ada.send('/moderation/', { project: '2', decision: 'leave' })).status).toBe(403);

    await mo.send('/moderation/', { project: '2', decision: 'remove', reason: 'So.' });
    const log = await ada.open('/moderation/log/');
    expect(log.text).toContain('mo removed A boat');
    expect(log.hasButton('Undo')).toBe(false);
    expect(log.html).not.toContain('Undo');
    expect((await ada.send('/moderation/log/1/undo/')).status).toBe(403);
    expect((await ada.send('/moderation/removed/', { project: '2' })).status).toBe(403);
    expect((await ada.patch('/api/v1/projects/2/', { status: 1 })).status).toBe(403);
  });
});
