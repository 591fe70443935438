// Links with which an admin lets somebody choose a new password.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { type Kind, onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { makePasskey } from '../support/passkeys.ts';
import { person, visitor } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { contributor, dump, type Site, siteOn } from '../support/site.ts';

const gallery = dump(contributor(1, 'boss'), contributor(2, 'mo'), contributor(3, 'rival'));
const password = 'long and unusual';
const new_password = 'another quiet room';
const peoplePath = '/moderation/people/';

async function openSite(kind: Kind) {
  const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
  const boss = await person(site, 'boss', { role: 'admin' });
  const mo = await person(site, 'mo', { role: 'moderator' });
  await person(site, 'rival', { role: 'admin' });
  const grace = visitor(site);
  await grace.send('/sign-up/', { username: 'grace', password });
  const createLink = async (username = 'grace') => {
    const response = await boss.submit(`${peoplePath}?username=${username}`, 'Create a link');
    const [link = ''] = (await readPage(response)).textsOf('.link-to-print code');
    return new URL(link).pathname + new URL(link).search;
  };
  return { site, boss, mo, grace, createLink };
}

const signIn = async (site: Site, username: string, password: string) =>
  (await visitor(site).send('/sign-in/', { username, password })).headers.get('Location');

afterEach(() => void setSystemTime());

onBothDatabases((kind) => {
  test('a person chooses a new password with a link, once; sessions end and the second factor stays', async () => {
    const { site, boss, grace, createLink } = await openSite(kind);
    await makePasskey(grace);
    await grace.submit('/account/second-step/', 'Turn on');
    const link = await createLink();

    const friend = visitor(site);
    expect((await friend.open(link)).text).toContain('It’s for the account grace');
    const tooSimilar = await friend.submit(link, 'Save', { new_password: 'grace12345' });
    expect((await readPage(tooSimilar)).errors).toEqual([
      'New password: Your password is too much like your username.',
    ]);
    const saved = await friend.submit(link, 'Save', { new_password });
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/sign-in/?new-password']);
    const signInPage = await friend.browser.get('/sign-in/?new-password', {
      Referer: `http://gallery.example${link}`,
    });
    const { notices, fields } = await readPage(signInPage);
    expect([notices, fields.next]).toEqual([['Your new password is saved. Sign in with it.'], '/']);

    expect((await grace.browser.get('/mine/')).status).toBe(303);
    expect(await signIn(site, 'grace', password)).toBe(null);
    expect(await signIn(site, 'grace', new_password)).toBe('/sign-in/second-step/?next=%2F');
    expect((await friend.browser.get(link)).status).toBe(404);
    const again = await friend.send('/new-password/', { ...codeOf(link), new_password: password });
    expect(again.status).toBe(400);

    const log = await boss.open('/moderation/log/');
    expect(log.text).toContain('boss made a link for a new password of grace');
    expect(site.logged.join('\n')).toContain('"event":"account password_link"');
    expect(site.logged.join('\n')).not.toContain(codeOf(link).code.slice(-40));
  });

  test('only admins make links, and none for an admin; the operator makes one for anybody', async () => {
    const { site, boss, mo } = await openSite(kind);
    const statusOf = async (maker: typeof mo, id: number) =>
      (await maker.send(`${peoplePath}password/`, { contributor: String(id) })).status;
    expect((await mo.open(`${peoplePath}?username=grace`)).html).not.toContain('Create a link');
    expect([await statusOf(mo, 4), await statusOf(mo, 2), await statusOf(visitor(site), 4)]).toEqual([
      403, 403, 303,
    ]);
    expect([await statusOf(boss, 1), await statusOf(boss, 3), await statusOf(boss, 9)]).toEqual([
      403, 403, 404,
    ]);
    const withKey = await site.request(`${peoplePath}password/`, {
      method: 'POST',
      headers: { ...(await boss.key()), Origin: 'http://gallery.example' },
      body: new URLSearchParams({ contributor: '4' }),
    });
    expect([withKey.status, await withKey.text()]).toEqual([
      403,
      expect.stringContaining('A key cannot do this: sign in.'),
    ]);

    const { out } = await vitrine('user', 'password-link', 'rival', '--database', site.address);
    expect((await visitor(site).open(out.trim())).text).toContain('It’s for the account rival');
  });

  test('nobody holds up the writes of others with twenty requests about their own account', async () => {
    const { boss, mo } = await openSite(kind);
    const statusesOf = async (send: () => Promise<Response>) => {
      const responses = await Promise.all(Array.from({ length: 20 }, send));
      return new Set(responses.map(({ status }) => status));
    };
    const onlyForbidden = new Set([403]);
    expect(await statusesOf(() => boss.send(`${peoplePath}password/`, { contributor: '1' }))).toEqual(
      onlyForbidden,
    );
    expect(await statusesOf(() => mo.send(peoplePath, { contributor: '2', state: 'disabled' }))).toEqual(
      onlyForbidden,
    );
  });

  test('a link ends after a day, with the role of either person, and while the account is disabled', async () => {
    const { site, boss, createLink } = await openSite(kind);
    const link = await createLink();
    const link2 = await createLink('mo');
    const statusOf = async (path: string) => (await visitor(site).browser.get(path)).status;
    const change = (...args: string[]) => vitrine('user', ...args, '--database', site.address);

    await boss.send(peoplePath, { contributor: '4', state: 'disabled' });
    expect(await statusOf(link)).toBe(404);
    await boss.send(peoplePath, { contributor: '4', state: 'open' });
    expect(await statusOf(link)).toBe(200);
    await change('role', 'grace', 'moderator');
    expect([await statusOf(link), await statusOf(link2)]).toEqual([404, 200]);
    await change('role', 'grace', 'contributor');
    await change('role', 'boss', 'moderator');
    expect([await statusOf(link), await statusOf(link2)]).toEqual([404, 404]);
    await change('role', 'boss', 'admin');
    expect([await statusOf(link), await statusOf(link2)]).toEqual([200, 200]);

    setSystemTime(Date.now() + 25 * 60 * 60 * 1000);
    expect(await statusOf(link2)).toBe(404);
  });
});

const codeOf = (link: string) => ({ code: new URLSearchParams(link.split('?')[1]).get('code') ?? '' });
