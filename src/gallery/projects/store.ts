// Writes a project's row. What is kept of it in other places follows from its difference to the row before, and is
// brought along in the same transaction.

import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { projectTable, tagTable, type Value } from '../../database/schema.ts';
import type { Change, ChangeSet } from '../changes/transact.ts';
import { displayName } from '../contributors/contributor.ts';
import { tagKey } from './filters.ts';
import { adjustKarma } from './karma.ts';
import {
  type ContributorNames,
  formatProjectLine,
  isListed,
  type ProjectRow,
  parseTags,
  projectColumns,
} from './project-row.ts';
import { toSearchWords } from './search-words.ts';
import { updateThreadVisibility } from './thread-visibility.ts';
import { inTrash } from './visibility.ts';

/**
 * The rows that fulfil a condition, which nobody else changes meanwhile; nor, before them, the projects that comments
 * among them are about: what those hide of a thread, and the counts of it, must not change between.
 */
export async function lockProjects(transaction: Transaction, condition: Sql): Promise<ProjectRow[]> {
  await transaction.all(
    sql`select id from project where id in (select root from project where ${condition} and root is not null)
        order by id ${transaction.forUpdate}`,
  );
  return transaction.all<ProjectRow>(
    sql`select * from project where ${condition} order by id ${transaction.forUpdate}`,
  );
}

/** Nobody takes another name while it is written down. */
export async function lockContributorNames(
  transaction: Transaction,
  contributor: number,
): Promise<ContributorNames & { last_name_key: string }> {
  const names = await transaction.first<ContributorNames & { last_name_key: string }>(
    sql`select username, first_name, last_name, last_name_key from contributor
        where id = ${contributor} ${transaction.forShare}`,
  );
  if (!names) throw new Error(`there is no contributor ${contributor}`);
  return names;
}

/** Writes a row, and whatever follows from its difference to the one before. */
export async function storeProject(
  transaction: Transaction,
  changeSet: ChangeSet,
  action: string,
  before: ProjectRow | undefined,
  after: ProjectRow,
  names: ContributorNames,
): Promise<void> {
  const tagsChanged = (before?.tags ?? '') !== after.tags;
  changeSet.add(toChange(action, before, after));
  changeSet.counts.addProject(before, after);
  await runTogether([
    before
      ? transaction.upsert(projectTable, [toValues(after)])
      : transaction.insert(projectTable, [toValues(after)]),
    tagsChanged ? storeTags(transaction, before, after) : undefined,
    !before || tagsChanged || before.title !== after.title || before.text !== after.text
      ? storeSearchWords(transaction, after, names)
      : undefined,
    adjustKarma(transaction, changeSet, before, after),
    before && after.content_type !== 'comment'
      ? updateThreadVisibility(transaction, changeSet, before, after)
      : undefined,
  ]);
}

/**
 * Statements follow one another without a wait for each: PostgreSQL is a way off. If one fails, the others are
 * still waited for, so that none of them reaches into somebody else's transaction.
 */
async function runTogether(tasks: (Promise<void> | undefined)[]): Promise<void> {
  for (const outcome of await Promise.allSettled(tasks)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

const toValues = (row: ProjectRow) => projectColumns.map((column) => row[column] as Value);

function storeSearchWords(transaction: Transaction, row: ProjectRow, names: ContributorNames): Promise<void> {
  const words = toSearchWords({ ...row, tags: parseTags(row), name: displayName(names) });
  return transaction.upsertSearchWords([[row.id, words]]);
}

async function storeTags(
  transaction: Transaction,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  if (before?.tags) await transaction.run(sql`delete from tag where project = ${after.id}`);
  const rows = parseTags(after).map((tag, position) => [after.id, position, tag, tagKey(tag)]);
  if (rows.length) await transaction.insert(tagTable, rows);
}

function toChange(action: string, before: ProjectRow | undefined, after: ProjectRow): Change {
  return {
    action,
    kind: 'project',
    subject: after.id,
    // Nothing is told of what was erased.
    record: after.status === inTrash && after.trashed === null ? '' : formatProjectLine(after),
    owner: after.contributor,
    listed: isListed(before) || isListed(after),
  };
}
