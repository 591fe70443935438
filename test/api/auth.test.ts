// Sessions, API keys, passwords and invitations, and what the database stores of them.

import { beforeEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { RequestLifetime } from '#common/request-lifetime.ts';
import { count, select, type Table } from '#sql';
import { disableAccount, enableAccount } from '../../src/core/accounts/change-account.ts';
import { createKey } from '../../src/core/accounts/keys.ts';
import { Passwords } from '../../src/core/accounts/passwords.ts';
import { SignInAttempts } from '../../src/core/accounts/sign-in-attempts.ts';
import {
  accountTable,
  apiKeyTable,
  invitationTable,
  sessionTable,
  signInAttemptTable,
} from '../../src/core/accounts/tables.ts';
import { changeTable } from '../../src/core/changes/tables.ts';
import { doTasks } from '../../src/core/jobs/sweep.ts';
import { secretTable } from '../../src/core/server-tables.ts';
import { exportDump } from '../../src/features/export-import/export.ts';
import { signIn } from '../../src/features/sign-in/sign-in.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { type Site, siteAt, siteOn } from '../support/site.ts';
import { refusalOf, waitFor } from '../support/waiting.ts';

const folder = join(import.meta.dir, '../exchanges');
const galleryWithAccounts = ['gallery.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('');

/** The ids of two contributors who have a password: see exchanges/README.md. */
const [adasId, makersId] = [7, 9];
const adasAccount = { username: 'ada', password: 'analytical engine' };

type RequestHeaders = Readonly<Record<string, string>>;

/** The cookie that a response sets for the session. */
function cookieOf(response: Response): RequestHeaders {
  const [cookie = ''] = response.headers.getSetCookie();
  return { Cookie: cookie.split(';', 1)[0] ?? '' };
}

/** One member of the JSON that a response has. */
async function memberOf(response: Response, name: string): Promise<string> {
  const body = (await response.json()) as Record<string, string>;
  return body[name] ?? '';
}

onBothDatabases((kind) => {
  let site: Site;
  let anonymous: Person;
  beforeEach(async () => {
    site = await siteOn(kind, { dump: galleryWithAccounts, environment: { VITRINE_SIGN_UP: 'open' } });
    anonymous = visitor(site);
  });

  /** The username of the session or key, or null. */
  const readUsername = async (headers: RequestHeaders) => {
    const response = await anonymous.get('/api/v1/auth/session/', headers);
    return ((await response.json()) as { username: string | null }).username;
  };

  test('signing out ends one session and no other', async () => {
    const [first, second] = [await site.signIn('ada'), await site.signIn('ada')];

    const response = await anonymous.request('DELETE', '/api/v1/auth/session/', undefined, first);
    expect(response.status).toBe(204);
    expect(await readUsername(first)).toBeNull();
    expect(await readUsername(second)).toBe('ada');
  });

  test('a new password ends all keys and sessions, and the session that changed it gets new cookies', async () => {
    const [first, second] = [await site.signIn('ada'), await site.signIn('ada')];
    const key = await site.key('ada');

    const passwords = { old_password: adasAccount.password, new_password: 'note g of the notes' };
    const response = await anonymous.put('/api/v1/auth/password/', passwords, first);
    expect(response.status).toBe(204);
    expect(await readUsername(first)).toBeNull();
    expect(await readUsername(second)).toBeNull();
    expect(await readUsername(cookieOf(response))).toBe('ada');
    expect((await anonymous.get('/api/v1/auth/session/', key)).status).toBe(401);
    expect(await count(site.database, sql`from api_key where contributor = ${adasId}`)).toBe(0);
    const revoked = sql`from change where kind = 'key' and action = 'revoked' and owner = ${adasId}`;
    expect(await count(site.database, revoked)).toBe(4);
  });

  test('signing in ends the session that the browser had', async () => {
    const before = await site.signIn('maker');

    const response = await anonymous.post('/api/v1/auth/session/', adasAccount, before);
    expect(await readUsername(before)).toBeNull();
    expect(await readUsername(cookieOf(response))).toBe('ada');
  });

  test('disabling an account ends its sessions, and enabling it does not bring them back', async () => {
    const session = await site.signIn('ada');

    await disableAccount(site.database, null, adasId);
    expect(await readUsername(session)).toBeNull();

    await enableAccount(site.database, null, adasId);
    expect(await readUsername(session)).toBeNull();
  });

  test('only moderators and admins with write access invite', async () => {
    const statusFor = async (headers: RequestHeaders) =>
      (await anonymous.post('/api/v1/auth/invitations/', {}, headers)).status;

    expect(await statusFor({})).toBe(401);
    expect(await statusFor(await site.key('ada'))).toBe(403);
    expect(await statusFor(await site.key('mo'))).toBe(201);
    expect(await statusFor(await site.key('alma'))).toBe(201);
    expect(await statusFor(await site.key('mo', { writes: false }))).toBe(403);
    expect(await statusFor(await site.key('mo', { expired: true }))).toBe(401);

    const session = await site.signIn('mo');
    expect(await statusFor(session)).toBe(201);
    expect(await statusFor({ ...session, 'X-CSRFToken': '' })).toBe(403);

    expect(await statusFor(await site.key('zoë.k', { role: 'moderator', disabled: true }))).toBe(401);
  });

  test('a sign-in attempt costs one hash, whether the username exists or not', async () => {
    const passwords = new Passwords();
    const attempts = new SignInAttempts(site.database, 'of the test', {
      signInLimit: 10,
      sharedNetworks: [],
    });
    const policy = { requiresSecondFactor: false, allowsPasswords: true };
    const deps = { database: site.database, passwords, attempts, ...policy };
    const usernames = ['ada', 'nobody', 'mo', 'bruno', 'maker', ''];

    for (const [index, username] of usernames.entries()) {
      expect(await refusalOf(signIn(deps, username, 'difference engine', { address: '' }))).toContain(
        'non_field_errors: Unable to log in with provided credentials.',
      );
      expect([username, passwords.hashCount]).toEqual([username, index + 1]);
    }
  });

  test('HTTP Basic with passwords is limited as sign-in is, and follows the account at once', async () => {
    const environment = { VITRINE_BASIC: 'passwords', VITRINE_SIGN_IN_LIMIT: '2' };
    const basic = await siteAt(site.address, { environment });
    const statusOf = async (password: string) => {
      const Authorization = `Basic ${btoa(`ada:${password}`)}`;
      return (await basic.get('/api/v1/auth/keys/', { Authorization })).status;
    };
    // More requests than an account may sign in, as a right password is remembered.
    for (let count = 0; count < 15; count++) expect(await statusOf('analytical engine')).toBe(200);

    await disableAccount(site.database, null, adasId);
    expect(await statusOf('analytical engine')).toBe(401);
    await enableAccount(site.database, null, adasId);
    expect([await statusOf('wrong'), await statusOf('wrong')]).toEqual([401, 429]);
  });

  test('a password hash from Django is replaced when its owner signs in, and not by a wrong password', async () => {
    const account = select(accountTable.columns, sql`from account where contributor = ${makersId}`);
    const readHash = async () => (await site.database.first(account))?.password;
    const before = await readHash();
    expect(before).toStartWith('pbkdf2_sha256$');

    await anonymous.post('/api/v1/auth/token/', { username: 'maker', password: 'paper' });
    expect(await readHash()).toBe(before);

    await anonymous.post('/api/v1/auth/token/', { username: 'maker', password: 'paper and glue' });
    expect(await readHash()).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  test('of more than twenty keys made by password the oldest is deleted, and other keys stay', async () => {
    const createToken = async () => {
      const response = await anonymous.post('/api/v1/auth/token/', adasAccount);
      return { Authorization: `Token ${await memberOf(response, 'token')}` };
    };
    const statusOf = async (headers: RequestHeaders) =>
      (await anonymous.get('/api/v1/auth/keys/', headers)).status;

    const [first, second] = [await createToken(), await createToken()];
    // The others are the same keys without the work of a password.
    const other = { contributor: adasId, name: 'auth/token', can_write: true, expires: () => null };
    for (let count = 2; count < 20; count++) await createKey(site.database, null, other);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);

    await createToken();
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    const keys = (await site.json('/api/v1/auth/keys/', second)) as { name: string }[];
    expect(keys).toHaveLength(23);
    expect(keys.filter(({ name }) => name === 'auth/token')).toHaveLength(20);
  });

  test('nobody has more than fifty keys', async () => {
    const session = await site.signIn('ada');
    const countKeys = async () => ((await site.json('/api/v1/auth/keys/', session)) as unknown[]).length;
    for (let keys = await countKeys(); keys < 50; keys++) await site.key('ada');

    const request = { name: 'a', password: adasAccount.password };
    const response = await anonymous.post('/api/v1/auth/keys/', request, session);
    expect([response.status, await response.json()]).toEqual([
      400,
      { non_field_errors: ['There are 50 keys already: revoke one.'] },
    ]);
    expect(await countKeys()).toBe(50);
  });

  test('the last use of a key is shown, and is not stored at each use', async () => {
    const { browser } = await person(site, 'ada');
    const key = { Authorization: 'Token ada' };
    const other = await site.key('ada');
    const readLastUses = async () => {
      const keys: { id: number; name: string; used: string | null }[] = await (
        await browser.get('/api/v1/auth/keys/')
      ).json();
      return {
        ofKey: keys.find(({ id }) => id === 1)?.used,
        ofOther: keys.find(({ name }) => name === 'test')?.used,
      };
    };
    expect(await readLastUses()).toEqual({ ofKey: null, ofOther: null });

    const before = Date.now();
    await anonymous.get('/api/v1/', key);
    const first = await waitFor(async () => (await readLastUses()).ofKey);
    expect(Date.parse(first)).toBeWithin(before, Date.now() + 1);

    await anonymous.get('/api/v1/', key);
    // It would have been stored before the use of another one.
    await anonymous.get('/api/v1/', other);
    await waitFor(async () => (await readLastUses()).ofOther);
    expect((await readLastUses()).ofKey).toBe(first);
  });

  test('of simultaneous sign-ups with one username in different case, one succeeds', async () => {
    const responses = await Promise.all(
      ['grace', 'GRACE', 'Grace', 'gracE'].map((username) =>
        anonymous.post('/api/v1/auth/sign-up/', { username, password: 'nanoseconds' }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(await count(site.database, sql`from contributor where username_key = 'grace'`)).toBe(1);
  });

  test('of two simultaneous sign-ups with one invitation, one succeeds', async () => {
    const mo = await person(site, 'mo');
    const invitation = await memberOf(await mo.post('/api/v1/auth/invitations/', {}), 'invitation');
    const byInvitation = await siteAt(site.address, { environment: { VITRINE_SIGN_UP: 'invitation' } });

    const responses = await Promise.all(
      ['grace', 'edith'].map((username) =>
        visitor(byInvitation).post('/api/v1/auth/sign-up/', {
          username,
          password: 'nanoseconds',
          invitation,
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  test('the id of a revoked key is never used again', async () => {
    const [ada, session] = [await person(site, 'ada'), await site.signIn('ada')];
    await ada.key();
    const createKeyNamed = async (name: string) => {
      const request = { name, password: adasAccount.password };
      return Number(await memberOf(await anonymous.post('/api/v1/auth/keys/', request, session), 'id'));
    };

    const first = await createKeyNamed('first');
    expect((await ada.delete(`/api/v1/auth/keys/${first}/`)).status).toBe(204);
    expect(await createKeyNamed('second')).toBe(first + 1);
  });

  test('the sweep deletes what has expired and nothing else', async () => {
    const session = await site.signIn('ada');
    await site.signIn('maker');
    await anonymous.post('/api/v1/auth/invitations/', {}, await site.key('mo'));
    await anonymous.post('/api/v1/auth/token/', { ...adasAccount, password: 'difference engine' });
    const countRows = async () => ({
      sessions: await count(site.database, sql`from session`),
      invitations: await count(site.database, sql`from invitation`),
      signInAttempts: await count(site.database, sql`from sign_in_attempt`),
    });

    const sweepAll = () =>
      doTasks(
        site.database,
        (error) => {
          throw error;
        },
        { now: true },
      );
    await sweepAll();
    expect(await countRows()).toEqual({ sessions: 2, invitations: 1, signInAttempts: 3 });

    await site.database.transaction(async (transaction) => {
      await transaction.run(sql`update session set expires = 1 where contributor = ${makersId}`);
      await transaction.run(sql`update invitation set expires = 1`);
      await transaction.run(sql`update sign_in_attempt set until = 1`);
    });
    await sweepAll();
    expect(await countRows()).toEqual({ sessions: 1, invitations: 0, signInAttempts: 0 });
    expect(await readUsername(session)).toBe('ada');
  });

  test('no secret is in the database, in the log or in a dump in clear text', async () => {
    const mo = await person(site, 'mo');
    const tokenResponse = await anonymous.post('/api/v1/auth/token/', adasAccount);
    const token = await memberOf(tokenResponse, 'token');
    const sessionResponse = await anonymous.post('/api/v1/auth/session/', adasAccount);
    const session = cookieOf(sessionResponse).Cookie?.split('=')[1]?.slice(0, 43) ?? '';
    const asAda = {
      ...cookieOf(sessionResponse),
      'X-CSRFToken': await memberOf(sessionResponse, 'csrf_token'),
    };
    const newKey = { name: 'a', password: adasAccount.password };
    const key = await memberOf(await anonymous.post('/api/v1/auth/keys/', newKey, asAda), 'key');
    const invitation = await memberOf(await mo.post('/api/v1/auth/invitations/', {}), 'invitation');

    let stored = site.logged.join('\n');
    const accountTables = [accountTable, sessionTable, apiKeyTable, invitationTable, signInAttemptTable];
    for (const { name, columns } of [...accountTables, changeTable, secretTable] as Table[])
      stored += JSON.stringify(await site.database.all<object>(select(columns, raw(`from ${name}`))));
    await exportDump(site.database, site.files, async (lines) => {
      stored += lines;
    });
    for (const secret of [adasAccount.password, token, session, key, invitation]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(stored).not.toContain(secret);
    }
    // The stored hash shows that the tables were read.
    expect(stored).toContain(new Bun.CryptoHasher('sha256').update(token).digest('hex'));
  });
});

test('at most two passwords are hashed at a time, and too many waiting ones are refused', async () => {
  const passwords = new Passwords();

  const checks = await new RequestLifetime(60_000).run(() =>
    Promise.allSettled(Array.from({ length: 60 }, () => passwords.check('x', null))),
  );
  expect(checks.filter(({ status }) => status === 'rejected')).toHaveLength(8);
  expect(passwords.hashCount).toBe(52);
});
