// The page for moderators about accounts: looked up, disabled and enabled.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const invitation = { VITRINE_SIGN_UP: 'invitation' };
const gallery = dump(
  adasLine,
  contributor(3, 'mo'),
  project(1, { title: 'A lamp', status: 2 }),
  project(2, { title: 'A boat', text: 'It floats.' }),
  project(3, { title: 'A word', content_type: 'comment', parent: 2, text: 'Boo.' }),
  project(4, { title: 'A secret', visibility: 'private' }),
);

onBothDatabases((kind) => {
  test('an account is found by its username, in any case', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    await person(site, 'ada');
    const mo = await person(site, 'mo', { role: 'moderator' });

    const adas = await mo.open('/moderation/people/?username=ADA');
    expect(adas.text).toContain('Role contributor');
    expect(adas.text).toContain('Projects 3 Comments 1 Removed 0 Reports made 0');

    const missing = await mo.open('/moderation/people/?username=nobody');
    expect(missing.text).toContain('Nobody has that username.');
  });

  test('the counts of a person lead moderators and the owner to lists with private and removed work', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const mo = await person(site, 'mo', { role: 'moderator' });
    await mo.submit(pathOf(2), 'Remove it', { Reason: 'It leaks.' });
    const list = '/moderation/people/?username=ada&show=';
    const rowsOf = async (show: string) => (await mo.open(list + show)).textsOf('.rows li');

    const facts = (await mo.open('/moderation/people/?username=ada')).document.querySelectorAll('.facts a');
    expect(facts.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['3', `${list}projects`],
      ['1', `${list}comments`],
      ['1', `${list}removed`],
    ]);
    const day = /^(.*) · .*? 20\d\d( .*)?$/;
    const withoutDays = async (show: string) => (await rowsOf(show)).map((row) => row.replace(day, '$1$2'));
    expect(await withoutDays('projects')).toEqual([
      'A secret Story · private',
      'A boat Story · removed It leaks.',
      'A lamp Story · out of the lists',
    ]);
    expect(await withoutDays('comments')).toEqual(['A word Comment']);
    expect(await withoutDays('removed')).toEqual(['A boat Story · removed It leaks.']);
    expect((await mo.browser.get(`${list}everything`)).status).toBe(404);
    expect((await ada.browser.get(`${list}projects`)).status).toBe(403);

    const linkFor = async (one: typeof ada) =>
      (await one.open('/contributors/1-ada/')).document.querySelector('.facts a')?.getAttribute('href');
    expect([await linkFor(mo), await linkFor(ada)]).toEqual([`${list}projects`, '/mine/']);
    expect((await visitor(site).open('/contributors/1-ada/')).document.querySelector('.facts a')).toBeNull();
  });

  test('accounts are listed, the newest first or by username, and found by a part of a name', async () => {
    const people = dump(
      adasLine,
      contributor(2, 'zalvaro_1', {
        first_name: 'Álvaro',
        last_name: 'Núñez',
        created: '2024-01-01T00:00:00Z',
      }),
      contributor(3, 'mo'),
      contributor(4, 'nobody'),
    );
    const site = await siteOn(kind, { dump: people });
    await person(site, 'ada');
    await person(site, 'zalvaro_1');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const namesAt = async (query: string) =>
      (await mo.open(`/moderation/people/${query}`)).textsOf('.rows a');

    expect(await namesAt('')).toEqual(['mo', 'Álvaro Núñez', 'Ada Lovelace']);
    expect(await namesAt('?ordering=username')).toEqual(['Ada Lovelace', 'mo', 'Álvaro Núñez']);
    expect(await namesAt('?search=LOVE')).toEqual(['Ada Lovelace']);
    expect(await namesAt('?search=álvaro+nú')).toEqual(['Álvaro Núñez']);
    expect(await namesAt('?search=_')).toEqual(['Álvaro Núñez']);
    expect(await namesAt('?search=nobody')).toEqual([]);
  });

  test('an account is disabled and enabled, and its projects stay as they are', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const ada = await person(site, 'ada');
    const mo = await person(site, 'mo', { role: 'moderator' });

    const disabling = { contributor: '1', state: 'disabled', reason: 'Why not.' };
    const disabled = await mo.send('/moderation/people/', disabling);
    expect(disabled.status).toBe(303);
    expect((await ada.browser.get('/account/')).status).toBe(303);
    expect((await visitor(site).get(pathOf(2))).status).toBe(200);
    const disabledAccount = await mo.open(disabled.headers.get('Location') ?? '');
    expect(disabledAccount.text).toMatch(
      /disabled since .*Enable the account.*mo disabled the account of ada Why not\./,
    );

    await mo.send('/moderation/people/', { contributor: '1', state: 'open' });
    const enabledAccount = await mo.open('/moderation/people/?username=ada');
    expect(enabledAccount.text).toMatch(/active .*mo enabled the account of ada/);
  });

  test('moderators cannot disable their own accounts', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });

    expect((await mo.open('/moderation/people/?username=mo')).html).not.toContain('Disable the account');
    const response = await mo.send('/moderation/people/', { contributor: '3', state: 'disabled' });
    expect(response.status).toBe(403);
  });
});
