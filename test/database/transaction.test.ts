// What a write promises: all of it is stored, or nothing.

import { afterEach, expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { exists } from '../../src/database/query.ts';
import { secretTable } from '../../src/database/schema.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, dump, type Site, siteOn } from '../support/site.ts';

let site: Site;
afterEach(() => site.close());

onBothDatabases((kind) => {
  test('a write that returned a row and then fails leaves nothing behind, whatever it shares its commit with', async () => {
    site = await siteOn(kind, { dump: dump(ada) });
    const outcomes = await Promise.allSettled([
      site.database.transaction((transaction) =>
        transaction.run(sql`update contributor set first_name = 'Augusta' where id = 1`),
      ),
      site.database.transaction(async (transaction) => {
        const statement = sql`insert into secret (name, value) values ('half', 'done')`;
        const row = await transaction.runReturning(secretTable.columns, statement);
        throw new Error(`failed after ${row?.value}`);
      }),
    ]);

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: new Error('failed after done') },
    ]);
    expect(await exists(site.database, sql`from contributor where first_name = 'Augusta'`)).toBe(true);
    expect(await exists(site.database, sql`from secret where name = 'half'`)).toBe(false);
  });
});
