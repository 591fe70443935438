// When the database is locked, full, read-only or cut off: refused writes are not done, reads go on, and writes work
// again without a restart.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { StorageFull } from '#common/errors.ts';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { integer, select, type Transaction } from '#sql';
import { checkGallery } from '../../src/projects/check/check.ts';
import { emptyDatabase, type Kind, onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { onPostgres } from '../support/shared-postgres.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { limitTime, waitFor, waitMs } from '../support/waiting.ts';

const gallery = dump(adasLine, contributor(2, 'bob'));
const unavailable = {
  status: 503,
  retryAfter: '1',
  body: { detail: 'Service temporarily unavailable, try again later.' },
};
const storageFull = {
  status: 507,
  retryAfter: null,
  body: { detail: 'There is no room left to store this.' },
};

async function create(owner: Person, title: string, fields: object = {}) {
  const response = await owner.post('/api/v1/projects/', { title, ...fields });
  const retryAfter = response.headers.get('Retry-After');
  return { status: response.status, retryAfter, body: (await response.json()) as unknown };
}

async function titles(site: Site): Promise<string[]> {
  const list = await visitor(site).json<{ results: { title: string }[] }>('/api/v1/projects/?page_size=100');
  return list.results.map(({ title }) => title).sort();
}

/** Another connection locks the projects until the result is called. */
async function lock(kind: Kind, site: Site): Promise<() => Promise<void>> {
  if (kind === 'SQLite') {
    const other = new Database(site.address);
    other.run('begin immediate');
    return async () => {
      other.run('rollback');
      other.close();
    };
  }
  const client = new Bun.SQL({ url: site.address, max: 1 });
  await client.unsafe('begin');
  await client.unsafe('lock table project in exclusive mode');
  return async () => {
    await client.unsafe('rollback');
    await client.close();
  };
}

/** How many statements on this database wait for a lock. */
async function countWaiting({ address }: Site): Promise<number> {
  const waiting = await onPostgres(
    "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
    [address.split('/').at(-1)],
  );
  return waiting.length;
}

const hasWaitingWrite = async (kind: Kind, site: Site) =>
  kind === 'SQLite' ? site.database.stats().queues.writes?.waiting : countWaiting(site);

/** Sends both statements at once. */
async function lockAndRename(transaction: Transaction, id: number): Promise<void> {
  const lock = async () =>
    transaction.first(
      select({ id: integer() }, sql`from contributor where id = ${id} ${transaction.forUpdate}`),
    );
  await Promise.all([lock(), transaction.run(sql`update contributor set first_name = 'x' where id = ${id}`)]);
}

/** Ends the connection that holds a lock, and blocks this process until a transaction of the site has failed. */
function failWithoutConnection({ address }: Site, connection: number): void {
  const script = `
    const client = new Bun.SQL({ url: ${JSON.stringify(address)}, max: 1 });
    await client.unsafe('select pg_terminate_backend(${connection})');
    const failed = "select from pg_stat_activity where datname = current_database() and state like '%(aborted)'";
    while ((await client.unsafe(failed)).length === 0) await Bun.sleep(5);
    await client.close();`;
  const { exitCode } = Bun.spawnSync([process.execPath, '-e', script], { timeout: waitMs });
  expect(exitCode).toBe(0);
}

/** The different statuses of fifty reads, one after another. */
async function statusesOfManyReads(site: Site): Promise<number[]> {
  const statuses = new Set<number>();
  for (let read = 0; read < 50; read++) {
    statuses.add((await site.get(`/api/v1/projects/?page_size=${read + 1}`)).status);
    await nextEventLoopTurn();
  }
  return [...statuses];
}

onBothDatabases((kind) => {
  test('a write waits while the database is locked, and reads do not', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    const unlock = await lock(kind, site);

    let hasResponse = false;
    const writing = create(ada, 'Patient').finally(() => {
      hasResponse = true;
    });
    await waitFor(() => hasWaitingWrite(kind, site));
    expect(await statusesOfManyReads(site)).toEqual([200]);
    expect(hasResponse).toBe(false);

    await unlock();
    expect((await writing).status).toBe(201);
  });

  test('a write that waits too long for a lock is refused and not done, and the next one is done', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    limitTime('lock', 50);
    const unlock = await lock(kind, site);

    const writes = [create(ada, 'Too late'), create(ada, 'Too late as well')];
    expect(await statusesOfManyReads(site)).toEqual([200]);
    expect(await Promise.all(writes)).toEqual([unavailable, unavailable]);

    await unlock();
    limitTime('lock', waitMs);
    expect((await create(ada, 'In time')).status).toBe(201);
    expect(await titles(site)).toEqual(['In time']);
  });

  test('a write that got 503 at its deadline is not done afterwards', async () => {
    const site = await siteOn(kind, { dump: gallery, timeoutMs: 200 });
    const ada = await person(site, 'ada');
    // The first use of a key is stored, which gives its request more time.
    await waitFor(async () => (await ada.get('/api/v1/me/')).status === 200);
    const unlock = await lock(kind, site);

    const writes = Array.from({ length: 12 }, (_, index) => create(ada, `Given up ${index}`));
    expect(await Promise.all(writes)).toEqual(Array(12).fill(unavailable));
    const faults = site.logged.filter((line) => line.includes(' fault '));
    expect(faults.filter((line) => !line.endsWith('Cause: the request timed out'))).toEqual([]);

    await unlock();
    await waitFor(async () => (await create(ada, 'In time')).status === 201);
    expect(await titles(site)).toEqual(['In time']);
  });

  test('of simultaneous writes with If-Match one succeeds, and the others get 412', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1)) });
    const ada = await person(site, 'ada');
    const etag = (await ada.get('/api/v1/projects/1/')).headers.get('ETag') ?? '';

    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ada.patch('/api/v1/projects/1/', { title: `By ${index}` }, { 'If-Match': etag }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  test('simultaneous writes without If-Match all succeed, and nobody reads a half-written project', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1, { text: 'A project' })) });
    const ada = await person(site, 'ada');

    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        if (index % 2) return ada.get('/api/v1/projects/1/');
        return ada.patch('/api/v1/projects/1/', { title: `Number ${index}`, text: `Number ${index}` });
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200));
    for (const response of responses) {
      const { title, text } = (await response.json()) as { title: string; text: string };
      expect(title).toBe(text);
    }
  });
});

describe('on SQLite', () => {
  const setMaxPages = (site: Site, count: string) =>
    site.database.transaction((transaction) => transaction.run(sql([`pragma max_page_count = ${count}`])));

  test('on a full disk writes get 507 and reads go on, and writes work again when there is room', async () => {
    const site = await siteOn('SQLite', { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    // From now on the file of the database cannot grow.
    await setMaxPages(site, '1');

    const text = 'a lamp that blinks '.repeat(500);
    const writes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const title = `Number ${index}`;
        return { title, response: await create(ada, title, { text, tags: 'a, b' }) };
      }),
    );
    const stored = writes.filter(({ response }) => response.status === 201);
    const refused = writes.filter(({ response }) => response.status !== 201);
    expect(refused.map(({ response }) => response)).toEqual(Array(60 - stored.length).fill(storageFull));
    expect(await create(ada, 'The last one', { text })).toEqual(storageFull);
    expect(site.logged.at(-2)).toEndWith('Cause: SQLITE_FULL database or disk is full');
    expect(await statusesOfManyReads(site)).toEqual([200]);
    expect(await titles(site)).toEqual(stored.map(({ title }) => title).sort());

    await setMaxPages(site, '1000000000');
    expect((await create(ada, 'Room again', { text })).status).toBe(201);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a key reads although its last use cannot be stored on a full disk', async () => {
    const site = await siteOn('SQLite', { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    site.database.transaction = () => Promise.reject(new StorageFull('the disk is full'));

    expect((await ada.get('/api/v1/me/')).status).toBe(200);
    // An unhandled rejection would be reported now, and stop a server.
    await nextEventLoopTurn();
  });

  test('a read-only file is read, and written as soon as it is writable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-read-only-'));
    const file = join(folder, 'gallery.sqlite');
    const site = await siteAt(file, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    await site.close();
    chmodSync(folder, 0o777);
    chmodSync(file, 0o444);
    // Root may write to a read-only file.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      const reopened = await siteAt(file);
      const owner = ada.at(reopened);
      expect(await statusesOfManyReads(reopened)).toEqual([200]);
      expect(await create(owner, 'Refused')).toEqual(unavailable);

      if (isRoot) process.seteuid?.(0);
      for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o666);
      if (isRoot) process.seteuid?.(65534);
      expect((await create(owner, 'Allowed')).status).toBe(201);
      expect(await titles(reopened)).toEqual(['Allowed']);
    } finally {
      if (isRoot) process.seteuid?.(0);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('on PostgreSQL', () => {
  test('a write whose connection ends in the middle is refused and not done, and the next one is', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();
    const unlock = await lock('PostgreSQL', site);
    const client = new Bun.SQL({ url: site.address, max: 1 });
    const endWaitingConnections = () =>
      client.unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and $1 = 1`,
        [1],
      );

    let isAnswered = false;
    const writing = create(ada, 'Cut off').finally(() => {
      isAnswered = true;
    });
    // A write that began together with others is tried again alone.
    await waitFor(async () => {
      await endWaitingConnections();
      return isAnswered;
    });
    expect(await writing).toEqual(unavailable);
    expect(site.logged.at(-2)).toContain(' Cause: ERR_POSTGRES_');

    await unlock();
    await client.close();
    expect((await create(ada, 'Whole')).status).toBe(201);
    expect(await titles(site)).toEqual(['Whole']);
  });

  test('after the change log could not be read for a while, writes are answered as before', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery });
    const ada = await person(site, 'ada');
    expect(await create(ada, 'Before')).toMatchObject({ status: 201 });
    limitTime('changeLog', 50);
    const client = new Bun.SQL({ url: site.address, max: 1 });
    await client.unsafe('begin');
    await client.unsafe('lock table change in access exclusive mode');

    // Until the server has given up reading the log.
    await waitFor(async () => {
      await site.get('/api/v1/projects/');
      return site.database.generation() === undefined;
    });
    await client.unsafe('rollback');
    await client.close();
    limitTime('changeLog', waitMs);

    expect(await create(ada, 'After')).toMatchObject({ status: 201 });
    expect(await titles(site)).toEqual(['After', 'Before']);
  });

  test('two writes that deadlock are both done, one after the other', async () => {
    const site = await siteOn('PostgreSQL', { dump: gallery });
    let locks = 0;
    let tries = 0;
    const bothLocked = Promise.withResolvers<void>();
    const gate = new Bun.SQL({ url: site.address, max: 1 });
    const [{ connection }] = await gate.unsafe('select pg_backend_pid() as connection, pg_advisory_lock(1)');
    const passGate = (transaction: Transaction, key: number) =>
      transaction.run(sql`select pg_advisory_xact_lock_shared(${key})`);
    const change = (first: number, second: number) =>
      site.database.transaction(async (transaction) => {
        tries++;
        await transaction.run(sql`set local deadlock_timeout = '10ms'`);
        await passGate(transaction, 2);
        await lockAndRename(transaction, first);
        if (++locks === 2) bothLocked.resolve();
        await bothLocked.promise;
        await Promise.all([passGate(transaction, 1), lockAndRename(transaction, second)]);
        return `${first} ${second}`;
      });

    const changes = Promise.all([change(1, 2), change(2, 1)]);
    await waitFor(async () => (await countWaiting(site)) === 2);
    // Blocked until then, this process reads both errors of the deadlock at once.
    failWithoutConnection(site, connection);
    await gate.close();
    expect(await changes).toEqual(['1 2', '2 1']);
    expect(tries).toBe(3);
  });

  test('a comment and its project are changed at the same time without a deadlock', async () => {
    const address = await emptyDatabase('PostgreSQL');
    await onPostgres(`alter database ${address.split('/').at(-1)} set deadlock_timeout = '10ms'`);
    const comment = project(2, { content_type: 'comment', parent: 1, contributor: 2 });
    const site = await siteAt(address, { dump: dump(adasLine, contributor(2, 'bob'), project(1), comment) });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];

    for (let round = 0; round < 15; round++) {
      const change = { visibility: round % 2 ? 'public' : 'unlisted' };
      const responses = await Promise.all([
        ada.patch('/api/v1/projects/1/', change),
        bob.patch('/api/v1/projects/2/', change),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    }
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a server notices that an earlier state was restored beneath it', async () => {
    const site = await siteOn('PostgreSQL', { dump: dump(adasLine, project(1, { title: 'Before' })) });
    const ada = await person(site, 'ada');
    const client = new Bun.SQL({ url: site.address, max: 1 });
    const [head] = await client.unsafe('select last, hash from change_head');
    await ada.patch('/api/v1/projects/1/', { title: 'After' });
    expect(await titles(site)).toEqual(['After']);
    const known = await waitFor(() => site.database.generation());

    await client.begin(async (transaction) => {
      await transaction`update project set title = 'Before' where id = 1`;
      await transaction`delete from change where sequence > ${head.last}`;
      await transaction`update change_head set last = ${head.last}, hash = ${head.hash}`;
    });
    await client.close();
    await waitFor(() => ![known, undefined].includes(site.database.generation()));
    // The first request reads the database; the next ones may be answered from the cache.
    for (let request = 0; request < 5; request++) expect(await titles(site)).toEqual(['Before']);
  });
});
