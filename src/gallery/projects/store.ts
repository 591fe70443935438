// Writes a project's row. What is kept of it in other places follows from its difference to the row before, and is
// brought along in the same transaction.

import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { projectTable, tagTable, type Value } from '../../database/schema.ts';
import type { Change, Notes } from '../changes/write.ts';
import { displayName } from '../contributors/contributor.ts';
import { tagKey } from './filters.ts';
import { adjustKarma } from './karma.ts';
import { searchWords } from './search-words.ts';
import { isListed, lineOf, type Person, type Stored, storedColumns, tagsOf } from './stored.ts';
import { adjustTagCounts, adjustTally } from './tally.ts';
import { veilComments } from './threads.ts';

/**
 * The rows that fulfil a condition, which nobody else changes meanwhile; nor, before them, the projects that comments
 * among them are about: what those hide of a thread, and the counts of it, must not change between.
 */
export async function locked(transaction: Transaction, condition: Sql): Promise<Stored[]> {
  await transaction.all(
    sql`select id from project where id in (select root from project where ${condition} and root is not null)
        order by id ${transaction.forUpdate}`,
  );
  return transaction.all<Stored>(
    sql`select * from project where ${condition} order by id ${transaction.forUpdate}`,
  );
}

export async function personOf(
  transaction: Transaction,
  contributor: number,
): Promise<Person & { last_name_key: string }> {
  const person = await transaction.first<Person & { last_name_key: string }>(
    sql`select username, first_name, last_name, last_name_key from contributor where id = ${contributor}`,
  );
  if (!person) throw new Error(`there is no contributor ${contributor}`);
  return person;
}

/** Writes a row, and whatever follows from its difference to the one before. */
export async function store(
  transaction: Transaction,
  notes: Notes,
  action: string,
  before: Stored | undefined,
  after: Stored,
  person: Person,
): Promise<void> {
  await transaction.put(projectTable, [storedColumns.map((column) => after[column] as Value)]);
  const retagged = (before?.tags ?? '') !== after.tags;
  if (retagged) await storeTags(transaction, before, after);
  if (!before || retagged || before.title !== after.title || before.text !== after.text) {
    const words = searchWords({ ...after, tags: tagsOf(after), name: displayName(person) });
    await transaction.putSearchWords([[after.id, words]]);
  }
  notes.add(told(action, before, after));
  await adjustKarma(transaction, notes, before, after);
  if (before && after.content_type !== 'comment') await veilComments(transaction, notes, before, after);
  await adjustTagCounts(transaction, before, after);
  await adjustTally(transaction, before, after);
}

async function storeTags(transaction: Transaction, before: Stored | undefined, after: Stored): Promise<void> {
  if (before?.tags) await transaction.run(sql`delete from tag where project = ${after.id}`);
  const rows = tagsOf(after).map((tag, position) => [after.id, position, tag, tagKey(tag)]);
  if (rows.length) await transaction.put(tagTable, rows);
}

function told(action: string, before: Stored | undefined, after: Stored): Change {
  return {
    action,
    kind: 'project',
    subject: after.id,
    record: lineOf(after),
    owner: after.contributor,
    listed: isListed(before) || isListed(after),
  };
}
