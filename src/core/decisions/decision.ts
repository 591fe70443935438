// A decision of a moderator on somebody else's project or account, with its reason. All decisions together are the
// moderation log.

import sql, { join, type Sql } from 'sql-template-tag';
import { apiText, type Text } from '#common/api-text.ts';
import { choiceField, type Field, type Fields, readFields, textField } from '#rest/fields.ts';
import { first, type RowOf, type Transaction } from '#sql';
import type { ChangeSet, Write } from '../changes/transact.ts';
import { once } from '../feature.ts';
import type { Status } from '../project-status.ts';
import { reviewersOf } from '../reviewers.ts';
import { type DecisionAction, decisionActions, inverses, isSilent, type UndoableAction } from './actions.ts';
import { decisionTable } from './tables.ts';

/** With the types that the gallery gives their values. */
export const decisionColumns = {
  ...decisionTable.columns,
  action: decisionTable.columns.action.narrow<DecisionAction>(),
  status: decisionTable.columns.status.narrow<Status | null>(),
};

/** In a query for decisions. */
export const isNotUndone = sql`not exists (select 1 from decision as later where later.undoes = decision.id)`;

/** In a query for decisions. Those of a feature that was taken out since have no words any more, and are not shown. */
export const isKnownDecision = (): Sql => sql`decision.action in (${join(decisionActions())})`;

/** The moderator is null for the operator. */
export type Decision = RowOf<typeof decisionColumns>;

export const maxReasonLength = 1000;

/** The decision about a reported project. */
export const decisionField = choiceField(
  'Decision',
  { leave: 'leave it as it is', remove: 'remove it' },
  { required: true },
);

/** Without surrounding spaces: a reason of spaces counts as empty. */
function reasonField<Required extends boolean = false>(options: {
  help?: Text;
  allowsBlank?: boolean;
  required?: Required;
}): Field<string, Required> {
  const field = textField({ label: apiText('reason'), maxLength: maxReasonLength, ...options });
  return { ...field, read: (value) => field.read(typeof value === 'string' ? value.trim() : value) };
}

export const optionalReasonFields = { reason: reasonField({ allowsBlank: true }) } satisfies Fields;

/** The owner of a removed project sees the reason. */
export const requiredReasonFields = {
  reason: reasonField({ help: apiText('reasonHelp'), required: true }),
} satisfies Fields;

/** Throws if a removal has no reason. */
export const requireReason = (reason = '') => readFields(requiredReasonFields, { reason });

// Records a decision in the transaction that carries it out. Changes that moderators make without a report are
// recorded too, so that the log is complete.

declare module '../feature.ts' {
  interface Feature {
    /** When a decision has been recorded. */
    afterDecision?(write: Write, decision: Decision): Promise<void>;
  }
}

const followers = once((features) => features.flatMap(({ afterDecision = [] }) => afterDecision));

type NewDecision = Pick<Decision, 'moderator' | 'action' | 'contributor'> & Partial<Decision>;

export async function recordDecision({ transaction, changeSet }: Write, values: NewDecision) {
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
  if (!isSilent(decision.action)) {
    notifyOfDecision(changeSet, id, decision.contributor);
    if (decision.reason !== '') await tellReviewers({ transaction, changeSet }, decision);
  }
  for (const follow of followers()) await follow({ transaction, changeSet }, decision);
  return decision;
}

/** Those who review somebody's projects also read what is written to that person. */
async function tellReviewers(
  { transaction, changeSet }: Write,
  { id, moderator, contributor }: Decision,
): Promise<void> {
  const reviewers = await reviewersOf(transaction, contributor);
  if (reviewers.some((reviewer) => reviewer.id === moderator)) return;
  for (const reviewer of reviewers)
    changeSet.notify('decision', id, { contributor: reviewer.id, kind: 'told', actor: contributor });
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
