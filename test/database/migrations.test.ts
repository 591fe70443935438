// Migrations from schema 52 on, with those of two later releases: test/support/later-release.ts.

import { expect, test } from 'bun:test';
import { raw } from 'sql-template-tag';
import { all, text } from '#sql';
import { newest } from '../../src/core/migrations/newest.ts';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import type { CommandResult } from '../support/in-process.ts';
import { laterRelease } from '../support/program.ts';
import { resultOf, start, vitrine } from '../support/server.ts';
import { ada, dump, exportAll, project, siteAt } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const [next, afterNext] = [newest + 1, newest + 2];

/** Runs a command of the first or second release after today's. */
const later = (releases: 1 | 2, ...args: string[]): Promise<CommandResult> =>
  resultOf(start([...laterRelease, ...args], 'ignore', { LATER_RELEASES: String(releases) }));

const nothingToDo = (schema: number) =>
  `The database has schema ${schema}, this version of Vitrine has ${schema}.\nThere is nothing to do.\n`;

onBothDatabases((kind) => {
  const isWhole = kind === 'SQLite';

  async function galleryOfToday() {
    const address = await emptyDatabase(kind);
    const site = await siteAt(address, { dump: dump(ada, project(1), project(2)) });
    return { address, site };
  }

  test('the plan of a release says what its migration does, and changes nothing', async () => {
    const { address } = await galleryOfToday();
    const head = `The database has schema ${newest}, this version of Vitrine has ${next}.\nSchema ${next}: the length of texts\n`;
    const steps = `\
- expand: alter table project add column text_length bigint. Locks project for a quarter of a second at most.
- fill project: 2 rows, about 1 s. Locks the rows of a batch at a time.
- index project_by_text_length: 2 rows, about 1 s. Locks no reads and writes.
Servers of schema ${newest} go on meanwhile and afterwards.
`;
    const whole = 'In one transaction, for which all servers must be stopped: 2 rows, about 1 s.\n';
    expect(await later(1, 'migrate', '--plan', '--database', address)).toEqual({
      code: 0,
      out: head + (isWhole ? whole : steps),
      error: '',
    });
    expect(await vitrine('migrate', '--plan', '--database', address)).toEqual({
      code: 0,
      out: nothingToDo(newest),
      error: '',
    });
  });

  test('the tables of a feature that was not there are made when the gallery is opened', async () => {
    const { address, site } = await galleryOfToday();
    await site.database.transaction(async (transaction) => {
      for (const name of ['bookmark', 'hand_in_file']) await transaction.run(raw(`drop table ${name}`));
    });
    await site.close();

    const one = await siteAt(address);
    const other = await siteAt(address);
    const headers = await one.key('ada');
    const bookmark = { method: 'PUT', headers };
    expect((await one.request('/api/v1/me/bookmarks/1/', bookmark)).status).toBe(204);
    expect(await exportAll(other)).toContain('{"type":"bookmark","contributor":1,"project":1,');
    const indexes = isWhole ? 'select name from sqlite_schema' : 'select indexname as name from pg_indexes';
    const columns = { name: text() };
    expect(
      await all(one.database, columns)`from (${raw(indexes)}) as found where name like 'hand_in_file%'`,
    ).toContainEqual({
      name: 'hand_in_file_by_hash',
    });
  });

  test('programs of today work with the schema of the next release, and not with the one after that', async () => {
    const { address, site } = await galleryOfToday();
    await site.close();
    expect((await later(1, 'migrate', '--database', address)).out).toBe(nothingToDo(next));

    const beside = await siteAt(address);
    const headers = { ...(await beside.key('ada')), 'Content-Type': 'application/json' };
    const body = JSON.stringify({ title: 'Beside', text: 'twelve signs' });
    const created = await beside.request('/api/v1/projects/', { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    expect(await vitrine('check', '--database', address)).toEqual({
      code: 0,
      out: 'All is well.\n',
      error: '',
    });
    if (!isWhole)
      expect(await later(2, 'migrate', '--database', address)).toMatchObject({
        code: 2,
        error: expect.stringContaining(
          `Servers or commands of an earlier version still use the database: stop all before schema ${next}`,
        ),
      });
    if (isWhole) expect((await later(2, 'migrate', '--database', address)).code).toBe(0);
    // A server of today notices by itself that a newer one does not want it beside it.
    const refused = await waitFor(async () => {
      const response = await beside.request('/api/v1/projects/', { method: 'POST', headers, body });
      return response.status === 201 ? undefined : response;
    });
    const schema = isWhole ? afterNext : next;
    const reason = `a newer version of Vitrine has migrated the database to schema ${schema}, and this one knows up to ${newest}`;
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, expect.any(String)]);
    expect(beside.logged.filter((line) => line.startsWith('Nothing is written'))).toEqual([
      `Nothing is written any more: ${reason}. Start the newer version.`,
    ]);
    const ready = await beside.get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'a newer version has migrated the database' },
    ]);
    expect((await beside.get('/api/v1/projects/1/')).status).toBe(200);
    await beside.close();

    expect((await later(2, 'migrate', '--database', address)).out).toBe(nothingToDo(afterNext));
    const client = new Bun.SQL(isWhole ? `sqlite://${address}` : address, { max: 1 });
    const [row] = await client.unsafe("select text_length from project where title = 'Beside'");
    expect(Number(row.text_length)).toBe(12);
    await client.close();
    expect(await vitrine('check', '--database', address)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: The database has schema ${afterNext}, this version of Vitrine knows up to ${newest}: start a newer version.\n`,
    });
  });

  test('of several processes that migrate at once one does it, and all find it done', async () => {
    const { address, site } = await galleryOfToday();
    await site.close();
    const results = await Promise.all([1, 2].map(() => later(1, 'migrate', '--database', address)));
    expect(results).toMatchObject([1, 2].map(() => ({ code: 0, out: nothingToDo(next) })));
    const steps = results.flatMap(({ error }) => error.split('\n').filter(Boolean));
    const done = isWhole
      ? `The file of before is ${address}.schema-${newest}; it is deleted after 14 days.`
      : 'The way back is a backup of before.';
    expect(steps.map((line) => line.replace(/[\d.]+ s\./, 'T s.'))).toEqual([
      ...(isWhole ? [] : ['expand', 'fill', 'index']).map(
        (step, number) => `Migration to schema ${next}, step ${number + 1} of 3: ${step}`,
      ),
      `Schema ${newest} → ${next} in T s. ${done}`,
    ]);
  });
});
