// HTTP Basic, whose password is a key.

import { expect, test } from 'bun:test';
import { person } from '../support/person.ts';
import { ada, contributor, dump, siteOn } from '../support/site.ts';

test('a key is the password of HTTP Basic over https, and nothing else is', async () => {
  const site = await siteOn('SQLite', {
    dump: dump(ada, contributor(2, 'zoe')),
    environment: { VITRINE_TRUSTED_PROXIES: '10.0.0.0/8' },
    peer: '10.0.0.9',
  });
  const { Authorization = '' } = await site.key('ada');
  const key = Authorization.slice('Token '.length);
  const read = async (login: string, proto = 'https') => {
    const basic = `Basic ${Buffer.from(login).toString('base64')}`;
    const response = await site.get('/api/v1/auth/session/', {
      Authorization: basic,
      'X-Forwarded-Proto': proto,
    });
    const challenge = response.headers.get('WWW-Authenticate');
    return { status: response.status, challenge, ...((await response.json()) as object) };
  };

  const identified = { status: 200, challenge: null, username: 'ada' };
  expect(await read(`ada:${key}`)).toMatchObject(identified);
  expect(await read(`ADA:${key}`)).toMatchObject(identified);

  const refused = (detail: string) => ({ status: 401, challenge: 'Token', detail });
  expect(await read(`zoe:${key}`)).toEqual(refused('Invalid username/token.'));
  expect(await read(`ada:${key}x`)).toEqual(refused('Invalid token.'));
  const httpsOnly = 'HTTP Basic works with https only. Send the key as Authorization: Token.';
  expect(await read(`ada:${key}`, 'http')).toEqual(refused(httpsOnly));

  // A script that went on as a visitor would read less without noticing.
  for (const login of ['ada:analytical engine', 'ada', ':', '\0:\0'])
    expect(await read(login)).toEqual(refused('Invalid username/password.'));
  expect(await read('')).toEqual(refused('Invalid basic header. No credentials provided.'));
});

test('the login of a proxy in front of the gallery is no business of pages, and of sessions', async () => {
  const site = await siteOn('SQLite', { dump: dump(ada) });
  const login = { Authorization: `Basic ${btoa('teacher:of the proxy')}` };
  expect((await site.get('/', login)).status).toBe(200);
  const { browser } = await person(site, 'ada');
  const session = await site.get('/api/v1/auth/session/', { ...browser.headers, ...login });
  expect(await session.json()).toMatchObject({ username: 'ada' });
});
