// Where a person is signed in: the list, its ends, and the end after a week without use.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { sweepAccounts } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, type Site, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const gallery = dump(adasLine, contributor(2, 'zoe'));
const password = 'long and unusual';
const agents = {
  'Firefox on Windows': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Safari on iOS':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
  '': 'curl/8.0',
};
const day = 24 * 60 * 60 * 1_000_000;

onBothDatabases((kind) => {
  const open = () => siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });

  /** Signs in with the user agent of each browser, and returns the headers of each session. */
  async function signInEverywhere(site: Site) {
    await visitor(site).post('/api/v1/auth/sign-up/', { username: 'grace', password });
    const sessions: Record<string, string>[] = [];
    for (const agent of Object.values(agents)) {
      const account = { username: 'grace', password };
      const response = await visitor(site).post('/api/v1/auth/session/', account, { 'User-Agent': agent });
      const { csrf_token } = (await response.json()) as { csrf_token: string };
      const [cookie = ''] = response.headers.getSetCookie();
      sessions.push({ Cookie: cookie.split(';', 1)[0] ?? '', 'X-CSRFToken': csrf_token });
    }
    return sessions as [Record<string, string>, Record<string, string>, Record<string, string>];
  }

  const list = (site: Site, session: Record<string, string>) =>
    site.json('/api/v1/auth/sessions/', session) as Promise<{ id: string; browser: string; used: string }[]>;

  test('a person lists their sessions, ends one, and ends all others', async () => {
    const site = await open();
    const [first, second, third] = await signInEverywhere(site);
    const zoe = await person(site, 'zoe');
    const remove = (path: string, headers: Record<string, string>) =>
      site.request(`/api/v1/auth/sessions/${path}`, { method: 'DELETE', headers });

    const sessions = await list(site, first);
    const shown = { id: expect.stringMatching(/^[0-9a-f]{16}$/), created: expect.any(String) };
    const times = { used: expect.any(String), expires: expect.any(String) };
    expect(sessions).toEqual([
      { ...shown, ...times, browser: '', current: false },
      { ...shown, ...times, browser: 'Safari on iOS', current: false },
      { ...shown, ...times, browser: 'Firefox on Windows', current: true },
    ] as unknown as typeof sessions);
    const secondPath = `${sessions[1]?.id}/`;

    expect((await zoe.delete(`/api/v1/auth/sessions/${secondPath}`)).status).toBe(404);
    expect((await remove(secondPath, first)).status).toBe(204);
    expect((await remove(secondPath, first)).status).toBe(404);
    expect((await site.get('/api/v1/auth/sessions/', second)).status).toBe(401);

    expect((await remove('', first)).status).toBe(204);
    expect((await site.get('/api/v1/auth/sessions/', third)).status).toBe(401);
    expect(await list(site, first)).toHaveLength(1);
    expect(await list(site, zoe.browser.headers)).toHaveLength(1);
  });

  test('the account page shows the sessions, with buttons to end them', async () => {
    const site = await open();
    const [ada, other] = [await person(site, 'ada'), await person(site, 'ada')];
    const page = await ada.open('/account/');
    expect(page.text).toContain('(this browser)');
    const end = page.attributesOf('form', 'action').find((action) => action.endsWith('/end/'));
    expect((await ada.send(String(end))).headers.get('Location')).toBe('/account/');
    expect((await other.browser.get('/account/')).status).toBe(303);

    const third = await person(site, 'ada');
    expect((await ada.submit('/account/', 'Sign out everywhere else')).status).toBe(303);
    expect((await third.browser.get('/account/')).status).toBe(303);
    expect((await ada.open('/account/')).text).not.toContain('Sign out everywhere else');
  });

  test('a session ends after a week without use, and the last use is stored once an hour', async () => {
    const site = await open();
    const [first, second] = await signInEverywhere(site);
    const setLastUse = (ago: number) =>
      site.database.transaction((transaction) =>
        transaction.run(sql`update session set last_used = created - ${ago}`),
      );
    await setLastUse(6 * day);
    const readLastUse = async () => {
      await site.database.transaction(async () => {});
      const sessions = await list(site, second);
      return sessions.find(({ browser }) => browser.startsWith('Firefox'))?.used ?? '';
    };
    const before = await readLastUse();
    const start = Date.now();
    await site.get('/api/v1/', first);
    await waitFor(async () => (await readLastUse()) !== before);
    const after = await readLastUse();
    expect(Date.parse(after)).toBeWithin(start, Date.now() + 1);
    await site.get('/api/v1/', first);
    expect(await readLastUse()).toBe(after);

    await setLastUse(7 * day);
    expect((await site.get('/api/v1/auth/sessions/', first)).status).toBe(401);
    await sweepAccounts(site.database);
    await setLastUse(0);
    expect((await site.get('/api/v1/auth/sessions/', second)).status).toBe(401);
  });
});
