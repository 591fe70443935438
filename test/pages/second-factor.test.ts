// The second factor: turning it on, what a password can still do, recovery codes, and the operator's help.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import type { Authenticator } from '../support/authenticator.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { makePasskey, optionsOf, usePasskey } from '../support/passkeys.ts';
import { type Person, visitor } from '../support/person.ts';
import { vitrine, writtenTo } from '../support/server.ts';
import { ada as adasLine, contentOf, dump, exportAll, type Site, siteOn } from '../support/site.ts';

const password = 'long and unusual';
const path = '/account/second-step/';
const signInPath = '/sign-in/second-step/';
const secondFactor = `${signInPath}?next=%2Fmine%2F`;

const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];
const openSite = (kind: 'SQLite' | 'PostgreSQL', environment: Record<string, string> = {}) =>
  siteOn(kind, { dump: dump(adasLine), environment: { VITRINE_SIGN_UP: 'open', ...environment } });

async function signUp(site: Site, username: string): Promise<Person> {
  const newcomer = visitor(site);
  const response = await newcomer.send('/sign-up/', { username, password });
  expect(response.status).toBe(303);
  return newcomer;
}

interface SecuredPerson {
  readonly grace: Person;
  readonly device: Authenticator;
  readonly codes: string[];
}

/** Grace signs up, makes a passkey and turns the second factor on. */
async function secureGrace(site: Site): Promise<SecuredPerson> {
  const grace = await signUp(site, 'grace');
  const device = await makePasskey(grace);
  const codes = codesIn(await grace.submit(path, 'Turn on'));
  return { grace, device, codes: await codes };
}

async function codesIn(response: Response): Promise<string[]> {
  const page = await readPage(response);
  return page.document.querySelector('.secret')?.text.split('\n') ?? [];
}

/** A new browser in which the password was right. */
async function typePassword(site: Site, username = 'grace'): Promise<Person> {
  const newBrowser = visitor(site);
  const response = await newBrowser.send('/sign-in/', { username, password, next: '/mine/' });
  expect(redirectOf(response)).toEqual([303, secondFactor]);
  return newBrowser;
}

const isSignedIn = async ({ browser }: Person) => (await browser.get('/mine/')).status === 200;

onBothDatabases((kind) => {
  test('a person turns it on, which ends other sessions, and is then asked for a passkey', async () => {
    const site = await openSite(kind);
    const grace = await signUp(site, 'grace');
    expect((await grace.open(path)).text).toContain('It’s off. To turn it on, create a passkey first');
    const withoutPasskey = await grace.browser.send(path);
    expect((await readPage(withoutPasskey)).errors).toEqual(['Create a passkey first.']);

    const device = await makePasskey(grace);
    const elsewhere = visitor(site);
    await elsewhere.send('/sign-in/', { username: 'grace', password });
    expect(await isSignedIn(elsewhere)).toBe(true);

    const codes = await codesIn(await grace.submit(path, 'Turn on'));
    expect(codes).toHaveLength(10);
    expect(
      new Set(codes.filter((code) => /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/.test(code))).size,
    ).toBe(10);
    expect((await grace.open(path)).text).toMatch(
      /It has been on since .* You have 10 recovery codes left\./,
    );
    expect([await isSignedIn(grace), await isSignedIn(elsewhere)]).toEqual([true, false]);

    const newBrowser = await typePassword(site);
    expect(await isSignedIn(newBrowser)).toBe(false);
    expect((await newBrowser.open(secondFactor)).heading).toBe('Two-step sign-in');
    const response = await usePasskey(newBrowser, device, { path: `${signInPath}passkey/` });
    expect(redirectOf(response)).toEqual([303, '/mine/']);
    expect(await isSignedIn(newBrowser)).toBe(true);
  });

  test('a passkey alone signs in too: it is two factors in one', async () => {
    const site = await openSite(kind);
    const { device } = await secureGrace(site);
    const newBrowser = visitor(site);
    await usePasskey(newBrowser, device);
    expect(await isSignedIn(newBrowser)).toBe(true);
  });

  test('the API does not accept the password alone', async () => {
    const site = await openSite(kind);
    await secureGrace(site);
    const detail =
      'This account needs a second factor: sign in at /sign-in/ in a browser. For a program, make a key at /account/keys/.';
    for (const resource of ['token', 'session']) {
      const url = `/api/v1/auth/${resource}/`;
      const response = await visitor(site).post(url, { username: 'grace', password });
      expect([response.status, await response.json(), response.headers.getSetCookie()]).toEqual([
        403,
        { detail },
        [],
      ]);
      const wrong = await visitor(site).post(url, { username: 'grace', password: 'wrong' });
      expect([wrong.status, await wrong.json()]).toEqual([
        400,
        { non_field_errors: ['Unable to log in with provided credentials.'] },
      ]);
    }
  });

  test('without the right password nobody is asked for a second factor', async () => {
    const site = await openSite(kind);
    const { device, codes } = await secureGrace(site);
    const stranger = visitor(site);
    const tickets = ['', '2.99999999999999999.AAAA', '2', 'x.y.z', `2.${Date.now()}000000.`];
    for (const ticket of tickets) {
      const headers = { Cookie: `vitrine_sign_in=${ticket}` };
      const page = await stranger.browser.get(secondFactor, headers);
      expect([ticket, ...redirectOf(page)]).toEqual([ticket, 303, '/sign-in/?next=%2Fmine%2F']);
      const sent = await stranger.browser.send(signInPath, { code: codes[0] ?? '' }, headers);
      expect([ticket, ...redirectOf(sent)]).toEqual([ticket, 303, '/sign-in/?next=%2F']);
      const options = await stranger.browser.send(`${signInPath}passkey/options/`, {}, headers);
      expect(options.status).toBe(400);
    }
    const newBrowser = await typePassword(site);
    const asked = await optionsOf<Parameters<Authenticator['get']>[0]>(newBrowser, `${signInPath}passkey/`);
    const credential = device.get(asked);
    expect((await stranger.send('/sign-in/passkey/', { credential })).status).toBe(400);
  });

  test('a new password makes a sign-in that has begun useless', async () => {
    const site = await openSite(kind);
    const { grace, codes } = await secureGrace(site);
    const newBrowser = await typePassword(site);
    const changed = await grace.send('/account/password/', {
      old_password: password,
      new_password: 'another unusual one',
    });
    expect(changed.status).toBe(303);
    const response = await newBrowser.send(signInPath, { code: codes[0] ?? '' });
    expect(redirectOf(response)).toEqual([303, '/sign-in/?next=%2F']);
  });

  test('the passkey of another person does not count, nor does that of a sign-in alone', async () => {
    const site = await openSite(kind);
    const { device } = await secureGrace(site);
    const othersDevice = await makePasskey(await signUp(site, 'mallory'));
    const newBrowser = await typePassword(site);
    const passkeyPath = `${signInPath}passkey/`;
    const others = await usePasskey(newBrowser, othersDevice, { path: passkeyPath });
    expect([others.status, await isSignedIn(newBrowser)]).toEqual([400, false]);

    const options = await optionsOf<Parameters<Authenticator['get']>[0]>(newBrowser, '/sign-in/passkey/');
    const response = await newBrowser.send(passkeyPath, { credential: device.get(options) });
    expect([response.status, await isSignedIn(newBrowser)]).toEqual([400, false]);
  });

  test('each recovery code works once, however it is typed, and new codes replace the old ones', async () => {
    const site = await openSite(kind);
    const { grace, codes } = await secureGrace(site);
    const enter = async (code = '') => {
      const newBrowser = await typePassword(site);
      const response = await newBrowser.submit(secondFactor, 'Use the code', { 'Recovery code': code });
      return (await isSignedIn(newBrowser)) ? 'signed in' : (await readPage(response)).errors;
    };
    const refused = ['Recovery code: That code is wrong, or has already been used.'];

    expect(await enter(codes[0])).toBe('signed in');
    expect(await enter(codes[0])).toEqual(refused);
    expect(await enter('0000-0000-0000-0000')).toEqual(refused);
    const typed = (codes[1] ?? '')
      .toUpperCase()
      .replaceAll('-', ' ')
      .replaceAll('0', 'O')
      .replaceAll('1', 'l');
    expect(await enter(typed)).toBe('signed in');
    expect((await grace.open(path)).text).toContain('You have 8 recovery codes left.');

    const newCodes = await codesIn(await grace.submit(path, 'Create new recovery codes'));
    expect(newCodes).toHaveLength(10);
    expect(await enter(codes[2])).toEqual(refused);
    expect(await enter(newCodes[0])).toBe('signed in');
  });

  test('of many requests with one recovery code, one signs in', async () => {
    const site = await openSite(kind);
    const { codes } = await secureGrace(site);
    const browsers = await Promise.all(Array.from({ length: 4 }, () => typePassword(site)));
    const responses = await Promise.all(
      browsers.map((newBrowser) => newBrowser.send(signInPath, { code: codes[0] ?? '' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400]);
  });

  test('codes that are guessed are limited, and right passwords do not lift the limit', async () => {
    const site = await openSite(kind, { VITRINE_SIGN_IN_LIMIT: '3' });
    const { codes } = await secureGrace(site);
    const statuses = [];
    for (const code of ['a', 'b', 'c', 'd', codes[0] ?? ''])
      statuses.push((await (await typePassword(site)).send(signInPath, { code })).status);
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
  });

  test('an old session needs the password to change it, and the only passkey stays while it is on', async () => {
    const site = await openSite(kind);
    const { grace } = await secureGrace(site);
    const removal = await grace.submit('/account/passkeys/1/remove/', 'Remove passkey');
    expect((await readPage(removal)).errors).toEqual([
      'This is your only passkey, and two-step sign-in needs one. Create another one first, or turn off two-step sign-in.',
    ]);
    await site.database.transaction((transaction) =>
      transaction.run(sql`update session set created = created - 3600000000`),
    );
    for (const button of ['Create new recovery codes', 'Turn off']) {
      const response = await grace.submit(path, button, { Password: 'wrong' });
      expect((await readPage(response)).errors).toEqual(['Password: This is not your password.']);
    }
    expect(redirectOf(await grace.submit(path, 'Turn off', { Password: password }))).toEqual([303, path]);
    const newBrowser = visitor(site);
    await newBrowser.send('/sign-in/', { username: 'grace', password });
    expect(await isSignedIn(newBrowser)).toBe(true);
  });

  test('the operator helps a person who has lost everything', async () => {
    const site = await openSite(kind);
    const { grace, device } = await secureGrace(site);
    const { out } = await vitrine('user', 'list', '--database', site.address);
    expect(out.split('\n')[0]).toContain('PASSWORD  SECOND FACTOR  KEYS');
    expect(out).toMatch(/grace .* yes {7}yes {12}0\n/);
    const { code, error } = await vitrine('user', 'reset-second-factor', 'grace', '--database', site.address);
    expect({ code, error }).toEqual({
      code: 0,
      error: `grace has no passkeys and no second factor now: the password is enough.\n${writtenTo(site.address)}`,
    });
    expect(await isSignedIn(grace)).toBe(false);
    expect((await usePasskey(visitor(site), device)).status).toBe(400);
    const newBrowser = visitor(site);
    await newBrowser.send('/sign-in/', { username: 'grace', password });
    expect(await isSignedIn(newBrowser)).toBe(true);
  });

  test('it moves with a dump, and leaves with the account', async () => {
    const site = await openSite(kind);
    const { grace, codes } = await secureGrace(site);
    const exported = await exportAll(site);
    expect(exported).toMatch(
      /\{"type":"second_factor","contributor":2,"created":".*","recovery_codes":\["[0-9a-f]{64}",/,
    );

    const moved = await siteOn(kind, { dump: exported });
    expect(await exportAll(moved)).toBe(exported);
    const newBrowser = await typePassword(moved);
    expect(redirectOf(await newBrowser.send(signInPath, { code: codes[9] ?? '' }))).toEqual([303, '/']);

    await grace.send('/account/leave/', { items: 'keep', password });
    expect(contentOf(await exportAll(site))).not.toContain('second_factor');
  });

  test('the log says who turned it on, used a code, failed and turned it off', async () => {
    const site = await openSite(kind, { VITRINE_SIGN_IN_LIMIT: '1' });
    const { grace, codes } = await secureGrace(site);
    await (await typePassword(site)).send(signInPath, { code: codes[0] ?? '' });
    await (await typePassword(site)).send(signInPath, { code: 'wrong' });
    await (await typePassword(site)).send(signInPath, { code: codes[1] ?? '' });
    await grace.submit(path, 'Create new recovery codes');
    await grace.submit(path, 'Turn off');
    const lines = site.logged.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    const events = lines.map(({ event, actor }) => [event, actor]);
    expect(events.slice(events.findIndex(([event]) => event === 'second_factor created'))).toEqual([
      ['second_factor created', 2],
      ['recovery code used', 2],
      ['signed in', 2],
      ['recovery code wrong', null],
      ['recovery code refused', null],
      ['second_factor renewed', 2],
      ['second_factor removed', 2],
    ]);
  });
});
