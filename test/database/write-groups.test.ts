// On PostgreSQL, creates that arrive together share a transaction. None of them notices the others.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { integer, select } from '#sql';
import { checkGallery } from '../../src/projects/check/check.ts';
import { type Person, person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, type Site, siteOn } from '../support/site.ts';

async function gallery(environment: Record<string, string> = {}): Promise<[Site, Person, Person]> {
  const site = await siteOn('PostgreSQL', { dump: dump(adasLine, contributor(2, 'bob')), environment });
  const people = await Promise.all([person(site, 'ada'), person(site, 'bob')]);
  await Promise.all(people.map((someone) => someone.key()));
  return [site, ...people];
}

const create = async (owner: Person, count: number, fields: object = {}) => {
  const bodies = Array.from({ length: count }, (_, index) => ({
    title: `Number ${index}`,
    tags: ['paper'],
    ...fields,
  }));
  const responses = await Promise.all(bodies.map((body) => owner.post('/api/v1/projects/', body)));
  return responses.map(({ status }) => status).sort();
};

/** So many writes begin together, however long their requests take until then. */
function beginTogether({ database }: Site, count: number): void {
  const { transaction } = database;
  const together = Promise.withResolvers<void>();
  let begun = 0;
  database.transaction = async (work, options) => {
    if (options?.isIndependent && ++begun === count) together.resolve();
    if (options?.isIndependent) await together.promise;
    return transaction.call(database, work, options) as ReturnType<typeof work>;
  };
}

test('creates of several people share a transaction, and a refused one is not part of it', async () => {
  const [site, ada, bob] = await gallery();
  const { database } = site;
  beginTogether(site, 18);
  const outcomes = await Promise.all([
    create(ada, 9),
    create(bob, 9),
    create(bob, 1, { content_type: 'comment' }),
  ]);
  expect(outcomes).toEqual([Array(9).fill(201), Array(9).fill(201), [400]]);
  const transactions = { count: integer(sql`count(distinct xmin::text)`) };
  expect((await database.first(select(transactions, sql`from project`)))?.count).toBe(1);
  expect(await checkGallery(database, false)).toEqual([]);
});

test('a quota counts all creates of a transaction, and that of one account stops no other', async () => {
  const [site, ada, bob] = await gallery({ VITRINE_PROJECT_QUOTA: '5' });
  const { database } = site;
  beginTogether(site, 13);
  const outcomes = await Promise.all([create(ada, 4), create(bob, 9)]);
  expect(outcomes).toEqual([Array(4).fill(201), [...Array(5).fill(201), ...Array(4).fill(403)]]);
  expect(await checkGallery(database, false)).toEqual([]);
});

test('who waits for a lock holds up nobody else', async () => {
  const [site, ada, bob] = await gallery();
  const client = new Bun.SQL({ url: site.address, max: 1 });
  await client.unsafe('begin');
  await client.unsafe('select from account where contributor = 2 for update');
  let isDone = false;
  const waiting = create(bob, 1).finally(() => {
    isDone = true;
  });
  expect(await create(ada, 9)).toEqual(Array(9).fill(201));
  expect(isDone).toBe(false);
  await client.unsafe('rollback');
  expect(await waiting).toEqual([201]);
  await client.close();
});
