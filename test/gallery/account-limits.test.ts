// Limits of what one account can store in passing, and how people at one address sign in together.

import { expect, spyOn, test } from 'bun:test';
import sql from 'sql-template-tag';
import { count, integer, nullable, select, text } from '#sql';
import { Passwords } from '../../src/core/accounts/passwords.ts';
import { now } from '../../src/core/instant.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { type Kind, onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

/** Of "analytical engine". */
const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$mTGY3/fl31RqRBVCF8iOQFyLeitF4i5TM520C9PX4es$aXOu6gUqDqlNUxCpFXrHwzgTWlASrmtnmLFyT0C7D44';
const pupils = Array.from({ length: 30 }, (_, index) => `pupil${index + 1}`);
const school = dump(
  ...pupils.map((name, index) => contributor(index + 1, name)),
  ...pupils.map((_, index) =>
    JSON.stringify({
      type: 'account',
      contributor: index + 1,
      role: 'contributor',
      password: passwordHash,
      disabled: null,
    }),
  ),
);

const signIn = async (site: Site, username: string, password: string) =>
  (await visitor(site).post('/api/v1/auth/token/', { username, password })).status;

/** A site that believes X-Forwarded-For. */
const siteBehindProxy = (kind: Kind, environment = {}) =>
  siteOn(kind, {
    dump: school,
    peer: '10.0.0.1',
    environment: { VITRINE_TRUSTED_PROXIES: '10.0.0.1', ...environment },
  });

const signInFrom = (
  site: Site,
  address: string,
  username: string,
  password: string,
  path = '/api/v1/auth/token/',
  headers = {},
): Promise<Response> =>
  visitor(site).post(path, { username, password }, { 'X-Forwarded-For': address, ...headers });

const cookieNamed = (response: Response, name: string): string =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

const numbersTo = (last: number) => sql`with recursive numbers (number) as (
  select 1 union all select number + 1 from numbers where number < ${last})`;

/** Stores so many short responses to ada's idempotency keys, one each microsecond. */
const store = ({ database }: Site, count: number, from: number, prefix = 'a') =>
  database.transaction((transaction) =>
    transaction.run(sql`${numbersTo(count)} insert into idempotency (contributor, key, request, response, created, bytes)
      select 1, ${prefix} || number, '', '{}', ${from} + number, 2 from numbers`),
  );

const storedResponses = (site: Site, where = sql`1 = 1`) =>
  count(site.database, sql`from idempotency where ${where}`);

onBothDatabases((kind) => {
  test('thirty people sign in at once at one address, and guesses of many names there are limited', async () => {
    const environment = { VITRINE_SIGN_IN_LIMIT: '1' };
    const site = await siteOn(kind, { dump: school, peer: '192.0.2.1', environment });
    const signInAll = (names: string[], password: string) =>
      Promise.all(names.map((name) => signIn(site, name, password)));

    expect(await signInAll(pupils, 'analytical engine')).toEqual(Array(30).fill(200));
    // A hundred times the limit for one name.
    const guesses: number[] = [];
    for (let batch = 1; batch <= 4; batch++) {
      const names = pupils.map((name) => `not-${name}-${batch}`);
      guesses.push(...(await signInAll(names, 'difference engine')));
    }
    expect(guesses.sort()).toEqual([...Array(100).fill(400), ...Array(20).fill(429)]);
    expect(await signInAll(pupils, 'analytical engine')).toEqual(Array(30).fill(200));

    const sharedNetwork = { ...environment, VITRINE_SHARED_NETWORKS: '192.0.2.0/24' };
    const elsewhere = await siteAt(site.address, { environment, peer: '192.0.3.1' });
    expect(await signIn(elsewhere, 'somebody', 'difference engine')).toBe(400);
    const shared = await siteAt(site.address, { environment: sharedNetwork, peer: '192.0.2.1' });
    expect(await signIn(shared, 'anybody', 'difference engine')).toBe(400);
  });

  test('people who sign in take turns by address and by name, and known ones go first', async () => {
    const site = await siteBehindProxy(kind);
    const signInAt = async (address: string, username: string, password = 'analytical engine') =>
      (await signInFrom(site, address, username, password)).status;
    await signInAt('192.0.2.1', 'pupil1');

    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { inTurn } = Passwords.prototype;
    using asked = spyOn(Passwords.prototype, 'inTurn').mockImplementation(function (
      this: Passwords,
      turn,
      work,
    ) {
      const workLater = async () => {
        order.push(turn?.name ?? '');
        await gate.promise;
        return work();
      };
      return inTurn.call(this, turn, workLater) as never;
    });
    const flood = Array.from({ length: 24 }, (_, index) =>
      signInAt('192.0.2.1', `nobody${index}`, 'difference engine'),
    );
    const same = Array.from({ length: 24 }, () => signInAt('192.0.2.2', 'pupil2'));
    await waitFor(() => asked.mock.calls.length === 48);
    const others = [
      signInAt('192.0.2.3', 'pupil3'),
      signInAt('192.0.2.2', 'pupil4'),
      signInAt('192.0.2.1', 'pupil1'),
    ];
    await waitFor(() => asked.mock.calls.length === 51);
    gate.resolve();

    expect(await Promise.all(others)).toEqual([200, 200, 200]);
    // Two of the others had begun.
    expect(order[2]).toBe('pupil1');
    expect(order.slice(3, 6)).toContain('pupil3');
    expect(order.slice(3, 9)).toContain('pupil4');
    const statuses = await Promise.all([...flood, ...same]);
    expect(statuses.sort()).toEqual([...Array(24).fill(200), ...Array(24).fill(400)]);
  });

  test('right passwords of one account are limited, and others sign in from its address', async () => {
    const site = await siteBehindProxy(kind, { VITRINE_SIGN_IN_LIMIT: '1' });
    const statusOf = async (username: string) =>
      (await signInFrom(site, '192.0.2.1', username, 'analytical engine')).status;

    for (let count = 0; count < 10; count++) expect(await statusOf('pupil1')).toBe(200);
    expect(await statusOf('pupil1')).toBe(429);
    expect(await statusOf('pupil2')).toBe(200);
  });

  test('guesses at a school lock out neither its known devices nor who has not failed', async () => {
    const site = await siteBehindProxy(kind, { VITRINE_SIGN_IN_LIMIT: '1' });
    const guess = (address: string, username: string) =>
      signInFrom(site, address, username, 'difference engine').then(({ status }) => status);
    const atHome = await signInFrom(
      site,
      '192.0.2.9',
      'pupil1',
      'analytical engine',
      '/api/v1/auth/session/',
    );
    const Cookie = cookieNamed(atHome, 'known_device');
    const signInOnDevice = (username: string, address: string, password = 'analytical engine') =>
      signInFrom(site, address, username, password, '/api/v1/auth/session/', { Cookie });

    for (let count = 1; count <= 10; count++) expect(await guess('192.0.2.1', `nobody${count}`)).toBe(400);
    // A name that has failed has no place left, a new one has.
    expect(await guess('192.0.2.1', 'nobody1')).toBe(429);
    expect(await guess('192.0.2.1', 'pupil1')).toBe(400);
    expect(await guess('192.0.2.1', 'pupil1')).toBe(429);
    expect((await signInFrom(site, '192.0.2.1', 'pupil1', 'analytical engine')).status).toBe(429);
    expect((await signInOnDevice('pupil1', '192.0.2.1')).status).toBe(200);
    // The device is known for its account alone, and guesses count there too.
    expect(await guess('192.0.2.1', 'pupil2')).toBe(400);
    expect((await signInOnDevice('pupil2', '192.0.2.1')).status).toBe(429);
    expect((await signInOnDevice('pupil1', '192.0.2.2', 'difference engine')).status).toBe(400);
    expect((await signInOnDevice('pupil1', '192.0.2.2')).status).toBe(429);
  });

  test('so many responses to idempotency keys are kept for a person, the newest ones', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, contributor(2, 'bob')) });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const make = (someone: typeof ada, title: string, text = '') =>
      someone.post('/api/v1/projects/', { title, text }, { 'Idempotency-Key': title });
    await make(bob, 'bobs');

    await store(site, 499, now() - 3600_000_000);
    for (const title of ['a500', 'a501']) expect((await make(ada, title)).status).toBe(201);
    const kept = await site.database.all(
      select({ key: text() }, sql`from idempotency where contributor = 1 order by created`),
    );
    expect(kept.map(({ key }) => key)).toEqual(Array.from({ length: 375 }, (_, index) => `a${index + 127}`));
    expect((await (await make(ada, 'a501')).json()).id).toBe(3);
    expect(await storedResponses(site, sql`contributor = 2`)).toBe(1);

    const long = 'ä'.repeat(100_000);
    for (let number = 1; number <= 12; number++) await make(ada, `long-${number}`, long);
    const stored = await site.database.first(
      select(
        { bytes: nullable(integer(sql`sum(bytes)`)), longest: nullable(integer(sql`max(length(response))`)) },
        sql`from idempotency where contributor = 1`,
      ),
    );
    expect(stored?.longest).toBeGreaterThan(100_000);
    expect(stored?.bytes).toBeLessThanOrEqual(2_000_000);
    expect(stored?.bytes).toBeGreaterThan(1_000_000);
  });

  test('the sweep deletes expired responses, and sign-in attempts beyond a hundred thousand', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1)) });
    const hour = 3600_000_000;
    await store(site, 449, now() - 48 * hour);
    await store(site, 1, now(), 'new');
    await site.database.transaction(async (transaction) => {
      await transaction.run(sql`${numbersTo(100_010)} insert into sign_in_attempt (subject, count, until)
        select 's' || number, 1, ${now() + hour} + number from numbers`);
      // Statistics as a running server may have them: they do not count the rows of this transaction.
      if (kind === 'PostgreSQL')
        await site.database.transaction((other) => other.run(sql`analyze sign_in_attempt`));
    });

    await sweep(site.database, site.files);
    expect(await storedResponses(site)).toBe(1);
    expect(await count(site.database, sql`from sign_in_attempt`)).toBe(100_000);
    expect(await count(site.database, sql`from sign_in_attempt where subject in ('s10', 's11')`)).toBe(1);
  });

  test('an account has at most twenty sessions, the newest ones', async () => {
    const site = await siteOn(kind, { dump: school });
    const cookies: string[] = [];
    for (let number = 1; number <= 22; number++) {
      const { Cookie = '' } = await site.signIn('pupil1');
      cookies.push(Cookie);
    }
    const names = await Promise.all(
      cookies.map(async (Cookie) => {
        const session = (await site.json('/api/v1/auth/session/', { Cookie })) as { username: string | null };
        return session.username;
      }),
    );
    expect(names).toEqual([null, null, ...Array(20).fill('pupil1')]);
  });
});
