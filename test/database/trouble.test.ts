// When the database cannot just now: what was refused is not there, what reads goes on, and service returns by
// itself.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { StorageFull } from '../../src/errors.ts';
import { checkGallery } from '../../src/gallery/check.ts';
import { emptyDatabase, type Kind, onBothDatabases } from '../support/databases.ts';
import { onPostgres } from '../support/shared-postgres.ts';
import { ada, contributor, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';

const people = dump(ada, contributor(2, 'bob'));
const unavailable = {
  status: 503,
  retryAfter: '1',
  body: { detail: 'Service temporarily unavailable, try again later.' },
};
const full = { status: 507, retryAfter: null, body: { detail: 'There is no room left to store this.' } };

let site: Site;

interface Made {
  id: number;
  title: string;
}

const make = async (headers: Record<string, string>, body: Record<string, unknown>) => {
  const response = await site.request('/api/v1/projects/', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const retryAfter = response.headers.get('Retry-After');
  return { status: response.status, retryAfter, body: (await response.json()) as unknown };
};

const patch = (headers: Record<string, string>, id: number, body: Record<string, unknown>) =>
  site.request(`/api/v1/projects/${id}/`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const titles = async () =>
  ((await site.json('/api/v1/projects/?page_size=100')) as { results: Made[] }).results
    .map(({ title }) => title)
    .sort();

/** Somebody else keeps writers out, until they are done. */
async function lock(kind: Kind): Promise<() => Promise<void>> {
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

/** While the database is locked, one after another. */
async function readOften(): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let read = 0; read < 50; read++) {
    statuses.add((await site.get(`/api/v1/projects/?page_size=${read + 1}`)).status);
    await Bun.sleep(1);
  }
  return statuses;
}

onBothDatabases((kind) => {
  test('a write waits while the database is locked, and reads do not', async () => {
    site = await siteOn(kind, { dump: people });
    const headers = await site.key('ada');
    const unlock = await lock(kind);
    let answered = false;
    const writing = make(headers, { title: 'Patient' }).finally(() => {
      answered = true;
    });
    const read = await readOften();
    const before = answered;
    await unlock();

    expect([before, [...read]]).toEqual([false, [200]]);
    expect((await writing).status).toBe(201);
  });

  test('a write that waits too long for a lock is refused and not done, and the next one is done', async () => {
    site = await siteOn(kind, { dump: people });
    const headers = await site.key('ada');
    const unlock = await lock(kind);
    const refused = [make(headers, { title: 'Too late' }), make(headers, { title: 'Too late as well' })];
    const read = await readOften();
    const answers = await Promise.all(refused);
    await unlock();

    expect(answers).toEqual([unavailable, unavailable]);
    expect([...read]).toEqual([200]);
    expect((await make(headers, { title: 'In time' })).status).toBe(201);
    expect(await titles()).toEqual(['In time']);
  }, 30_000);

  test('a write that got 503 at its deadline is not done afterwards', async () => {
    site = await siteOn(kind, { dump: people, timeoutMs: 200 });
    const headers = await site.key('ada');
    const unlock = await lock(kind);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => make(headers, { title: `Given up ${index}` })),
    );
    await unlock();
    let next = await make(headers, { title: 'In time' });
    for (let tries = 0; next.status === 503 && tries < 50; tries++)
      next = await make(headers, { title: 'In time' });

    expect(answers).toEqual(Array(12).fill(unavailable));
    expect(next.status).toBe(201);
    expect(await titles()).toEqual(['In time']);
  });

  test('of simultaneous writes with If-Match one succeeds, and the others get 412', async () => {
    site = await siteOn(kind, { dump: dump(ada, project(1)) });
    const headers = await site.key('ada');
    const seen = (await site.get('/api/v1/projects/1/', headers)).headers.get('ETag') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        patch({ ...headers, 'If-Match': seen }, 1, { title: `By ${index}` }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  test('simultaneous writes without If-Match all succeed, and nobody reads a half-written record', async () => {
    site = await siteOn(kind, { dump: dump(ada, project(1)) });
    const headers = await site.key('ada');
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        if (index % 2) return site.get('/api/v1/projects/1/', headers);
        return patch(headers, 1, { title: `Number ${index}`, text: `Number ${index}` });
      }),
    );
    const records = (await Promise.all(answers.map((answer) => answer.json()))) as Made[];

    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(
      records.every(
        (record) => record.title === 'A thing' || record.title === (record as never as { text: string }).text,
      ),
    ).toBe(true);
  });
});

describe('on SQLite', () => {
  const pages = (limit: string) =>
    site.database.transaction((transaction) => transaction.all(sql([`pragma max_page_count = ${limit}`])));

  test('on a full disk writes get 507 and reads go on, and writes work again when there is room', async () => {
    site = await siteOn('SQLite', { dump: people });
    const headers = await site.key('ada');
    // No file of this connection grows from here.
    await pages('1');
    const text = 'a lamp that blinks '.repeat(500);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        make(headers, { title: `Number ${index}`, text, tags: 'a, b' }),
      ),
    );
    const last = await make(headers, { title: 'The last one', text });
    const read = await readOften();
    const done = answers.flatMap(({ status, body }) => (status === 201 ? [(body as Made).title] : []));
    const there = await titles();
    await pages('1000000000');
    const next = await make(headers, { title: 'Room again', text });

    expect(last).toEqual(full);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(60 - done.length).fill(full));
    expect([...read]).toEqual([200]);
    expect(there).toEqual(done.sort());
    expect(next.status).toBe(201);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a key reads although its last use cannot be stored on a full disk', async () => {
    site = await siteOn('SQLite', { dump: people });
    const headers = await site.key('ada');
    site.database.transaction = () => Promise.reject(new StorageFull());
    const { status } = await site.get('/api/v1/me/', headers);
    // What nobody waits for would be told of now, and stop a server.
    await Bun.sleep(0);

    expect(status).toBe(200);
  });

  test('a read-only file is read, and written as soon as it is writable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-read-only-'));
    const file = join(folder, 'gallery.sqlite');
    site = await siteAt(file, { dump: people });
    const headers = await site.key('ada');
    await site.close();
    chmodSync(folder, 0o777);
    chmodSync(file, 0o444);
    // What holds for everybody does not hold for root.
    const root = process.getuid?.() === 0;
    if (root) process.seteuid?.(65534);
    try {
      site = await siteAt(file);
      const read = await readOften();
      const refused = await make(headers, { title: 'Refused' });
      if (root) process.seteuid?.(0);
      for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o666);
      if (root) process.seteuid?.(65534);
      const next = await make(headers, { title: 'Allowed' });

      expect([...read]).toEqual([200]);
      expect(refused).toEqual(unavailable);
      expect(next.status).toBe(201);
      expect(await titles()).toEqual(['Allowed']);
    } finally {
      if (root) process.seteuid?.(0);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('on PostgreSQL', () => {
  test('a write whose connection ends in the middle is refused and not done, and the next one is', async () => {
    site = await siteOn('PostgreSQL', { dump: people });
    const headers = await site.key('ada');
    const unlock = await lock('PostgreSQL');
    const writing = make(headers, { title: 'Cut off' });
    const client = new Bun.SQL({ url: site.address, max: 1 });
    const ended = async () => {
      const rows = await client.unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and $1 = 1`,
        [1],
      );
      return rows.length;
    };
    while ((await ended()) === 0) await Bun.sleep(5);
    const answer = await writing;
    await unlock();
    await client.close();

    expect(answer).toEqual(unavailable);
    expect((await make(headers, { title: 'Whole' })).status).toBe(201);
    expect(await titles()).toEqual(['Whole']);
  });

  test('two writes that deadlock are both done, one after the other', async () => {
    site = await siteOn('PostgreSQL', { dump: people });
    let met = 0;
    let tries = 0;
    const both = Promise.withResolvers<void>();
    const change = (first: number, second: number) =>
      site.database.transaction(async (transaction) => {
        tries++;
        await transaction.run(sql`update contributor set first_name = 'x' where id = ${first}`);
        if (++met === 2) both.resolve();
        await both.promise;
        await transaction.run(sql`update contributor set first_name = 'y' where id = ${second}`);
        return `${first} ${second}`;
      });

    expect(await Promise.all([change(1, 2), change(2, 1)])).toEqual(['1 2', '2 1']);
    expect(tries).toBe(3);
  });

  test('a comment and its project are changed at the same time without a deadlock', async () => {
    const circle = dump(
      ...[ada, contributor(2, 'bob'), project(1)],
      project(2, { content_type: 'comment', parent: 1, contributor: 2 }),
    );
    const address = await emptyDatabase('PostgreSQL');
    await onPostgres(`alter database ${address.split('/').at(-1)} set deadlock_timeout = '10ms'`);
    site = await siteAt(address, { dump: circle });
    const keys = [await site.key('ada'), await site.key('bob')];
    const statuses = new Set<number>();
    for (let round = 0; round < 15; round++) {
      const visibility = round % 2 ? 'public' : 'unlisted';
      const answers = await Promise.all(
        keys.map((headers, index) => patch(headers, index + 1, { visibility })),
      );
      for (const { status } of answers) statuses.add(status);
    }

    expect([...statuses]).toEqual([200]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });
});
