// Passkeys: adding, removing and signing in with them, and everything that must not work.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { Authenticator } from '../support/authenticator.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { makePasskey, optionsOf, usePasskey } from '../support/passkeys.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, exportAll, type Site, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, contributor(2, 'zoe'));
const path = '/account/passkeys/';
const problem =
  'This passkey doesn’t work here. It may have been removed, or you waited too long. Please try again.';

const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];
const isSignedIn = async (response: Response) => response.status === 303;

async function errorsOf(response: Response): Promise<unknown> {
  const { errors } = await readPage(response);
  return [response.status, errors, response.headers.getSetCookie()];
}

/** All sessions began an hour ago. */
async function ageSessions({ database }: Site): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`update session set created = created - 3600000000`),
  );
}

onBothDatabases((kind) => {
  test('a person makes a passkey and signs in with it, without a password', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const device = await makePasskey(ada, ' my phone ');
    expect((await ada.open(path)).textsOf('.rows li')).toEqual([
      expect.stringMatching(/^my phone created .* · never used Remove my phone$/),
    ]);

    const newBrowser = visitor(site);
    expect(redirectOf(await usePasskey(newBrowser, device))).toEqual([303, '/mine/']);
    expect((await newBrowser.open('/account/')).text).toContain('Your username is ada');
    expect((await newBrowser.open(path)).textsOf('.rows li')).toEqual([
      expect.stringMatching(/^my phone created .* · last used .* Remove my phone$/),
    ]);
  });

  test('a challenge counts once, in the browser that asked for it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const device = await makePasskey(await person(site, 'ada'));
    const newBrowser = visitor(site);
    const options = await optionsOf<Parameters<Authenticator['get']>[0]>(newBrowser, '/sign-in/passkey/');
    const { Cookie = '' } = newBrowser.browser.headers;
    const credential = device.get(options);
    const fromElsewhere = await visitor(site).send('/sign-in/passkey/', { credential });
    expect(await errorsOf(fromElsewhere)).toEqual([400, [problem], []]);

    expect(await isSignedIn(await newBrowser.send('/sign-in/passkey/', { credential }))).toBe(true);
    const replayed = await visitor(site).send('/sign-in/passkey/', { credential }, { Cookie });
    expect(await errorsOf(replayed)).toEqual([400, [problem], []]);
  });

  test('a challenge for one purpose does not count for another, and a forged one never', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const device = await makePasskey(ada);
    const options = await optionsOf<Parameters<Authenticator['get']>[0]>(visitor(site), '/sign-in/passkey/');
    const cookies = ['', `vitrine_passkey=${options.challenge}.99999999999999999.${options.challenge}`];
    const creation = await ada.browser.send(`${path}options/`, { name: 'x' });
    cookies.push(creation.headers.getSetCookie()[0]?.split(';')[0] ?? '');
    const { challenge } = (await creation.json()) as { challenge: string };

    for (const Cookie of cookies)
      for (const credential of [device.get(options), device.get({ ...options, challenge })]) {
        const response = await visitor(site).send('/sign-in/passkey/', { credential }, { Cookie });
        expect([Cookie, ...((await errorsOf(response)) as unknown[])]).toEqual([Cookie, 400, [problem], []]);
      }
  });

  test('a signature for another site, without verification or of another key does not sign in', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const device = await makePasskey(await person(site, 'ada'));
    const deviations = [
      { origin: 'http://elsewhere.example' },
      { origin: 'https://gallery.example' },
      { origin: 'http://gallery.example:8080' },
      { host: 'elsewhere.example' },
      { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      { isVerified: false },
      { isForged: true },
      { userHandle: Buffer.from('2').toString('base64url') },
    ];
    for (const deviation of deviations) {
      const response = await usePasskey(visitor(site), device, deviation);
      expect([deviation, await errorsOf(response)]).toEqual([deviation, [400, [problem], []]]);
    }
    expect(await isSignedIn(await usePasskey(visitor(site), device))).toBe(true);
  });

  test('a passkey works only on the host where it was made', async () => {
    const site = await siteOn(kind, {
      dump: gallery,
      environment: { VITRINE_ALLOWED_HOSTS: 'gallery.example,other.example' },
    });
    const device = await makePasskey(await person(site, 'ada'));
    const headers = { Host: 'other.example', Origin: 'http://other.example' };
    const newBrowser = visitor(site);
    const asked = await newBrowser.send('/sign-in/passkey/options/', {}, headers);
    const options = (await asked.json()) as Parameters<Authenticator['get']>[0];
    expect(options.rpId).toBe('other.example');

    const credential = device.get(options, { origin: 'http://other.example' });
    const response = await newBrowser.send('/sign-in/passkey/', { credential }, headers);
    expect(await errorsOf(response)).toEqual([400, [problem], []]);
  });

  test('behind a proxy with https the origin is https, and the cookie is for this host only', async () => {
    const site = await siteOn(kind, {
      dump: gallery,
      peer: '10.0.0.1',
      environment: { VITRINE_TRUSTED_PROXIES: '10.0.0.1' },
    });
    const device = await makePasskey(await person(site, 'ada'));
    const origin = 'https://gallery.example';
    const headers = { Origin: origin, 'X-Forwarded-Proto': 'https' };
    const newBrowser = visitor(site);
    const asked = await newBrowser.send('/sign-in/passkey/options/', {}, headers);
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-vitrine_passkey=[\w.-]+; Path=\/; Max-Age=300; SameSite=Strict; HttpOnly; Secure$/,
      ),
    ]);

    const options = (await asked.json()) as Parameters<Authenticator['get']>[0];
    const credential = device.get(options, { origin });
    const response = await newBrowser.send('/sign-in/passkey/', { credential }, headers);
    expect(await isSignedIn(response)).toBe(true);
  });

  test('the counter of a copied passkey is refused', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const device = await makePasskey(await person(site, 'ada'));
    device.counter = 5;
    expect(await isSignedIn(await usePasskey(visitor(site), device))).toBe(true);

    for (const counter of [5, 4, 0]) {
      device.counter = counter;
      const response = await usePasskey(visitor(site), device);
      expect([counter, await errorsOf(response)]).toEqual([counter, [400, [problem], []]]);
    }
    device.counter = 6;
    expect(await isSignedIn(await usePasskey(visitor(site), device))).toBe(true);
  });

  test('a removed passkey, an unknown one and that of a disabled account do not sign in', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const device = await makePasskey(ada);
    expect(await errorsOf(await usePasskey(visitor(site), new Authenticator()))).toEqual([
      400,
      [problem],
      [],
    ]);

    await site.key('ada', { disabled: true });
    expect(await errorsOf(await usePasskey(visitor(site), device))).toEqual([400, [problem], []]);

    const again = await person(site, 'ada', { role: 'contributor' });
    expect(redirectOf(await again.submit(`${path}1/remove/`, 'Remove passkey'))).toEqual([303, path]);
    expect((await again.open(path)).text).toContain('You have no passkeys.');
    expect(await errorsOf(await usePasskey(visitor(site), device))).toEqual([400, [problem], []]);
  });

  test('a person adds passkeys of their own browser and site only, and at most ten', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const deviations = [
      { origin: 'http://elsewhere.example' },
      { host: 'elsewhere.example' },
      { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      { isVerified: false },
    ];
    for (const deviation of deviations) {
      const options = await optionsOf<Parameters<Authenticator['create']>[0]>(ada, path, { name: 'x' });
      const credential = new Authenticator().create(options, deviation);
      const response = await ada.browser.send(path, { name: 'x', credential });
      expect([deviation, await errorsOf(response)]).toEqual([deviation, [400, [problem], []]]);
    }
    const first = await makePasskey(ada, 'passkey 1');
    const options = await optionsOf<Parameters<Authenticator['create']>[0]>(ada, path, { name: 'x' });
    const again = await ada.browser.send(path, { name: 'x', credential: first.create(options) });
    expect(await errorsOf(again)).toEqual([400, ['This passkey is already in use.'], []]);

    const zoe = await person(site, 'zoe');
    const adasOptions = await optionsOf<Parameters<Authenticator['create']>[0]>(ada, path, { name: 'x' });
    const { Cookie = '' } = ada.browser.headers;
    const ticket = /vitrine_passkey=[^;]+/.exec(Cookie)?.[0];
    const zoesCookie = `${zoe.browser.headers.Cookie}; ${ticket}`;
    const credential = new Authenticator().create(adasOptions);
    const stolen = await zoe.browser.send(path, { name: 'x', credential }, { Cookie: zoesCookie });
    expect(await errorsOf(stolen)).toEqual([400, [problem], []]);

    for (let number = 2; number <= 10; number++) await makePasskey(ada, `passkey ${number}`);
    const refused = await ada.browser.send(`${path}options/`, { name: 'passkey 11' });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { detail: 'There are 10 passkeys already: remove one first.' },
    ]);
    expect((await ada.open(path)).textsOf('.rows b')).toHaveLength(10);
  });

  test('an old session needs the password to add and to remove, and a key can do neither', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
    const grace = visitor(site);
    const password = 'long and unusual';
    await grace.send('/sign-up/', { username: 'grace', password });
    await makePasskey(grace);
    await ageSessions(site);
    const ask = (values: Readonly<Record<string, string>>) =>
      grace.browser.send(`${path}options/`, { name: 'x', ...values });
    const answers = [await ask({}), await ask({ password: 'wrong' }), await ask({ password })];
    expect(await Promise.all(answers.map((response) => response.json()))).toEqual([
      { detail: 'Please fill this in.' },
      { detail: 'This is not your password.' },
      expect.objectContaining({ attestation: 'none' }),
    ]);

    const removal = `${path}1/remove/`;
    const refused = await grace.submit(removal, 'Remove passkey', { Password: 'wrong' });
    expect((await readPage(refused)).errors).toEqual(['Password: This is not your password.']);
    expect(redirectOf(await grace.submit(removal, 'Remove passkey', { Password: password }))).toEqual([
      303,
      path,
    ]);

    const ada = await person(site, 'ada');
    await makePasskey(ada);
    await ageSessions(site);
    const withoutPassword = await ada.browser.send(`${path}2/remove/`);
    expect([withoutPassword.status, (await readPage(withoutPassword)).text]).toEqual([
      403,
      expect.stringContaining('Sign out and in again, and do this within ten minutes.'),
    ]);
    const withKey = await ada.request('POST', `${path}2/remove/`, {});
    expect([withKey.status, (await readPage(withKey)).text]).toEqual([
      403,
      expect.stringContaining('A key cannot do this: sign in.'),
    ]);
  });

  test('another person neither sees nor removes a passkey', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const device = await makePasskey(await person(site, 'ada'));
    const zoe = await person(site, 'zoe');
    expect((await zoe.open(path)).text).toContain('You have no passkeys.');
    expect((await zoe.browser.get(`${path}1/remove/`)).status).toBe(404);
    expect((await zoe.browser.send(`${path}1/remove/`)).status).toBe(404);
    expect(await isSignedIn(await usePasskey(visitor(site), device))).toBe(true);
  });

  test('too many failures from one address are refused, even with the right passkey', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_IN_LIMIT: '3' } });
    const device = await makePasskey(await person(site, 'ada'));
    const statuses = [];
    for (let attempt = 0; attempt < 4; attempt++)
      statuses.push((await usePasskey(visitor(site), device, { isForged: true })).status);
    expect([...statuses, (await usePasskey(visitor(site), device)).status]).toEqual([
      400, 400, 400, 429, 429,
    ]);
  });

  test('passkeys leave with the account, and move with a dump', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const device = await makePasskey(ada);
    device.counter = 7;
    await usePasskey(visitor(site), device);
    const exported = await exportAll(site);
    expect(exported).toContain(
      '{"type":"passkey","id":1,"contributor":1,"name":"my phone","host":"gallery.example"',
    );

    const moved = await siteOn(kind, { dump: exported });
    expect(await exportAll(moved)).toBe(exported);
    device.counter = 7;
    expect(await errorsOf(await usePasskey(visitor(moved), device))).toEqual([400, [problem], []]);
    device.counter = 8;
    expect(await isSignedIn(await usePasskey(visitor(moved), device))).toBe(true);

    expect(redirectOf(await ada.send('/account/leave/', { items: 'keep' }))).toEqual([303, '/']);
    expect(await exportAll(site)).not.toContain('"type":"passkey"');
    expect(await errorsOf(await usePasskey(visitor(site), device))).toEqual([400, [problem], []]);
  });

  test('the log says who made, used and removed a passkey, and who failed', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_IN_LIMIT: '1' } });
    const ada = await person(site, 'ada');
    const device = await makePasskey(ada);
    await usePasskey(visitor(site), device);
    await usePasskey(visitor(site), device, { isForged: true });
    await usePasskey(visitor(site), device);
    await ada.submit(`${path}1/remove/`, 'Remove passkey');
    const events = site.logged.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(events).toEqual([
      { event: 'passkey created', actor: 1, contributor: 1 },
      { event: 'signed in', actor: 1, contributor: 1 },
      { event: 'passkey wrong', actor: null, contributor: 1 },
      { event: 'passkey refused', actor: null, contributor: 1 },
      { event: 'passkey removed', actor: 1, contributor: 1 },
    ]);
  });
});
