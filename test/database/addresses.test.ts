// Parameters in the address of PostgreSQL, for poolers: docs/running/postgresql.md.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { select, text } from '#sql';
import { emptyDatabase } from '../support/databases.ts';
import { vitrine } from '../support/server.ts';
import { siteAt } from '../support/site.ts';

test('prepared statements and the time limit of statements are turned off each by itself', async () => {
  const address = await emptyDatabase('PostgreSQL');
  const timeLimit = select({ limit: text(sql`current_setting('statement_timeout')`) }, sql`where 1 = ${1}`);
  const prepared = select({ name: text(sql`name`) }, sql`from pg_prepared_statements where 1 = ${1}`);
  const seen: unknown[] = [];
  for (const parameters of [
    '',
    '?prepare=false',
    '?statement_timeout=off',
    '?prepare=false&statement_timeout=on',
  ]) {
    const { database, close } = await siteAt(address + parameters);
    const [row] = await database.all(timeLimit);
    seen.push([parameters, row?.limit, (await database.all(prepared)).length > 0]);
    await close();
  }
  expect(seen).toEqual([
    ['', '1min', true],
    ['?prepare=false', '0', false],
    ['?statement_timeout=off', '0', true],
    ['?prepare=false&statement_timeout=on', '1min', false],
  ]);
  expect(await vitrine('check', '--database', `${address}?statement_timeout=5s`)).toEqual({
    code: 2,
    out: '',
    error: 'vitrine: The statement_timeout in the address of the database can only be on or off.\n',
  });
});
