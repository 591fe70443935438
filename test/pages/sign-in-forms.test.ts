// Sessions on the pages: signing in, up and out, redirects afterwards, and CSRF tokens.

import { expect, test } from 'bun:test';
import { csrfTokenField } from '#rest/parsers.ts';
import { onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, contributor(2, 'zoe'), project(1, { title: 'Kite' }));
const anotherOrigin = { Origin: 'https://elsewhere.example' };
const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];

onOneDatabase((kind) => {
  test('a visitor of a page for members is redirected to sign in, and back', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const paths = ['/new/', '/mine/?show=trash', '/account/', '/account/keys/', `${pathOf(1)}edit/`];
    for (const path of paths) {
      const next = new URLSearchParams({ next: path });
      expect(redirectOf(await visitor(site).get(path))).toEqual([303, `/sign-in/?${next}`]);
    }
  });

  test('a visitor who sends a form for members is redirected to sign in', async () => {
    const site = await siteOn(kind, { dump: gallery });

    const response = await visitor(site).send('/mine/trash/1/restore/');
    expect(redirectOf(response)).toEqual([303, '/sign-in/?next=%2F']);
  });

  test('a wrong password is reported on the form, which does not repeat the password', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const values = { username: 'ada', password: 'guessed right', next: '/mine/' };

    const response = await visitor(site).send('/sign-in/', values);
    expect(response.status).toBe(400);
    const { heading, errors, fields, notices } = await readPage(response);
    expect({ heading, errors, fields, notices }).toEqual({
      heading: 'Sign in',
      errors: ['That username and password don’t match.'],
      fields: { next: '/mine/', username: 'ada', password: '' },
      notices: [],
    });
  });

  test('signing up signs in and redirects to a page of this site only', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
    const redirects = [
      { next: '/mine/', expected: '/mine/' },
      { next: 'https://elsewhere.example/', expected: '/new/?welcome' },
      { next: '//elsewhere.example/', expected: '/new/?welcome' },
      { next: '/\\elsewhere.example', expected: '/new/?welcome' },
      { next: '/.//elsewhere.example/', expected: '/new/?welcome' },
      { next: '/%2e%2e/.//elsewhere.example/', expected: '/new/?welcome' },
      { next: '/mine/..//elsewhere.example/', expected: '/new/?welcome' },
      { next: '', expected: '/new/?welcome' },
    ];
    for (const [index, { next, expected }] of redirects.entries()) {
      const newcomer = visitor(site);
      const values = { username: `new${index}`, password: 'long and unusual', next };
      const response = await newcomer.send('/sign-up/', values);
      expect([next, ...redirectOf(response)]).toEqual([next, 303, expected]);
      expect((await newcomer.open('/account/')).heading).toBe('Account');
    }
  });

  test('a username that is taken comes back with free ones', async () => {
    const names = [contributor(3, 'Zoe2'), contributor(4, 'zoe-maker')];
    const site = await siteOn(kind, {
      dump: dump(gallery.trimEnd(), ...names),
      environment: { VITRINE_SIGN_UP: 'open' },
    });
    const newcomer = visitor(site);
    const helpOf = async (username: string) => {
      const sent = { Username: username, Password: 'long and unusual' };
      return (await readPage(await newcomer.submit('/sign-up/', 'Sign up', sent))).textsOf(
        '#f-username-help',
      );
    };

    expect((await newcomer.open('/sign-up/')).textsOf('#f-username-help')).toEqual([
      'For example: kite-fan7',
    ]);
    expect(await helpOf('zoe')).toEqual(['These are free: zoe7, zoe-42, zoe.99']);
    expect(await helpOf('zoe!')).toEqual(['For example: kite-fan7']);
    expect(await helpOf('zoe7')).toEqual([]);
    expect(await newcomer.json('/api/v1/contributors/?search=zoe7')).toMatchObject({ count: 1 });
  });

  test('the sign-in page redirects a person who is signed in, but not to itself', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const redirectTo = async (next: string) => {
      const response = await ada.browser.get(`/sign-in/?${new URLSearchParams({ next })}`);
      return response.headers.get('Location');
    };

    expect(await redirectTo('/mine/')).toBe('/mine/');
    for (const path of ['/sign-in/', '/sign-up/?next=x', '/sign-out/'])
      expect([path, await redirectTo(path)]).toEqual([path, '/']);
  });

  test('another site cannot sign anybody in', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const values = { username: 'ada', password: 'x' };

    const response = await visitor(site).send('/sign-in/', values, anotherOrigin);
    expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
  });

  test('signing out ends the session', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');

    expect(redirectOf(await zoe.submit('/', 'Sign out'))).toEqual([303, '/']);
    expect((await zoe.browser.get('/mine/')).status).toBe(303);
  });

  test('no form works without the CSRF token of the session, or from another site', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const changes = await site.json('/api/v1/changes/');
    const project = pathOf(1);
    const forms = ['/new/text/', `${project}edit/`, `${project}trash/`];

    for (const path of [...forms, '/account/', '/account/leave/', '/sign-out/']) {
      const forged = await ada.send(path, { [csrfTokenField]: 'forged', title: 'x' });
      expect([path, forged.status]).toEqual([path, 403]);

      const fromElsewhere = await ada.send(path, { title: 'x' }, anotherOrigin);
      expect([path, fromElsewhere.status]).toEqual([path, 403]);
    }
    expect(await site.json('/api/v1/changes/')).toEqual(changes);
    expect((await ada.browser.get('/mine/')).status).toBe(200);
  });
});
