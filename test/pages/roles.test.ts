// Roles on /moderation/people/: admins change them, and the last admin stays.

import { expect, test } from 'bun:test';
import { all } from '#sql';
import { jobTable } from '../../src/core/server-tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada as adasLine, contributor, dump, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, contributor(2, 'bob'), contributor(3, 'mo'), contributor(4, 'cy'));
const bobsPage = '/moderation/people/?username=bob';
const rolePath = '/moderation/people/role/';
const lastAdmin = 'This is the last admin: make somebody else an admin first.';

onBothDatabases((kind) => {
  test('an admin changes a role, after a confirmation, and the log, the person and their keys know it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const bob = await person(site, 'bob');
    expect((await bob.get('/api/v1/reports/')).status).toBe(403);

    await vitrine('user', 'email', 'bob', 'bob@example.org', '--database', site.address);
    const values = { Role: 'moderator', Reason: 'She helps on Fridays.' };
    const asked = await ada.submit(bobsPage, 'Change the role', values);
    const question = await readPage(asked);
    expect(question.text).toMatch(
      /The role of bob is contributor\s?\. .*Moderators see reports and full names/,
    );
    expect((await bob.get('/api/v1/reports/')).status).toBe(403);
    const { action, body } = question.press('Make them a moderator');
    const changed = await ada.send(action, body);
    expect([changed.status, changed.headers.get('Location')]).toEqual([303, bobsPage]);

    const [mail] = await all(
      site.database,
      jobTable.columns,
    )`from job where kind = 'mail' and content like '%notice%'`;
    expect(mail).toMatchObject({
      contributor: 2,
      content: '{"kind":"notice","address":"","content":{"notice":"role_changed"}}',
    });
    expect((await bob.get('/api/v1/reports/')).status).toBe(200);
    expect((await bob.browser.get('/moderation/')).status).toBe(200);
    expect((await ada.open(bobsPage)).text).toMatch(/ada made bob a moderator .*She helps on Fridays\./);
    expect((await bob.open('/account/notifications/')).text).toContain(
      'You are a moderator of this site now',
    );
    const { results } = await bob.json<{ results: unknown[] }>('/api/v1/decisions/');
    expect(results[0]).toMatchObject({
      action: 'made_moderator',
      moderator_name: 'ada',
      contributor_name: 'bob',
      undone_by: null,
    });

    await ada.send(rolePath, { contributor: '2', role: 'contributor', confirmed: 'yes' });
    expect((await bob.get('/api/v1/reports/')).status).toBe(403);
    expect((await bob.get('/api/v1/me/')).status).toBe(200);
  });

  test('only admins change roles, and only those of accounts', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const mo = await person(site, 'mo', { role: 'moderator' });
    await person(site, 'bob');
    expect((await mo.open(bobsPage)).html).not.toContain('Change the role');
    const values = { contributor: '2', role: 'admin', confirmed: 'yes' };
    expect((await mo.send(rolePath, values)).status).toBe(403);
    expect((await ada.open('/moderation/people/?username=cy')).html).not.toContain('Change the role');
    for (const contributor of ['4', '99', 'x'])
      expect([contributor, (await ada.send(rolePath, { ...values, contributor })).status]).toEqual([
        contributor,
        404,
      ]);
    const wrong = await ada.send(rolePath, { ...values, role: 'owner' });
    expect([wrong.status, (await readPage(wrong)).errors]).toEqual([
      400,
      [expect.stringContaining('"owner" is not a valid choice.')],
    ]);
  });

  test('nobody takes away the last admin', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const step = { contributor: '1', role: 'contributor', confirmed: 'yes' };
    const refused = await ada.send(rolePath, step);
    expect([refused.status, (await readPage(refused)).errors]).toEqual([400, [lastAdmin]]);
    const left = await ada.delete('/api/v1/me/', { items: 'keep' });
    expect([left.status, await left.json()]).toEqual([409, { detail: lastAdmin }]);
    expect((await ada.send('/account/leave/', { items: 'keep' })).status).toBe(409);
    for (const words of [
      ['role', 'ada', 'moderator'],
      ['disable', 'ada'],
    ])
      expect(await vitrine('user', ...words, '--database', site.address)).toEqual({
        code: 2,
        out: '',
        error: `vitrine: ${lastAdmin}\n`,
      });

    await site.key('bob', { role: 'admin', disabled: true });
    expect((await ada.send(rolePath, step)).status).toBe(400);
    await person(site, 'mo', { role: 'admin' });
    expect((await ada.send(rolePath, step)).status).toBe(303);
    expect((await ada.browser.get('/admin/site/')).status).toBe(403);
  });

  test('of two admins who take each other’s role at once, one stays', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada', { role: 'admin' });
    const bob = await person(site, 'bob', { role: 'admin' });
    const responses = await Promise.all([
      ada.send(rolePath, { contributor: '2', role: 'contributor', confirmed: 'yes' }),
      bob.send(rolePath, { contributor: '1', role: 'contributor', confirmed: 'yes' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 403]);
  });
});
