// Writes a project's row. What is kept of it in other places follows from its difference to the row before, and is
// brought along in the same transaction.

import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { projectTable, tagTable, type Value } from '../../database/schema.ts';
import type { Change, ChangeSet } from '../changes/transact.ts';
import { displayName } from '../contributors/contributor.ts';
import { tagKey } from './filters.ts';
import { adjustKarma } from './karma.ts';
import { searchWords } from './search-words.ts';
import { isListed, lineOf, type Person, type Stored, storedColumns, tagsOf } from './stored.ts';
import { veilComments } from './threads.ts';
import { inTrash } from './visible.ts';

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

/** Nobody takes another name while it is written down. */
export async function personOf(
  transaction: Transaction,
  contributor: number,
): Promise<Person & { last_name_key: string }> {
  const person = await transaction.first<Person & { last_name_key: string }>(
    sql`select username, first_name, last_name, last_name_key from contributor
        where id = ${contributor} ${transaction.forShare}`,
  );
  if (!person) throw new Error(`there is no contributor ${contributor}`);
  return person;
}

/** Writes a row, and whatever follows from its difference to the one before. */
export async function store(
  transaction: Transaction,
  changeSet: ChangeSet,
  action: string,
  before: Stored | undefined,
  after: Stored,
  person: Person,
): Promise<void> {
  const retagged = (before?.tags ?? '') !== after.tags;
  changeSet.add(told(action, before, after));
  changeSet.counts.project(before, after);
  await inOneGo([
    before ? transaction.put(projectTable, [rowOf(after)]) : transaction.insert(projectTable, [rowOf(after)]),
    retagged ? storeTags(transaction, before, after) : undefined,
    !before || retagged || before.title !== after.title || before.text !== after.text
      ? storeWords(transaction, after, person)
      : undefined,
    adjustKarma(transaction, changeSet, before, after),
    before && after.content_type !== 'comment'
      ? veilComments(transaction, changeSet, before, after)
      : undefined,
  ]);
}

/**
 * Statements follow one another without a wait for each: PostgreSQL is a way off. If one fails, the others are
 * still waited for, so that none of them reaches into somebody else's transaction.
 */
async function inOneGo(works: (Promise<void> | undefined)[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

const rowOf = (stored: Stored) => storedColumns.map((column) => stored[column] as Value);

function storeWords(transaction: Transaction, stored: Stored, person: Person): Promise<void> {
  const words = searchWords({ ...stored, tags: tagsOf(stored), name: displayName(person) });
  return transaction.putSearchWords([[stored.id, words]]);
}

async function storeTags(transaction: Transaction, before: Stored | undefined, after: Stored): Promise<void> {
  if (before?.tags) await transaction.run(sql`delete from tag where project = ${after.id}`);
  const rows = tagsOf(after).map((tag, position) => [after.id, position, tag, tagKey(tag)]);
  if (rows.length) await transaction.insert(tagTable, rows);
}

function told(action: string, before: Stored | undefined, after: Stored): Change {
  return {
    action,
    kind: 'project',
    subject: after.id,
    // Nothing is told of what was erased.
    record: after.status === inTrash && after.trashed === null ? '' : lineOf(after),
    owner: after.contributor,
    listed: isListed(before) || isListed(after),
  };
}
