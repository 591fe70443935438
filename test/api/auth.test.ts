import { beforeEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import type { Table } from '../../src/database/columns.ts';
import { count, select } from '../../src/database/query.ts';
import {
  accountTable,
  apiKeyTable,
  changeTable,
  invitationTable,
  secretTable,
  sessionTable,
  signInAttemptTable,
} from '../../src/database/schema.ts';
import { disableAccount, enableAccount } from '../../src/gallery/accounts/change.ts';
import { createKey } from '../../src/gallery/accounts/keys.ts';
import { Passwords } from '../../src/gallery/accounts/passwords.ts';
import { signIn } from '../../src/gallery/accounts/sign-in.ts';
import { SignInAttempts } from '../../src/gallery/accounts/sign-in-attempts.ts';
import { sweepAccounts } from '../../src/gallery/accounts/sweep.ts';
import { now } from '../../src/gallery/instant.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Site, siteAt, siteOn } from '../support/site.ts';

const folder = join(import.meta.dir, '../exchanges');
const people = ['gallery.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('');

/** Ada and maker have passwords: see exchanges/README.md. */
const adasPassword = 'analytical engine';
const [ada, maker] = [7, 9];

onBothDatabases((kind) => {
  let site: Site;
  beforeEach(async () => {
    site = await siteOn(kind, { dump: people, environment: { VITRINE_SIGN_UP: 'open' } });
  });

  const send = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
    site.request(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  /** The username of the session or key, or null. */
  const readUsername = async (headers: Record<string, string>) =>
    ((await site.json('/api/v1/auth/session/', headers)) as { username: string | null }).username;
  const cookieOf = (response: Response) => ({
    Cookie: (response.headers.getSetCookie()[0] as string).split(';', 1)[0] as string,
  });

  test('signing out ends one session and no other', async () => {
    const [first, second] = [await site.signIn('ada'), await site.signIn('ada')];

    const response = await site.request('/api/v1/auth/session/', { method: 'DELETE', headers: first });
    expect(response.status).toBe(204);
    expect([await readUsername(first), await readUsername(second)]).toEqual([null, 'ada']);
  });

  test('a new password ends all sessions, and the session that changed it gets new cookies', async () => {
    const [first, second] = [await site.signIn('ada'), await site.signIn('ada')];
    const key = await site.key('ada');

    const passwords = { old_password: adasPassword, new_password: 'note g of the notes' };
    const response = await send('PUT', '/api/v1/auth/password/', passwords, first);
    expect(response.status).toBe(204);
    expect([await readUsername(first), await readUsername(second)]).toEqual([null, null]);
    expect([await readUsername(cookieOf(response)), await readUsername(key)]).toEqual(['ada', 'ada']);
  });

  test('signing in ends the session that the browser had', async () => {
    const before = await site.signIn('maker');
    const after = await send(
      'POST',
      '/api/v1/auth/session/',
      { username: 'ada', password: adasPassword },
      before,
    );

    expect([await readUsername(before), await readUsername(cookieOf(after))]).toEqual([null, 'ada']);
  });

  test('disabling an account ends its sessions, and enabling it does not bring them back', async () => {
    const session = await site.signIn('ada');

    await disableAccount(site.database, null, ada);
    expect(await readUsername(session)).toBeNull();

    await enableAccount(site.database, null, ada);
    expect(await readUsername(session)).toBeNull();
  });

  test('only moderators and admins with write access invite', async () => {
    const cases: [sender: string, headers: Record<string, string>, status: number][] = [
      ['a visitor', {}, 401],
      ['a contributor', await site.key('ada'), 403],
      ['a moderator', await site.key('mo'), 201],
      ['an admin', await site.key('alma'), 201],
      ['a moderator with a key that only reads', await site.key('mo', { writes: false }), 403],
      ['a moderator with a key that has expired', await site.key('mo', { expired: true }), 401],
      ['a moderator in a session', await site.signIn('mo'), 201],
      [
        'a moderator in a session without its token',
        { ...(await site.signIn('mo')), 'X-CSRFToken': '' },
        403,
      ],
      ['a moderator who is disabled', await site.key('zoë.k', { role: 'moderator', disabled: true }), 401],
    ];
    for (const [sender, headers, status] of cases) {
      const response = await send('POST', '/api/v1/auth/invitations/', {}, headers);
      expect([sender, response.status]).toEqual([sender, status]);
    }
  });

  test('a sign-in attempt costs one hash, whether the username exists or not', async () => {
    const passwords = new Passwords();
    const attempts = new SignInAttempts(site.database, 'of the test', 10);
    const deps = { database: site.database, passwords, attempts };
    let hashes = 0;
    for (const username of ['ada', 'nobody', 'mo', 'bruno', 'maker', '']) {
      await expect(signIn(deps, username, 'difference engine', '')).rejects.toThrow(
        'non_field_errors: Unable to log in with provided credentials.',
      );
      expect([username, passwords.hashCount]).toEqual([username, ++hashes]);
    }
  });

  test('a password hash from Django is replaced when its owner signs in, and not by a wrong password', async () => {
    const stored = async () =>
      (
        await site.database.first(
          select(accountTable.columns, sql`from account where contributor = ${maker}`),
        )
      )?.password;
    const before = await stored();
    expect(before).toStartWith('pbkdf2_sha256$');

    await send('POST', '/api/v1/auth/token/', { username: 'maker', password: 'paper' });
    expect(await stored()).toBe(before);

    await send('POST', '/api/v1/auth/token/', { username: 'maker', password: 'paper and glue' });
    expect(await stored()).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  test('of more than twenty keys made by password the oldest is deleted, and other keys stay', async () => {
    const body = { username: 'ada', password: adasPassword };
    const createToken = async () => {
      const { token } = (await (await send('POST', '/api/v1/auth/token/', body)).json()) as { token: string };
      return { Authorization: `Token ${token}` };
    };
    const statusOf = async (headers: Record<string, string>) =>
      (await site.get('/api/v1/auth/keys/', headers)).status;
    const [first, second] = [await createToken(), await createToken()];
    // The others are the same keys without the work of a password.
    const other = { contributor: ada, name: 'auth/token', can_write: true, expires: () => null };
    for (let count = 2; count < 20; count++) await createKey(site.database, null, other);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);

    await createToken();
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    const keys = (await site.json('/api/v1/auth/keys/', { Authorization: 'Token ada' })) as object[];
    expect(keys).toHaveLength(23);
    expect(keys.filter((key) => 'name' in key && key.name === 'auth/token')).toHaveLength(20);
  });

  test('nobody has more than fifty keys', async () => {
    const key = { Authorization: 'Token zoe' };
    for (let count = 1; count < 50; count++) await site.key('zoë.k');
    const refused = await send('POST', '/api/v1/auth/keys/', { name: 'a' }, key);

    expect([refused.status, await refused.text()]).toEqual([
      400,
      '{"non_field_errors":["There are 50 keys already: revoke one."]}',
    ]);
    expect(await site.json('/api/v1/auth/keys/', key)).toHaveLength(50);
  });

  test('the last use of a key is shown, and is not stored at each use', async () => {
    const used = async () => {
      await site.database.transaction(async () => {});
      return (await site.database.first(select(apiKeyTable.columns, sql`from api_key where id = 1`)))
        ?.last_used;
    };
    const before = await used();
    await site.get('/api/v1/', { Authorization: 'Token ada' });
    let first = await used();
    while (first === null) first = await used();
    await site.get('/api/v1/', { Authorization: 'Token ada' });
    await Bun.sleep(20);

    expect(before).toBeNull();
    expect(Math.abs((first as number) - now())).toBeLessThan(60_000_000);
    expect(await used()).toBe(first as number);
  });

  test('of two simultaneous sign-ups with one username in different case, one succeeds', async () => {
    const names = ['grace', 'GRACE', 'Grace', 'gracE'];
    const responses = await Promise.all(
      names.map((username) => send('POST', '/api/v1/auth/sign-up/', { username, password: 'nanoseconds' })),
    );
    const accounts = await count(site.database, sql`from contributor where username_key = 'grace'`);

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(accounts).toBe(1);
  });

  test('of two simultaneous sign-ups with one invitation, one succeeds', async () => {
    const { invitation } = (await (
      await send('POST', '/api/v1/auth/invitations/', {}, { Authorization: 'Token mo' })
    ).json()) as { invitation: string };
    const closed = await siteAt(site.address, { environment: { VITRINE_SIGN_UP: 'invitation' } });
    const responses = await Promise.all(
      ['grace', 'edith'].map((username) =>
        closed.request('/api/v1/auth/sign-up/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ username, password: 'nanoseconds', invitation }),
        }),
      ),
    );

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  test('the id of a revoked key is never used again', async () => {
    const key = await site.key('ada');
    const createKeyNamed = async (name: string) =>
      ((await (await send('POST', '/api/v1/auth/keys/', { name }, key)).json()) as { id: number }).id;
    const first = await createKeyNamed('first');
    await send('DELETE', `/api/v1/auth/keys/${first}/`, {}, key);

    expect(await createKeyNamed('second')).toBe(first + 1);
  });

  test('the sweep deletes what has expired and nothing else', async () => {
    const session = await site.signIn('ada');
    await site.signIn('maker');
    await send('POST', '/api/v1/auth/invitations/', {}, { Authorization: 'Token mo' });
    await send('POST', '/api/v1/auth/token/', { username: 'ada', password: 'difference engine' });
    const countRows = async () =>
      Promise.all(
        ['session', 'invitation', 'sign_in_attempt'].map((table) =>
          count(site.database, raw(`from ${table}`)),
        ),
      );
    await sweepAccounts(site.database);
    expect(await countRows()).toEqual([2, 1, 3]);

    await site.database.transaction(async (transaction) => {
      await transaction.run(sql`update session set expires = 1 where contributor = ${maker}`);
      await transaction.run(sql`update invitation set expires = 1`);
      await transaction.run(sql`update sign_in_attempt set until = 1`);
    });
    await sweepAccounts(site.database);
    expect(await countRows()).toEqual([1, 0, 0]);
    expect(await readUsername(session)).toBe('ada');
  });

  test('no secret is in the database, in the change log or in the dump in clear text', async () => {
    const body = { username: 'ada', password: adasPassword };
    const { token } = (await (await send('POST', '/api/v1/auth/token/', body)).json()) as { token: string };
    const signedIn = await send('POST', '/api/v1/auth/session/', body);
    const session = (cookieOf(signedIn).Cookie.split('=')[1] as string).slice(0, 43);
    const { key } = (await (
      await send('POST', '/api/v1/auth/keys/', { name: 'a' }, { Authorization: `Token ${token}` })
    ).json()) as { key: string };
    const { invitation } = (await (
      await send('POST', '/api/v1/auth/invitations/', {}, { Authorization: 'Token mo' })
    ).json()) as { invitation: string };

    let stored = site.logged.join('\n');
    const keyTables = [accountTable, sessionTable, apiKeyTable, invitationTable, signInAttemptTable];
    for (const { name, columns } of [...keyTables, changeTable, secretTable] as Table[])
      stored += JSON.stringify(await site.database.all<object>(select(columns, raw(`from ${name}`))));
    const secrets = [adasPassword, token, session, key, invitation];
    expect(secrets.map((secret) => [secret.length > 15, stored.includes(secret)])).toEqual(
      secrets.map(() => [true, false]),
    );
    // The stored hash shows that the tables were read.
    expect(stored).toContain(new Bun.CryptoHasher('sha256').update(token).digest('hex'));
  });
});

test('at most two passwords are hashed at a time, and too many waiting ones are refused', async () => {
  const passwords = new Passwords();
  const hashed = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.check('x', null)));

  expect(hashed.filter(({ status }) => status === 'rejected')).toHaveLength(8);
  expect(passwords.hashCount).toBe(52);
});
