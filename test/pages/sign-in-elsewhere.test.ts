// Signing in at a service elsewhere, such as that of a school.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onBothDatabases, onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { clientId, newKey, TestProvider, type TokenParts } from '../support/identity-provider.ts';
import { makePasskey, usePasskey } from '../support/passkeys.ts';
import { person, visitor } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';

const gallery = dump(ada, contributor(2, 'zoe'), project(1));
const noor = { sub: 'noor-17', preferred_username: 'Noor Haddad@school.example', given_name: 'Noor' };
const password = 'long and unusual';

afterEach(() => void setSystemTime());

const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];
const textOf = async (response: Response) => (await readPage(response)).text;

async function open(kind: 'SQLite' | 'PostgreSQL', environment: Record<string, string> = {}) {
  const provider = new TestProvider();
  const site = await siteOn(kind, {
    dump: gallery,
    environment: { ...provider.environment, ...environment },
  });
  return { provider, site };
}

/** A new account, made by signing in elsewhere. */
async function addNoor({ provider, site }: { provider: TestProvider; site: Site }) {
  const browser = visitor(site);
  expect(redirectOf(await provider.signIn(browser, noor))).toEqual([303, '/sign-in/elsewhere/new/']);
  expect(redirectOf(await browser.submit('/sign-in/elsewhere/new/', 'Sign up'))).toEqual([303, '/mine/']);
  return browser;
}

onBothDatabases((kind) => {
  test('who signs in there for the first time chooses a username, and is signed in at once the next time', async () => {
    const opened = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { provider, site } = opened;
    const button = (await visitor(site).open('/sign-in/?next=/mine/')).text;
    expect(button).toContain('Sign in with Riverside School');
    const first = await addNoor(opened);
    expect((await first.open('/account/')).text).toContain('Noor.Haddad');

    const next = visitor(site);
    expect(redirectOf(await provider.signIn(next, noor, '/account/'))).toEqual([303, '/account/']);
    expect((await next.open('/account/')).text).toContain('Noor.Haddad');
    // An email address there says nothing about an account here.
    const namesake = { sub: 'zoe-1', preferred_username: 'zoe', email: 'ada@example.org' };
    expect(redirectOf(await provider.signIn(visitor(site), namesake))).toEqual([
      303,
      '/sign-in/elsewhere/new/',
    ]);
  });

  test('an owner links an account there, signs in with it, and removes it', async () => {
    const { provider, site } = await open(kind);
    const zoe = await person(site, 'zoe');
    const started = await zoe.submit('/account/linked/', 'Link your account at Riverside School');
    const address = started.headers.get('Refresh')?.replace('0; url=', '') ?? '';
    expect(await textOf(started)).toContain('Go on to Riverside School');
    const back = provider.approve(address, noor);
    // Nobody else is linked by it, signed in or not.
    const other = await person(site, 'ada');
    for (const browser of [visitor(site).browser, other.browser])
      expect((await browser.get(back)).status).toBe(400);
    expect(redirectOf(await zoe.browser.get(back))).toEqual([303, '/account/linked/']);
    expect((await zoe.browser.get(back)).status).toBe(400);

    const visit = visitor(site);
    expect(redirectOf(await provider.signIn(visit, noor))).toEqual([303, '/mine/']);
    expect((await visit.open('/account/linked/')).text).toContain('127.0.0.1');
    // It is the only way in: zoe has no password.
    expect(await textOf(await zoe.submit('/account/linked/1/remove/', 'Remove'))).toContain(
      'This is your only way to sign in.',
    );
    await makePasskey(zoe);
    expect(redirectOf(await zoe.submit('/account/linked/1/remove/', 'Remove'))).toEqual([
      303,
      '/account/linked/',
    ]);
    // The session that it began ends with it.
    expect((await visit.browser.get('/mine/')).status).toBe(303);
    expect(redirectOf(await provider.signIn(visitor(site), noor))).toEqual([303, '/sign-in/elsewhere/new/']);
  });

  test('an account there is linked to one person, who may be disabled here', async () => {
    const opened = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { provider, site } = opened;
    await addNoor(opened);
    const zoe = await person(site, 'zoe');
    const started = await zoe.submit('/account/linked/', 'Link your account at Riverside School');
    const address = started.headers.get('Refresh')?.replace('0; url=', '') ?? '';
    const used = await zoe.browser.get(provider.approve(address, noor));
    expect([used.status, await textOf(used)]).toEqual([
      400,
      expect.stringContaining('This account is already linked to somebody here.'),
    ]);
    await vitrine('user', 'disable', 'Noor.Haddad', '--database', site.address);
    const disabled = await provider.signIn(visitor(site), noor);
    expect([disabled.status, await textOf(disabled)]).toEqual([
      403,
      expect.stringContaining('This account is disabled.'),
    ]);
  });

  test('who deletes the account or moves the gallery takes the link along', async () => {
    const opened = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { provider, site } = opened;
    const browser = await addNoor(opened);
    const { out } = await vitrine('export', '-', '--database', site.address);
    expect(out).toContain(`"subject":"${provider.issuer} noor-17"`);
    const moved = await siteOn(kind, { dump: out, environment: provider.environment });
    expect(redirectOf(await provider.signIn(visitor(moved), noor))).toEqual([303, '/mine/']);
    const left = await browser.submit('/account/leave/', 'Delete my account', { items: 'keep' });
    expect(redirectOf(left)).toEqual([303, '/']);
    expect(redirectOf(await provider.signIn(visitor(site), noor))).toEqual([303, '/sign-in/elsewhere/new/']);
  });
});

/** A copy of the claims without one. */
const without = (name: string) => (parts: TokenParts) => {
  parts.claims[name] = undefined;
};
const claim = (name: string, value: unknown) => (parts: TokenParts) => {
  parts.claims[name] = value;
};
const header = (name: string, value: unknown) => (parts: TokenParts) => {
  parts.header[name] = value;
};
const seconds = () => Math.floor(Date.now() / 1000);

const brokenTokens: Record<string, (parts: TokenParts, provider: TestProvider) => void> = {
  'no signature': header('alg', 'none'),
  'the secret of the site as the key': (parts) => {
    parts.header.alg = 'HS256';
    parts.key = 'of the gallery';
  },
  'the public key as a secret': (parts, { keys }) => {
    parts.header.alg = 'HS256';
    parts.key = String(keys.publicKey.export({ format: 'pem', type: 'spki' }));
  },
  'another key of the same name': (parts) => {
    parts.key = newKey().privateKey;
  },
  'a key that nobody has': (parts) => {
    parts.header.kid = 'key 2';
    parts.key = newKey().privateKey;
  },
  'a header that must be understood': header('crit', ['exp']),
  'another audience': claim('aud', 'elsewhere'),
  'two audiences, and made for the other': (parts) => {
    parts.claims.aud = [clientId, 'elsewhere'];
    parts.claims.azp = 'elsewhere';
  },
  'no audience': without('aud'),
  'another issuer': claim('iss', 'https://login.example'),
  'no issuer': without('iss'),
  'an earlier nonce': claim('nonce', 'earlier'),
  'no nonce': without('nonce'),
  'no subject': without('sub'),
  'a subject that is a number': claim('sub', 17),
  'an end that has passed': (parts) => claim('exp', seconds() - 60)(parts),
  'no end': without('exp'),
  'an end that is a text': claim('exp', '2999-01-01'),
  'a beginning to come': (parts) => claim('nbf', seconds() + 600)(parts),
  'no time of issue': without('iat'),
};

onOneDatabase((kind) => {
  test('a token that is broken in any way signs nobody in', async () => {
    const opened = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { provider, site } = opened;
    await addNoor(opened);
    const names = Object.keys(brokenTokens);
    const tried: unknown[] = [];
    for (const name of names) {
      provider.change = (parts) => brokenTokens[name]?.(parts, provider);
      const browser = visitor(site);
      const response = await provider.signIn(browser, noor);
      tried.push([name, response.status, (await browser.browser.get('/mine/')).status]);
    }
    expect(tried).toEqual(names.map((name) => [name, 503, 303]));
    provider.change = () => {};
    for (const id_token of [undefined, '', 'x', 'a.b.c', {}]) {
      provider.respond = (answer) => ({ ...answer, id_token });
      expect((await provider.signIn(visitor(site), noor)).status).toBe(503);
    }
    provider.respond = (answer) => answer;
    // A clock may be half a minute off.
    setSystemTime(new Date());
    provider.change = (parts) => claim('exp', seconds() - 15)(parts);
    expect(redirectOf(await provider.signIn(visitor(site), noor))).toEqual([303, '/mine/']);
  });

  test('an answer counts once, in the browser that asked for it', async () => {
    const opened = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { provider, site } = opened;
    await addNoor(opened);
    const { browser } = visitor(site);
    const address = (await browser.get('/sign-in/elsewhere/')).headers.get('Location') ?? '';
    const back = provider.approve(address, noor);
    for (const change of [
      (path: string) => path.replace(/state=[^&]*/, 'state=x'),
      (path: string) => path.replace(/&state=.*/, ''),
      (path: string) => path.replace(/code=[^&]*&/, ''),
      (path: string) => path.replace(/code=[^&]*/, 'code=x'),
    ]) {
      const other = visitor(site).browser;
      const started = (await other.get('/sign-in/elsewhere/')).headers.get('Location') ?? '';
      expect((await other.get(change(provider.approve(started, noor)))).status).toBe(400);
    }
    expect((await visitor(site).browser.get(back)).status).toBe(400);
    expect(redirectOf(await browser.get(back))).toEqual([303, '/']);
    expect((await browser.get(back)).status).toBe(400);

    const second = visitor(site).browser;
    const asked = (await second.get('/sign-in/elsewhere/')).headers.get('Location') ?? '';
    const answer = provider.approve(asked, noor).replace(/code=[^&]*/, 'error=access_denied');
    const declined = await second.get(answer);
    expect([declined.status, await textOf(declined)]).toEqual([
      400,
      expect.stringContaining('Signing in there did not work, or took too long.'),
    ]);
  });

  test('wrong answers from one address are limited, and those of a service that is down are not counted', async () => {
    const { provider, site } = await open(kind, { VITRINE_SIGN_IN_LIMIT: '1' });
    const { browser } = visitor(site);
    const answer = async (change: (path: string) => string) => {
      const address = (await browser.get('/sign-in/elsewhere/')).headers.get('Location') ?? '';
      return (await browser.get(change(provider.approve(address, noor)))).status;
    };
    provider.respond = () => ({});
    const statuses = new Set<number>();
    for (let count = 0; count < 110; count++) statuses.add(await answer((path) => path));
    expect([...statuses]).toEqual([503]);
    const wrong: number[] = [];
    while (wrong.length < 110 && wrong.at(-1) !== 429)
      wrong.push(await answer((path) => path.replace(/code=[^&]*/, 'code=x')));
    expect([wrong.length > 50, wrong[0], wrong.at(-1)]).toEqual([true, 400, 429]);
  });

  test('new people follow the kind of sign-up', async () => {
    const { provider, site } = await open(kind, { VITRINE_SIGN_UP: 'closed' });
    const closed = visitor(site);
    await provider.signIn(closed, noor);
    const page = await closed.browser.get('/sign-in/elsewhere/new/');
    expect([page.status, await textOf(page)]).toEqual([403, expect.stringContaining('Sign in to it')]);
    // Somebody with an account here links it.
    const zoe = await person(site, 'zoe');
    await provider.signIn(zoe, noor);
    const linked = await zoe.submit('/sign-in/elsewhere/new/', 'Link your account at Riverside School');
    expect(redirectOf(linked)).toEqual([303, '/mine/']);
    expect(redirectOf(await provider.signIn(visitor(site), noor))).toEqual([303, '/mine/']);
    const forced = await closed.send('/sign-in/elsewhere/new/', { username: 'noor' });
    expect(forced.status).toBe(403);

    const invited = await open(kind, { VITRINE_SIGN_UP: 'invitation' });
    const browser = visitor(invited.site);
    await invited.provider.signIn(browser, noor);
    const path = '/sign-in/elsewhere/new/';
    expect((await browser.submit(path, 'Sign up', { invitation: 'wrong' })).status).toBe(400);
    const { out } = await vitrine('user', 'invite', '--database', invited.site.address);
    const invitation = new URL(out.trim(), 'http://x').searchParams.get('invitation') ?? out.trim();
    expect(redirectOf(await browser.submit(path, 'Sign up', { invitation }))).toEqual([303, '/mine/']);
    // Without having signed in there, nobody gets an account.
    expect(redirectOf(await visitor(invited.site).send(path, { username: 'mo' }))).toEqual([
      303,
      '/sign-in/',
    ]);
  });

  test('a second factor is asked for as after a password', async () => {
    const opened = await open(kind, { VITRINE_SIGN_UP: 'open', VITRINE_REQUIRE_SECOND_FACTOR: 'true' });
    const { provider, site } = opened;
    const first = await addNoor(opened);
    await vitrine('user', 'role', 'Noor.Haddad', 'moderator', '--database', site.address);
    const browser = visitor(site);
    expect(redirectOf(await provider.signIn(browser, noor))).toEqual([303, '/account/second-step/']);
    expect(redirectOf(await browser.browser.get('/moderation/'))).toEqual([303, '/account/second-step/']);

    const device = await makePasskey(first);
    await first.submit('/account/second-step/', 'Turn on');
    const next = visitor(site);
    const path = '/sign-in/second-step/';
    const answered = await provider.signIn(next, noor, '/moderation/');
    expect(redirectOf(answered)).toEqual([303, `${path}?next=%2Fmoderation%2F`]);
    // Browsers that come back from another site send no others.
    expect(answered.headers.getSetCookie().join()).toMatch(/vitrine_sign_in=[^,]*SameSite=Lax/);
    expect(redirectOf(await next.browser.get('/mine/'))).toEqual([303, '/sign-in/?next=%2Fmine%2F']);
    const finished = await usePasskey(next, device, { path: `${path}passkey/` });
    expect(redirectOf(finished)).toEqual([303, '/mine/']);
    expect((await next.browser.get('/moderation/')).status).toBe(200);
  });

  test('a new session does not stand in for the password of somebody who was signed in elsewhere', async () => {
    const { provider, site } = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const grace = visitor(site);
    await grace.send('/sign-up/', { username: 'grace', password });
    await provider.signIn(grace, noor);
    // Also the last person at the same screen may have signed in there: the page says who, and asks for the password.
    const linking = await grace.open('/sign-in/elsewhere/new/');
    expect(linking.text).toContain('Riverside School as Noor Haddad@school.example');
    expect(
      (await grace.submit('/sign-in/elsewhere/new/', 'Link your account at Riverside School')).status,
    ).toBe(400);
    const values = { Password: password };
    const linked = await grace.submit(
      '/sign-in/elsewhere/new/',
      'Link your account at Riverside School',
      values,
    );
    expect(redirectOf(linked)).toEqual([303, '/mine/']);
    expect((await grace.open('/account/passkeys/')).text).not.toContain('Password');
    const again = visitor(site);
    expect(redirectOf(await provider.signIn(again, noor))).toEqual([303, '/mine/']);
    expect((await again.open('/account/passkeys/')).text).toContain('Password');

    const leaving = visitor(site);
    await leaving.send('/sign-in/', { username: 'grace', password });
    await provider.signIn(leaving, { sub: 'somebody else' });
    const out = await leaving.send('/sign-out/');
    expect(out.headers.getSetCookie().join()).toContain('vitrine_new_person=;');
  });

  test('odd names and long ones from there are no names here, and an odd subject signs nobody in', async () => {
    const { provider, site } = await open(kind, { VITRINE_SIGN_UP: 'open', VITRINE_NAMES: 'full' });
    for (const sub of ['jürgen', 'x'.repeat(256), 'a\nb', 'a\0b'])
      expect([sub, (await provider.signIn(visitor(site), { sub })).status]).toEqual([sub, 503]);
    const names = { preferred_username: '\ud800 Noor\0'.repeat(50), given_name: 'Ada '.repeat(500) };
    const browser = visitor(site);
    const response = await provider.signIn(browser, { sub: 'odd', ...names });
    expect(redirectOf(response)).toEqual([303, '/sign-in/elsewhere/new/']);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.length);
    expect(Math.max(...cookies)).toBeLessThan(4000);
    expect((await browser.submit('/sign-in/elsewhere/new/', 'Sign up', { username: 'odd' })).status).toBe(
      303,
    );
    const far = `/mine/?${'x'.repeat(3000)}`;
    expect(redirectOf(await provider.signIn(browser, { sub: 'odd' }, far))).toEqual([303, '/']);
  });

  test('while the service is down, passwords go on', async () => {
    const environment = { VITRINE_SIGN_UP: 'open', VITRINE_OIDC_ISSUER: 'http://127.0.0.1:9' };
    const { site } = await open(kind, environment);
    const browser = visitor(site);
    await browser.send('/sign-up/', { username: 'grace', password });
    const down = await browser.browser.get('/sign-in/elsewhere/');
    expect([down.status, await textOf(down)]).toEqual([
      503,
      expect.stringContaining('Signing in with Riverside School does not work right now.'),
    ]);
    const signedIn = await visitor(site).send('/sign-in/', { username: 'grace', password });
    expect(redirectOf(signedIn)).toEqual([303, '/']);
  });

  test('a service inside of the operator’s network is asked only if it is allowed', async () => {
    const { provider, site } = await open(kind, { VITRINE_WEBHOOK_ALLOW_NETWORKS: '' });
    expect((await visitor(site).browser.get('/sign-in/elsewhere/')).status).toBe(503);
    expect(provider.requests).toEqual([]);
  });

  test('without passwords, nobody signs in or up with one, keys need a new session, and the last way in stays', async () => {
    const opened = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { provider, site } = opened;
    await visitor(site).send('/sign-up/', { username: 'grace', password });
    const environment = { ...provider.environment, VITRINE_SIGN_UP: 'open', VITRINE_PASSWORDS: 'off' };
    const without = await siteAt(site.address, { environment });
    expect((await visitor(without).open('/sign-in/')).text).not.toContain('Password');
    expect((await visitor(without).send('/sign-in/', { username: 'grace', password })).status).toBe(403);
    for (const path of ['/api/v1/auth/token/', '/api/v1/auth/session/'])
      expect((await visitor(without).post(path, { username: 'grace', password })).status).toBe(403);
    const signUp = await visitor(without).post('/api/v1/auth/sign-up/', { username: 'mo', password });
    expect(signUp.status).toBe(403);
    expect(redirectOf(await visitor(without).browser.get('/sign-up/'))).toEqual([303, '/sign-in/?next=%2F']);
    for (const path of ['/forgotten-password/', '/new-password/?code=1'])
      expect((await visitor(without).browser.get(path)).status).toBe(404);

    const browser = await addNoor({ provider, site: without });
    const made = await browser.submit('/account/keys/', 'Create key', { name: 'of a script' });
    expect([made.status, await textOf(made)]).toEqual([200, expect.stringContaining('vtr_')]);
    expect((await browser.open('/account/')).text).not.toContain('Change password');

    await makePasskey(browser);
    await browser.submit('/account/linked/1/remove/', 'Remove');
    const last = await browser.submit('/account/passkeys/1/remove/', 'Remove passkey');
    expect((await readPage(last)).text).toContain('This passkey is your only way to sign in.');
  });

  test('settings that make no sense stop the start', async () => {
    const start = (...options: string[]) =>
      vitrine('serve', '--database', ':memory:', '--port', '0', ...options);
    for (const [options, sentence] of [
      [['--oidc-issuer', 'https://login.example'], '--oidc-issuer needs --oidc-client-id'],
      [['--oidc-label', 'School'], 'needs --oidc-issuer'],
      [['--passwords', 'off'], '--passwords off needs --oidc-issuer'],
      [['--oidc-issuer', 'login.example'], '--oidc-issuer must begin with https://'],
      [['--oidc-client-secret', 'x'], 'VITRINE_OIDC_CLIENT_SECRET'],
    ] as const)
      expect(await start(...options)).toMatchObject({ code: 2, error: expect.stringContaining(sentence) });
  });
});

test('a browser comes back from another site with the cookies that it needs, to the second step and in', async () => {
  const opened = await open('SQLite', { VITRINE_SIGN_UP: 'open' });
  const { provider, site } = opened;
  const maker = await addNoor(opened);
  provider.accountInBrowser = noor;
  const window = await openWindow(await openBrowser(), visitor(site));
  const page = await window.newPage();
  const signInTo = async (path: string) => {
    await page.goto('/sign-in/?next=/account/');
    await page.getByRole('link', { name: 'Sign in with Riverside School' }).click();
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.waitForURL(({ pathname }) => pathname === path);
  };
  await signInTo('/account/');

  await makePasskey(maker);
  await maker.submit('/account/second-step/', 'Turn on');
  await signInTo('/sign-in/second-step/');
});
