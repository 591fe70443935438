// The page for moderators about accounts: looked up, disabled, enabled and invited.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
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

  test('an invitation is a link to a sign-up form that contains it, once', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: invitation });
    const mo = await person(site, 'mo', { role: 'moderator' });

    const page = await readPage(await mo.send('/moderation/people/invitation/'));
    const address = /http:\/\/gallery\.example\/sign-up\/\?invitation=[\w-]+/.exec(page.text)?.[0];
    const { pathname, search, searchParams } = new URL(String(address));
    const form = await visitor(site).open(pathname + search);
    expect(form.text).toContain('You’re invited to Vitrine');
    expect(form.document.querySelector('input[name=invitation]')?.attributes).toEqual({
      type: 'hidden',
      name: 'invitation',
      value: searchParams.get('invitation') ?? 'no invitation',
    });

    const names = { username: 'ida', password: 'a quiet reading room' };
    const mistake = await visitor(site).submit(pathname + search, 'Sign up', { ...names, password: 'short' });
    expect((await readPage(mistake)).fields.invitation).toBe(searchParams.get('invitation') ?? '');
    const signedUp = await visitor(site).submit(pathname + search, 'Sign up', names);
    expect(signedUp.status).toBe(303);
    expect((await visitor(site).open(pathname + search)).errors).toEqual([
      'Invitation: This invitation is not valid: it was used, or it is too old.',
    ]);
  });

  test('there are no invitations where sign-up does not need one', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const mo = await person(site, 'mo', { role: 'moderator' });

    expect((await mo.send('/moderation/people/invitation/')).status).toBe(404);
    expect((await mo.open('/moderation/people/')).html).not.toContain('invitation');
  });
});
