// Copies one moment of a gallery, which stays in use, to a new database.

import { raw } from 'sql-template-tag';
import { OperatorError } from '#common/errors.ts';
import { count, type Database, exists, type Transaction } from '#sql';
import { allTables } from '../../core/all-tables.ts';
import type { PhaseProgress } from '../../core/commands/progress-bar.ts';
import { type Copying, copyRows, loadMark, removeMark, runStatements, setMark } from './copy-rows.ts';

export async function copySnapshot(from: Database, to: Database, progress: PhaseProgress): Promise<void> {
  const copying = { from, to, run: crypto.randomUUID() };
  await prepareNewDatabase(copying);
  const total = await countRows(from);
  await copyRows(copying, (rows) => progress('Copying all rows.', rows, total));
  await to.transaction(async (transaction) => {
    await completeTables(transaction, to);
    await removeMark(transaction, 'unfinished');
  });
}

/** Marks the new database as unfinished. What an unfinished copy has left is deleted. */
export async function prepareNewDatabase({ to, run }: Copying): Promise<void> {
  await to.transaction(async (transaction) => {
    if ((await loadMark(transaction, 'unfinished')) === undefined) await requireEmpty(transaction);
    else {
      for (const { name } of allTables().toReversed()) await transaction.run(raw(`delete from ${name}`));
      await transaction.run(raw('delete from project_search'));
    }
    await setMark(transaction, 'unfinished', run);
  });
}

async function requireEmpty(transaction: Transaction): Promise<void> {
  for (const { name, key } of allTables())
    if (key.length > 0 && (await exists(transaction, raw(`from ${name}`))))
      throw new OperatorError(
        'The new database is not empty: give the path of a new file, or a database without tables.',
      );
}

export async function countRows(database: Database): Promise<number> {
  let rows = 0;
  for (const { name } of allTables()) rows += await count(database, raw(`from ${name}`));
  return rows;
}

export async function completeTables(transaction: Transaction, { copyStatements }: Database): Promise<void> {
  for (const table of allTables()) if (table.key.join() === 'id') await transaction.skipUsedIds(table);
  await runStatements(transaction, copyStatements.enforceForeignKeys);
}
