// The cached responses that a change makes stale: responses that it does not concern stay cached.

import { expect, spyOn, test } from 'bun:test';
import type { Query } from '#sql';
import { invalidationOf } from '../../src/core/changes/change-kinds.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { whileUpToDate } from '../support/waiting.ts';

const gallery = dump(ada, contributor(2, 'bob'), project(1, { title: 'A kite' }), project(2), project(3));
const record = '/api/v1/projects/1/';
const listing = '/api/v1/projects/';

/** Whether the visitor's request is answered without a query, but for those that ask what has changed. */
async function isCached(site: Site, path: string): Promise<boolean> {
  const { database } = site;
  let queries = 0;
  const readers = new Set([database, database.slowReader]);
  const spies = [...readers].flatMap((reader) => {
    const { all, first } = reader;
    const note = ({ statement }: Query<object>) => {
      if (!statement.sql.includes('from change')) queries++;
    };
    return [
      spyOn(reader, 'all').mockImplementation((query) => {
        note(query);
        return all.call(reader, query) as never;
      }),
      spyOn(reader, 'first').mockImplementation((query) => {
        note(query);
        return first.call(reader, query) as never;
      }),
    ];
  });
  await whileUpToDate(site, () => site.get(path));
  for (const spy of spies) spy.mockRestore();
  return queries === 0;
}

onBothDatabases((kind) => {
  test('a report, a decision, an account and a key discard no cached response', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const bob = await person(site, 'bob', { role: 'moderator' });
    await bob.key();
    await bob.json(listing);
    const cached = async () => [await isCached(site, record), await isCached(site, listing)];
    // A response is kept from the second request on.
    for (const _ of [1, 2]) await cached();
    expect(await cached()).toEqual([true, true]);

    expect((await bob.post('/api/v1/projects/2/report/', { reason: 'spam' })).status).toBe(201);
    expect(await cached()).toEqual([true, true]);

    expect((await bob.post('/api/v1/reports/1/decide/', { decision: 'leave' })).status).toBe(200);
    expect(await cached()).toEqual([true, true]);

    await site.key('bob');
    expect((await bob.post('/api/v1/auth/invitations/', {})).status).toBe(201);
    expect(await cached()).toEqual([true, true]);
  });

  test('a change of a project discards its record and the listings, and no other record', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const bob = await person(site, 'bob', { role: 'moderator' });
    const cached = async () => [
      await isCached(site, record),
      await isCached(site, '/api/v1/projects/2/'),
      await isCached(site, listing),
    ];
    await bob.key();
    // A response is kept from the second request on.
    for (const _ of [1, 2]) await cached();
    expect(await cached()).toEqual([true, true, true]);

    expect((await bob.patch(record, { title: 'A boat' })).status).toBe(200);
    expect(await cached()).toEqual([false, true, false]);
    expect(await site.json(record)).toMatchObject({ title: 'A boat' });
  });

  test('a new contributor discards the listings only, and a new name everything', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_SIGN_UP: 'open' } });
    const bob = await person(site, 'bob');
    const cached = async () => [await isCached(site, record), await isCached(site, listing)];
    await bob.key();
    // A response is kept from the second request on.
    for (const _ of [1, 2]) await cached();
    const signedUp = await site.request('/api/v1/auth/sign-up/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'grace', password: 'nanoseconds' }),
    });
    expect(signedUp.status).toBe(201);
    expect(await cached()).toEqual([true, false]);

    expect((await bob.patch('/api/v1/me/', { first_name: 'Robert' })).status).toBe(200);
    expect(await cached()).toEqual([false, false]);
  });
});

test('a change that this version does not know makes everything stale', () => {
  expect(invalidationOf('weather', 'changed')).toBe('everything');
  expect(invalidationOf('report', 'sung')).toBe('everything');
  expect(invalidationOf('report', 'changed')).toBe('nothing');
  expect(invalidationOf('project', 'imported')).toBe('everything');
  expect(invalidationOf('project', 'toString')).toBe('everything');
});
