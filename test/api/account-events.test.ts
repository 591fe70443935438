// The lines of the log about accounts: who signed in and who changed what, without names and secrets.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { type Site, siteOn } from '../support/site.ts';

const dump = ['gallery.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(import.meta.dir, '../exchanges', file), 'utf8'))
  .join('');
const password = 'analytical engine';

/** The events since the last call. */
function eventsOf(site: Site) {
  let seen = site.logged.length;
  return () => {
    const lines = site.logged.slice(seen).filter((line) => line.startsWith('{'));
    seen = site.logged.length;
    return lines.map((line) => JSON.parse(line));
  };
}

onBothDatabases((kind) => {
  test('the log says who signed in, who failed, and what changed', async () => {
    const site = await siteOn(kind, { dump, environment: { VITRINE_SIGN_IN_LIMIT: '3' } });
    const anonymous = visitor(site);
    const mo = await person(site, 'mo');
    await mo.key();
    const events = eventsOf(site);
    const ada = { actor: 7, contributor: 7 };

    const signedIn = await anonymous.browser.send('/sign-in/', { username: 'ADA', password });
    expect(signedIn.status).toBe(303);
    expect(events()).toEqual([{ event: 'signed in', ...ada }]);

    await anonymous.post('/api/v1/auth/token/', { username: 'ada', password });
    expect(events()).toEqual([
      { event: 'signed in', ...ada },
      { event: 'key created', ...ada, key: 10 },
    ]);

    await anonymous.post('/api/v1/auth/token/', { username: 'my secret', password });
    await anonymous.post('/api/v1/auth/token/', { username: 'bruno', password });
    for (let count = 0; count < 4; count++)
      await anonymous.post('/api/v1/auth/session/', { username: 'ada', password: 'wrong' });
    const wrong = { event: 'password wrong', actor: null };
    expect(events()).toEqual([
      { ...wrong, contributor: null },
      { ...wrong, contributor: 12 },
      ...Array.from({ length: 3 }, () => ({ ...wrong, contributor: 7 })),
      { event: 'password refused', actor: null, contributor: 7 },
    ]);

    await anonymous.browser.send('/sign-out/');
    expect(events()).toEqual([{ event: 'signed out', ...ada }]);

    await mo.put('/api/v1/contributors/7/account/', { state: 'disabled' });
    await mo.put('/api/v1/contributors/7/account/', { state: 'open' });
    await mo.post('/api/v1/auth/invitations/', {});
    expect(events()).toEqual([
      { event: 'account disabled', actor: 10, contributor: 7 },
      { event: 'account enabled', actor: 10, contributor: 7 },
      { event: 'invitation created', actor: 10, contributor: 10 },
    ]);
  });

  test('the log says when a person changes their password or leaves', async () => {
    const site = await siteOn(kind, { dump });
    const key = { Authorization: 'Token ada' };
    const events = eventsOf(site);
    const ada = { actor: 7, contributor: 7 };

    const passwords = { old_password: password, new_password: 'note g of the notes' };
    expect((await visitor(site).put('/api/v1/auth/password/', passwords, key)).status).toBe(204);
    expect(events()).toEqual([
      { event: 'account password', ...ada },
      ...[1, 2, 3].map((id) => ({ event: 'key revoked', ...ada, key: id })),
    ]);

    const zoe = await person(site, 'zoë.k');
    expect((await zoe.send('/account/leave/', { items: 'keep' })).status).toBe(303);
    expect(events()).toEqual([{ event: 'contributor left', actor: 8, contributor: 8 }]);
  });

  test('each request of a signed-in viewer has their id, and no line has what they searched for', async () => {
    const site = await siteOn(kind, { dump });
    const anonymous = visitor(site);
    const paths = [
      '/api/v1/projects/?search=private&page=1',
      '/?page=1&tags=lonely',
      '/sign-up/?invitation=of-the-moderator',
      '/sign-in/?next=/%3Fsearch=x',
      '/api/v1/?vtr_AbC=1&token=vtr_AbC&%69nvitation=x',
    ];
    for (const path of paths) await anonymous.get(path);
    await anonymous.get('/api/v1/', { Authorization: 'Token ada' });
    await (await person(site, 'mo')).open('/?search=private');

    expect(site.logged.map((line) => line.split(' ').slice(1).join(' '))).toEqual([
      'GET /api/v1/projects/?search=...&page=1 200',
      'GET /?page=1&tags=... 200',
      'GET /sign-up/?invitation=... 403',
      'GET /sign-in/?next=... 200',
      'GET /api/v1/?...&token=...&... 200',
      'GET /api/v1/ 200 by 7',
      'GET /?search=... 200 by 10',
    ]);
  });
});
