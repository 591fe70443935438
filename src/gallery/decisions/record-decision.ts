// Records a decision in the transaction that carries it out. Changes that moderators make without a report are
// recorded too, so that the log is complete.

import sql, { join } from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import type { Transaction } from '../../database/database.ts';
import { all, first } from '../../database/query.ts';
import { decisionTable, reportTable } from '../../database/schema.ts';
import type { ChangeSet } from '../changes/transact.ts';
import { type Decision, decisionColumns, inverses, type UndoableAction } from './decision.ts';

type NewDecision = Pick<Decision, 'moderator' | 'action' | 'contributor'> & Partial<Decision>;

export async function recordDecision(
  transaction: Transaction,
  changeSet: ChangeSet,
  values: NewDecision,
): Promise<Decision> {
  const id = await transaction.nextId(decisionTable);
  const decision: Decision = {
    project: null,
    status: null,
    undoes: null,
    ...values,
    id,
    created: changeSet.at,
    reason: values.reason ?? '',
  };
  await transaction.insert(decisionTable, [decision]);
  changeSet.add({ kind: 'decision', action: decision.action, subject: id });
  // Nobody learns that they were reported.
  if (decision.action !== 'left' && decision.action !== 'reopened')
    notifyOfDecision(changeSet, id, decision.contributor);
  return decision;
}

/** The last decision of this kind on the project or account, unless it was undone. */
export async function findActiveDecision(
  transaction: Transaction,
  action: UndoableAction,
  about: Pick<Decision, 'project' | 'contributor'>,
): Promise<Decision | undefined> {
  const isAboutIt =
    about.project === null
      ? sql`project is null and contributor = ${about.contributor}`
      : sql`project = ${about.project}`;
  const last = await first(transaction, decisionColumns)`from decision
    where ${isAboutIt} and action in (${join([action, inverses[action]])})
    order by id desc limit 1`;
  return last?.action === action ? last : undefined;
}

/** Without the name of the moderator. */
export const notifyOfDecision = (changeSet: ChangeSet, decision: number, contributor: number): void =>
  changeSet.notify('decision', decision, { contributor, kind: 'decided', actor: null });

/**
 * Closes the project's open reports with the decision; with `upTo`, only those that were last changed until then. Notifies the
 * people who reported it.
 */
export async function closeReports(
  transaction: Transaction,
  changeSet: ChangeSet,
  { id, project }: Pick<Decision, 'id' | 'project'>,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await transaction.run(
    sql`update report set decision = ${id}
        where project = ${project} and decision is null and modified <= ${upTo}`,
  );
  const closed = await all(transaction, pick(reportTable.columns, 'contributor'))`from report
    where decision = ${id}`;
  for (const { contributor } of closed) notifyOfDecision(changeSet, id, contributor);
}
