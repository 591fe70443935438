// A decision of a moderator on somebody else's project or account, with its reason. All decisions together are the
// moderation log.

import { apiText, type Text } from '../../common/api-text.ts';
import { choiceField, type Field, type Fields, readFields, textField } from '../../common/fields.ts';
import { decisionTable } from '../../database/schema.ts';
import type { Instant } from '../instant.ts';
import type { Status } from '../project-status.ts';

/** With the types that the gallery gives their values. */
export const decisionColumns = {
  ...decisionTable.columns,
  action: decisionTable.columns.action.narrow<DecisionAction>(),
  status: decisionTable.columns.status.narrow<Status | null>(),
};

/** Each action with the one that undoes it. */
export const inverses = {
  /** Left as it is: the reports are closed. */
  left: 'reopened',
  removed: 'restored',
  /** `returned` is from the trash; `restored` is after a removal. */
  trashed: 'returned',
  disabled: 'enabled',
} as const;

/** Actions of moderators that have no inverse, on other people's projects and accounts: the log has an entry. */
const finalActions = ['changed', 'redacted', 'renamed', 'password_link', 'email'] as const;
export type FinalAction = (typeof finalActions)[number];

export type UndoableAction = keyof typeof inverses;
type DecisionAction = UndoableAction | (typeof inverses)[UndoableAction] | FinalAction;

export const decisionActions = [...Object.entries(inverses).flat(), ...finalActions] as DecisionAction[];

export interface Decision {
  readonly id: number;
  readonly created: Instant;
  /** Null for the operator. */
  readonly moderator: number | null;
  readonly action: DecisionAction;
  /** Null for a decision on an account. */
  readonly project: number | null;
  /** The owner of the project or the account. */
  readonly contributor: number;
  readonly reason: string;
  /** The project's status before it was removed. */
  readonly status: Status | null;
  /** The decision that this one undoes. */
  readonly undoes: number | null;
}

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
