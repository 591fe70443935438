// A program of its own uses all that the README names: the change log, stored counts with a limit, and slow reads.

import { describe, expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { emptyDatabase } from '../../../test/support/databases.ts';
import { waitFor } from '../../../test/support/waiting.ts';
import { hashChange } from '../src/change-hash.ts';
import { type Database, exists, first, identity, integer, select, table, text } from '../src/index.ts';
import { openDatabase, type Schema } from '../src/open.ts';
import { changeTable } from '../src/own-tables.ts';

const noteTable = table('note', ['id'], { id: identity(), words: text() }, { loggedAs: 'note' });
const storedTable = table(
  'stored',
  ['writer', 'resource'],
  { writer: integer(), resource: text(), count: integer() },
  { counts: 'limited' },
);

const schema: Schema = {
  program: 'Notes',
  content: 'notebook',
  newest: 1,
  tables: () => [noteTable, storedTable],
  migrations: [],
};

const writer = 7;

/** Nobody has more than two notes. */
const write = (database: Database, words: string) =>
  database.transaction(async (transaction) => {
    const id = await transaction.nextId(noteTable);
    await transaction.insert(noteTable, [{ id, words }]);
    const change = { at: id, actor: writer, action: 'created', kind: 'note', subject: id };
    await transaction.appendChanges(
      [{ ...change, record: '', owner: writer, listed: 0 }],
      [
        {
          table: storedTable,
          row: { writer, resource: 'notes' },
          difference: 1,
          limit: { max: 2, createError: () => new Error('too many notes') },
        },
      ],
    );
    return id;
  });

// Named so, they run on both databases in `npm test`.
describe.each(['SQLite', 'PostgreSQL'] as const)('with %s', (kind) => {
  test('changes are numbered and chained, counts are exact, and a write over its limit leaves nothing', async () => {
    const database = await openDatabase(await emptyDatabase(kind), { schema });
    const seen: number[] = [];
    database.watchChanges((last) => seen.push(last));
    expect([await write(database, 'one'), await write(database, 'two')]).toEqual([1, 2]);
    await expect(write(database, 'three')).rejects.toThrow('too many notes');

    const changes = await database.all(select(changeTable.columns, sql`from change order by sequence`));
    expect(changes.map(({ sequence, subject }) => [sequence, subject])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(changes[1]?.hash).toBe(hashChange(changes[0]?.hash ?? '', changes[1] as (typeof changes)[number]));
    await waitFor(() => seen.at(-1) === 2);

    const [stored, slow] = await Promise.all([
      first(database, storedTable.columns)`from stored`,
      database.slowReader.first(select(noteTable.columns, sql`from note order by id desc`)),
    ]);
    expect(stored).toEqual({ writer, resource: 'notes', count: 2 });
    expect(slow).toEqual({ id: 2, words: 'two' });
    expect(await exists(database, sql`from note where words = 'three'`)).toBe(false);
    await database.overwriteDeleted();
    await database.close();
  });

  test('a database that is missing, or is of another program, is not opened', async () => {
    const missing = openDatabase(await emptyDatabase(kind), { schema, mustExist: true });
    await expect(missing).rejects.toThrow(kind === 'SQLite' ? 'There is no file' : 'There is no notebook');
    const address = await emptyDatabase(kind);
    const client = new Bun.SQL(kind === 'SQLite' ? `sqlite://${address}` : address, { max: 1 });
    await client.unsafe('create table other (id integer)');
    await client.close();
    await expect(openDatabase(address, { schema })).rejects.toThrow('of another program.');
  });
});
