// A sign-in checks first and begins a session then. What changes in between holds for the new session too.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import type { Database } from '#sql';
import { onBothDatabases } from '../support/databases.ts';
import { makePasskey, usePasskey } from '../support/passkeys.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { contributor, dump, type Site, siteOn } from '../support/site.ts';

const password = 'long and unusual';

/** Runs `work` before the database begins this transaction, counted from 1. Returns whether it came to that. */
function runBefore(database: Database, count: number, work: () => Promise<void>): () => boolean {
  const begin = database.transaction;
  let left = count;
  database.transaction = async (...parameters) => {
    if (--left === 0) await work();
    return begin.apply(database, parameters) as never;
  };
  return () => {
    database.transaction = begin;
    return left <= 0;
  };
}

const isSignedIn = async ({ browser }: Person) => (await browser.get('/mine/')).status === 200;
const secondFactorPath = '/account/second-step/';

onBothDatabases((kind) => {
  const openSite = async () => {
    const site = await siteOn(kind, {
      dump: dump(contributor(1, 'mo')),
      environment: { VITRINE_SIGN_UP: 'open' },
    });
    const grace = visitor(site);
    await grace.send('/sign-up/', { username: 'grace', password });
    return { site, grace, device: await makePasskey(grace) };
  };

  /** Signs in again and again, with the change at a later moment each time. Returns how many signed in nevertheless. */
  async function countSurvivors(
    site: Site,
    signIn: (browser: Person) => Promise<Response>,
    change: () => Promise<void>,
    undo: () => Promise<void>,
    isIn = (browser: Person, _: Response) => isSignedIn(browser),
  ): Promise<number> {
    let survivors = 0;
    for (let count = 1; ; count++) {
      const browser = visitor(site);
      const hasRun = runBefore(site.database, count, change);
      const response = await signIn(browser);
      if (!hasRun()) return survivors;
      await undo();
      if (await isIn(browser, response)) survivors++;
    }
  }

  test('no session of a passkey begins while the account is disabled', async () => {
    const { site, device } = await openSite();
    const mo = await person(site, 'mo', { role: 'moderator' });
    const setState = async (state: string) => {
      const response = await mo.put('/api/v1/contributors/2/account/', { state, reason: 'x' });
      expect(response.status).toBe(200);
    };
    const signIn = (browser: Person) => usePasskey(browser, device);
    expect(
      await countSurvivors(
        site,
        signIn,
        () => setState('disabled'),
        () => setState('open'),
      ),
    ).toBe(0);
  });

  test('no session of a passkey begins after it was removed and the other sessions were ended', async () => {
    const { site, grace } = await openSite();
    await grace.send('/account/passkeys/1/remove/');
    let device = await makePasskey(grace);
    let id = 2;
    const change = async () => {
      await grace.send(`/account/passkeys/${id}/remove/`);
      await grace.send('/account/sessions/end-others/');
    };
    const undo = async () => {
      device = await makePasskey(grace);
      id++;
    };
    expect(await countSurvivors(site, (browser) => usePasskey(browser, device), change, undo)).toBe(0);
  });

  test('no session and no key of an old password begins after the password was changed', async () => {
    const { site, grace } = await openSite();
    const change = async () => {
      const values = { old_password: password, new_password: 'another and longer' };
      expect((await grace.send('/account/password/', values)).status).toBe(303);
    };
    const hash = await Bun.password.hash(password);
    // A change of the password would end what has begun.
    const undo = () =>
      site.database.transaction((transaction) => transaction.run(sql`update account set password = ${hash}`));
    const account = { username: 'grace', password };
    const signIn = (browser: Person) => browser.send('/sign-in/', account);
    expect(await countSurvivors(site, signIn, change, undo)).toBe(0);
    const createKey = (client: Person) => client.post('/api/v1/auth/token/', account);
    const isKnown = async (client: Person, response: Response) => {
      const { token } = (await response.json()) as { token?: string };
      const headers = { Authorization: `Token ${token}` };
      return (await client.get('/api/v1/auth/session/', headers)).status === 200;
    };
    expect(await countSurvivors(site, createKey, change, undo, isKnown)).toBe(0);
  });

  test('no session of the password alone begins after the second factor was turned on', async () => {
    const { site, grace } = await openSite();
    const signIn = (browser: Person) => browser.send('/sign-in/', { username: 'grace', password });
    const change = async () => expect((await grace.send(secondFactorPath)).status).toBe(200);
    const undo = async () => void (await grace.send(`${secondFactorPath}off/`));
    expect(await countSurvivors(site, signIn, change, undo)).toBe(0);
  });
});
