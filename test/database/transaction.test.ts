// A write is stored completely or not at all. Its handle works for that write only. The functions registered to follow
// its commit run once, after the commit.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { Unavailable } from '#common/errors.ts';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { exists, select, type Transaction } from '#sql';
import { contributorTable } from '../../src/core/contributors/tables.ts';
import { secretTable } from '../../src/core/server-tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, siteOn } from '../support/site.ts';
import { letTimePass, refusalOf, stopClock } from '../support/waiting.ts';

const people = dump(ada, contributor(2, 'bob'));
const rename = (id: number, name: string) =>
  sql`update contributor set first_name = ${name} where id = ${id}`;

onBothDatabases((kind) => {
  test('a write that returned a row and then fails leaves nothing behind, whatever it shares its commit with', async () => {
    const { database } = await siteOn(kind, { dump: people });
    const outcomes = await Promise.allSettled([
      database.transaction((transaction) => transaction.run(rename(1, 'Augusta'))),
      database.transaction(async (transaction) => {
        const statement = sql`insert into secret (name, value) values ('half', 'done')`;
        const row = await transaction.runReturning(secretTable.columns, statement);
        throw new Error(`failed after ${row?.value}`);
      }),
    ]);

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: new Error('failed after done') },
    ]);
    expect(await exists(database, sql`from contributor where first_name = 'Augusta'`)).toBe(true);
    expect(await exists(database, sql`from secret where name = 'half'`)).toBe(false);
  });

  test('the handle of a transaction is its own and cannot be used afterwards', async () => {
    const { database } = await siteOn(kind, { dump: people });
    const handles = new Set<Transaction>();
    const keep = (transaction: Transaction) => Promise.resolve(handles.add(transaction));
    await Promise.all([database.transaction(keep), database.transaction(keep)]);
    await database
      .transaction((transaction) => keep(transaction).then(() => Promise.reject(new Error('no'))))
      .catch(() => {});

    expect(handles.size).toBe(3);
    for (const transaction of handles) {
      const name = select(contributorTable.columns, sql`from contributor where id = 1`);
      const uses = [
        () => transaction.run(rename(1, 'Late')),
        () => transaction.first(name),
        () => transaction.all(name),
        () => transaction.runReturning(contributorTable.columns, rename(1, 'Late')),
        () => transaction.insert(secretTable, [{ name: 'late', value: '' }]),
        async () => transaction.onCommit(() => {}),
      ];
      for (const use of uses) expect(await refusalOf(use())).toContain('This transaction has ended');
    }
    expect(await exists(database, sql`from contributor where first_name = 'Late'`)).toBe(false);
  });

  test('what follows a commit runs in order, before the write is answered, when the row can be read', async () => {
    const { database } = await siteOn(kind, { dump: people });
    const events: string[] = [];
    const isRenamed = () => exists(database, sql`from contributor where first_name = 'Augusta'`);
    const readers: Promise<boolean>[] = [];
    await database.transaction(async (transaction) => {
      transaction.onCommit(() => readers.push(isRenamed()));
      transaction.onCommit(() => events.push('first'));
      await transaction.run(rename(1, 'Augusta'));
      transaction.onCommit(() => events.push('second'));
      events.push('work');
    });
    events.push('answered');

    expect(events).toEqual(['work', 'first', 'second', 'answered']);
    expect(await Promise.all(readers)).toEqual([true]);
  });

  test('nothing follows a write that was rolled back, though its neighbours were stored', async () => {
    const { database } = await siteOn(kind, { dump: people });
    const events: string[] = [];
    const write = (name: string, fails: boolean) =>
      database.transaction(async (transaction) => {
        transaction.onCommit(() => events.push(name));
        await transaction.run(rename(1, name));
        if (fails) throw new Error(name);
      });
    const outcomes = await Promise.allSettled([
      write('one', false),
      write('two', true),
      write('three', false),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(events.sort()).toEqual(['one', 'three']);
  });

  test('the callbacks of a retried write run once', async () => {
    const { database } = await siteOn(kind, { dump: people });
    const events: string[] = [];
    let attempts = 0;
    // On PostgreSQL, two writes that wait for each other are a deadlock, and one of them is retried.
    const both = Promise.withResolvers<void>();
    const write = (first: number, second: number) =>
      database.transaction(async (transaction) => {
        transaction.onCommit(() => events.push(`${first} ${second}`));
        if (kind === 'PostgreSQL') await transaction.run(sql`set local deadlock_timeout = '10ms'`);
        await transaction.run(rename(first, 'Once'));
        if (++attempts === 2) both.resolve();
        if (kind === 'PostgreSQL') await both.promise;
        await transaction.run(rename(second, 'Twice'));
      });
    // On SQLite, the failure of a write undoes those that share its commit. These do: they take no time.
    const fail = () =>
      database.transaction(async (transaction) => {
        await transaction.run(rename(1, 'Never'));
        throw new Error('This write fails.');
      });

    if (kind === 'SQLite') stopClock();
    const writes = [write(1, 2), write(2, 1)];
    if (kind === 'SQLite') writes.push(fail());
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.map(({ status }) => status).slice(0, 2)).toEqual(['fulfilled', 'fulfilled']);
    expect(attempts).toBeGreaterThan(2);
    expect(events.sort()).toEqual(['1 2', '2 1']);
  });

  test('an error in what follows a commit reaches the log, and the write stands', async () => {
    const { database, logged } = await siteOn(kind, { dump: people });
    const events: string[] = [];
    await database.transaction(async (transaction) => {
      transaction.onCommit(() => {
        throw new Unavailable('the index is away');
      });
      transaction.onCommit(() => Promise.reject('later'));
      transaction.onCommit(() => events.push('still'));
      await transaction.run(rename(1, 'Augusta'));
    });
    await nextEventLoopTurn();

    expect(events).toEqual(['still']);
    expect(logged).toEqual([
      '- fault Service temporarily unavailable, try again later. Cause: the index is away',
      '- fault later',
    ]);
    expect(await exists(database, sql`from contributor where first_name = 'Augusta'`)).toBe(true);
  });
});

test('on SQLite, reads go on between writes that take long', async () => {
  const { database } = await siteOn('SQLite', { dump: people });
  const events: string[] = [];
  const write = (name: string) =>
    database.transaction(async (transaction) => {
      letTimePass(20);
      setImmediate(() => events.push('another request'));
      events.push(name);
      await transaction.run(rename(1, name));
    });
  await Promise.all(['first', 'second', 'third'].map(write));

  expect(events).toEqual(['first', 'another request', 'second', 'another request', 'third']);
});
