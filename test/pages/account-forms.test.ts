// The forms for one's own account, its keys and the theme of the pages.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, contributor(2, 'zoe'));
const password = 'long and unusual';
const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];

onOneDatabase((kind) => {
  test('a new key is shown once, and works until it is revoked', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
    const zoe = visitor(site);
    await zoe.submit('/sign-up/', 'Sign up', { Username: 'newcomer', Password: password });

    const values = { Name: 'script', Access: 'read', Expires: '30', Password: password };
    const refused = await zoe.submit('/account/keys/', 'Create key', { ...values, Password: 'wrong' });
    const refusedPage = await readPage(refused);
    expect(refusedPage.errors).toEqual(['Password: This is not your password.']);
    expect(refusedPage.html).not.toContain('value="wrong"');

    const response = await zoe.submit('/account/keys/', 'Create key', values);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const [key = ''] = (await readPage(response)).textsOf('pre.secret');
    const authorization = { Authorization: `Token ${key}` };
    const me = await site.json('/api/v1/me/', authorization);
    expect(me).toMatchObject({ username: 'newcomer', may_write: false });

    const page = await zoe.open('/account/keys/');
    expect(page.html).not.toContain(key);

    const revoke = page.attributesOf('form', 'action').find((action) => action.endsWith('/revoke/'));
    expect(redirectOf(await zoe.send(String(revoke)))).toEqual([303, '/account/keys/']);
    expect((await site.get('/api/v1/me/', authorization)).status).toBe(401);
  });

  test('the pages of an account lead to each other, and say which one is open', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const links = (await zoe.open('/account/keys/')).attributesOf('.sections a', 'href');
    expect(links).toContain('/account/profile/');
    // Without mails there are no addresses, and the account itself has the same links with explanations.
    expect(links).not.toContain('/account/email/');

    for (const href of links.filter((link) => link !== '/account/')) {
      const page = await zoe.open(href);
      expect([href, page.attributesOf('.sections a', 'href')]).toEqual([href, links]);
      expect(page.attributesOf('.sections [aria-current=page]', 'href')).toEqual([href]);
    }
  });

  test('who has no password makes keys soon after signing in, and not later', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const make = () => zoe.submit('/account/keys/', 'Create key', { Name: 'script' });

    expect((await readPage(await make())).text).toContain('vtr_');
    await site.database.transaction((transaction) =>
      transaction.run(sql`update session set created = created - 660000000`),
    );
    const refused = await make();
    expect([refused.status, (await readPage(refused)).text]).toEqual([
      403,
      expect.stringContaining('Sign out and in again, and do this within ten minutes.'),
    ]);
  });

  test('an expired key is shown as expired', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const key = await site.key('ada', { expired: true });

    expect((await site.get('/api/v1/me/', key)).status).toBe(401);
    expect((await ada.open('/account/keys/')).text).toContain('· expired');
  });

  test('a person changes their name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    const response = await ada.submit('/account/', 'Save', { 'First name': 'Go', 'Last name': 'Er' });
    expect(redirectOf(response)).toEqual([303, '/account/?saved']);
    const { notices, fields } = await ada.open('/account/?saved');
    expect(notices).toEqual(['Saved.']);
    expect(fields).toMatchObject({ first_name: 'Go', last_name: 'Er' });
  });

  test('a person deletes their account with their password', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
    const newcomer = visitor(site);
    const account = { Username: 'newcomer', Password: password, 'First name (optional)': 'Gó' };
    await newcomer.submit('/sign-up/', 'Sign up', account);
    expect((await newcomer.open('/account/')).fields).toMatchObject({ first_name: 'Gó' });

    const wrong = await newcomer.send('/account/leave/', { items: 'keep', password: 'wrong' });
    expect((await readPage(wrong)).errors).toEqual(['Password: This is not your password.']);

    const deleted = await newcomer.send('/account/leave/', { items: 'keep', password });
    expect(redirectOf(deleted)).toEqual([303, '/']);
    expect((await newcomer.browser.get('/account/')).status).toBe(303);
  });

  test('choosing a theme redirects to the page before, if it is of this site', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const chooseTheme = async (Referer: string) => {
      const response = await ada.send('/theme/', { theme: 'dark' }, { Referer });
      return response.headers.get('Location');
    };

    expect(await chooseTheme('http://gallery.example/tags/?page=1')).toBe('/tags/?page=1');
    expect(await chooseTheme('http://elsewhere.example/tags/')).toBe('/');
  });
});
