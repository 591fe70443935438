// The setting that moderators and admins need a second factor.

import { expect, test } from 'bun:test';
import { onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { makePasskey, usePasskey } from '../support/passkeys.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const password = 'long and unusual';
const path = '/account/second-step/';
const gallery = dump(adasLine, contributor(2, 'zoe'), project(1));
const refusal = {
  detail: 'This site requires a second factor of you: turn it on at /account/second-step/ in a browser.',
};

const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];

/** A site that requires it, on which grace signed up and became a moderator. */
async function openSite(kind: 'SQLite' | 'PostgreSQL'): Promise<Site> {
  const environment = { VITRINE_SIGN_UP: 'open', VITRINE_REQUIRE_SECOND_FACTOR: 'true' };
  const site = await siteOn(kind, { dump: gallery, environment });
  const signedUp = await visitor(site).send('/sign-up/', { username: 'grace', password });
  expect(signedUp.status).toBe(303);
  await vitrine('user', 'role', 'grace', 'moderator', '--database', site.address);
  return site;
}

async function typePassword(site: Site): Promise<{ grace: Person; response: Response }> {
  const grace = visitor(site);
  const response = await grace.send('/sign-in/', { username: 'grace', password, next: '/moderation/' });
  return { grace, response };
}

onOneDatabase((kind) => {
  test('a moderator is led to turn it on at sign-in, and only then is a moderator', async () => {
    const site = await openSite(kind);
    const { grace, response } = await typePassword(site);
    expect(redirectOf(response)).toEqual([303, path]);
    expect((await grace.open(path)).notices).toEqual([
      'Moderators on this site need two-step sign-in. Until you turn it on, you can only do what everyone can.',
    ]);
    expect(redirectOf(await grace.browser.get('/moderation/'))).toEqual([303, path]);
    expect((await grace.browser.get('/mine/')).status).toBe(200);
    const decision = await grace.send('/moderation/', { thing: '1', decision: 'remove', reason: 'x' });
    expect([decision.status, (await readPage(decision)).text]).toEqual([
      403,
      expect.stringContaining(
        'This site asks you to use two-step sign-in: turn it on at /account/second-step/',
      ),
    ]);

    const device = await makePasskey(grace);
    await grace.submit(path, 'Turn on');
    expect((await grace.browser.get('/moderation/')).status).toBe(200);
    expect((await grace.open(path)).notices).toEqual([]);

    const newBrowser = visitor(site);
    expect(redirectOf(await usePasskey(newBrowser, device))).toEqual([303, '/mine/']);
    expect((await newBrowser.browser.get('/moderation/')).status).toBe(200);

    await grace.submit(path, 'Turn off');
    expect(redirectOf(await grace.browser.get('/moderation/'))).toEqual([303, path]);
  });

  test('a passkey alone is not enough while the password still is', async () => {
    const site = await openSite(kind);
    const { grace } = await typePassword(site);
    const device = await makePasskey(grace);
    const newBrowser = visitor(site);
    expect(redirectOf(await usePasskey(newBrowser, device))).toEqual([303, path]);
    expect(redirectOf(await newBrowser.browser.get('/moderation/'))).toEqual([303, path]);
  });

  test('the API gives a moderator no key and no session for the password alone', async () => {
    const site = await openSite(kind);
    for (const resource of ['token', 'session']) {
      const response = await visitor(site).post(`/api/v1/auth/${resource}/`, { username: 'grace', password });
      expect([response.status, await response.json(), response.headers.getSetCookie()]).toEqual([
        403,
        {
          detail:
            'This site requires a second factor of you: sign in at /sign-in/ in a browser, and turn it on. For a program, make a key at /account/keys/.',
        },
        [],
      ]);
    }
  });

  test('a key of a moderator without it is that of a contributor, and works fully afterwards', async () => {
    const site = await openSite(kind);
    const ada = await person(site, 'ada', { role: 'admin' });
    const report = async () => {
      const response = await ada.get('/api/v1/reports/');
      return [response.status, await response.json()];
    };
    expect(await report()).toEqual([403, refusal]);
    expect((await ada.post('/api/v1/projects/', { title: 'Mine' })).status).toBe(201);

    await makePasskey(ada);
    await ada.submit(path, 'Turn on');
    expect(await report()).toEqual([200, expect.objectContaining({ count: 0 })]);
  });

  test('the session has the role that works', async () => {
    const site = await openSite(kind);
    const ada = await person(site, 'ada', { role: 'admin' });
    const roles = async () => {
      const paths = ['/api/v1/auth/session/', '/api/v1/me/'];
      const responses = await Promise.all(paths.map((path) => ada.browser.get(path)));
      return Promise.all(responses.map(async (response) => (await response.json()).role));
    };
    expect(await roles()).toEqual(['contributor', 'contributor']);

    await makePasskey(ada);
    await ada.submit(path, 'Turn on');
    expect(await roles()).toEqual(['admin', 'admin']);
  });

  test('contributors need none', async () => {
    const site = await openSite(kind);
    const newcomer = visitor(site);
    await newcomer.send('/sign-up/', { username: 'lin', password });
    const response = await visitor(site).post('/api/v1/auth/token/', { username: 'lin', password });
    expect(response.status).toBe(200);
    expect((await newcomer.open(path)).notices).toEqual([]);
    expect((await newcomer.browser.get('/moderation/')).status).toBe(403);
  });
});
