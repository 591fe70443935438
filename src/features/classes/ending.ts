// The end of a class: those who look after it get two notices, thirty days apart. Thirty days after the second, the accounts
// that they have not released are erased. The change log keeps which notices were given: those from before an end was set do not count for it.

import sql, { join } from 'sql-template-tag';
import { all, type Database, first, integer, nullable, pick, type Transaction } from '#sql';
import { accountTable } from '../../core/accounts/tables.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import { recordDecision } from '../../core/decisions/decision.ts';
import { addDays, now } from '../../core/instant.ts';
import type { Confirm } from '../../core/jobs/jobs.ts';
import { finishUpdates } from '../../projects/people/contributor-updates.ts';
import { deleteAccount } from '../../projects/people/delete.ts';
import { type ProjectRow, projectColumns } from '../../projects/project.ts';
import { listArrangers } from '../collections/people.ts';

export const daysBetweenNotices = 30;
const maxNotices = 2;
/** How many accounts one transaction erases. */
const batchSize = 5;

const looksAfterSomebody = sql`exists (select 1 from account where looked_after_by = project.id)`;
const hasEnded = () =>
  sql`content_type = 'collection' and kind = 'class' and ends <= ${now()} and ${looksAfterSomebody}`;

const classColumns = pick(projectColumns, 'id', 'contributor', 'ends', 'ends_set');
const noticeColumns = { count: integer(sql`count(*)`), last: nullable(integer(sql`max(at)`)) };

/** One of all processes does it; a process that is killed is followed by another. */
export async function endClasses(database: Database, confirm: Confirm): Promise<void> {
  const classes = await all(database.slowReader, classColumns)`from project where ${hasEnded()} order by id`;
  for (const { id } of classes) {
    await confirm();
    while (await transact(database, null, (write) => endClass(write, id))) await confirm();
    await finishUpdates(database);
  }
}

/** Gives a notice, or erases some accounts; true if there are more. */
async function endClass(write: Write, id: number): Promise<boolean> {
  const { transaction, changeSet } = write;
  const ended = await first(transaction, classColumns)`from project
    where id = ${id} and ${hasEnded()} ${transaction.forUpdate}`;
  if (!ended) return false;
  const { count = 0, last = null } =
    (await first(transaction, noticeColumns)`from change where kind = 'project' and subject = ${id}
      and action = 'ended' and at >= ${Math.max(ended.ends ?? 0, ended.ends_set ?? 0)}`) ?? {};
  if (last !== null && last > addDays(changeSet.at, -daysBetweenNotices)) return false;
  if (count < maxNotices) {
    const responsible = await findResponsible(transaction, ended);
    // A notice that nobody gets does not count.
    if (responsible.length === 0) return false;
    changeSet.add({ kind: 'project', action: 'ended', subject: id, owner: ended.contributor });
    for (const contributor of responsible)
      changeSet.notify('project', id, { contributor, kind: 'ended', actor: null });
    return false;
  }
  const pupils = await all(transaction, pick(accountTable.columns, 'contributor'))`from account
    where looked_after_by = ${id} order by contributor limit ${batchSize}`;
  for (const { contributor } of pupils) {
    await recordDecision(write, { moderator: null, contributor, project: id, action: 'erased' });
    await deleteAccount(write, contributor, 'delete');
  }
  return pupils.length === batchSize;
}

const contributorColumn = pick(accountTable.columns, 'contributor');

/** Those who look after the class, or else the admins. */
async function findResponsible(
  transaction: Transaction,
  collection: Pick<ProjectRow, 'id' | 'contributor'>,
): Promise<number[]> {
  const arrangers = await listArrangers(transaction, collection);
  const present = await all(transaction, contributorColumn)`from account
    where contributor in (${join(arrangers)}) and disabled is null`;
  const admins = () => all(transaction, contributorColumn)`from account
    where role = 'admin' and disabled is null order by contributor`;
  return (present.length > 0 ? present : await admins()).map(({ contributor }) => contributor);
}
