// A decision: what a moderator did to a thing or an account of somebody else's, and why. All of them are the log of
// moderation.

import { choiceField, type Field, type Fields, textField } from '../../fields.ts';
import type { Instant } from '../instant.ts';
import type { Status } from '../projects/project.ts';

/** Each with the one that takes it back. */
export const inverses = {
  left: 'reopened',
  removed: 'restored',
  trashed: 'returned',
  disabled: 'enabled',
} as const;

export type UndoableAction = keyof typeof inverses;
export type DecisionAction = UndoableAction | (typeof inverses)[UndoableAction];

export const decisionActions = Object.entries(inverses).flat() as DecisionAction[];

export interface Decision {
  readonly id: number;
  readonly created: Instant;
  /** Whoever decided; null for the operator. */
  readonly moderator: number | null;
  readonly action: DecisionAction;
  /** None where it is about an account. */
  readonly project: number | null;
  /** Whose the thing is, or the account. */
  readonly contributor: number;
  readonly reason: string;
  /** What the project's was before it was removed. */
  readonly status: Status | null;
  /** The decision that this one takes back. */
  readonly undoes: number | null;
}

export const maxReasonLength = 1000;

/** What becomes of what was reported. */
export const decisionField = choiceField(
  'Decision',
  { 'leave it as it is': 'leave', 'remove it': 'remove' },
  { required: true },
);

/** Without the spaces around it: a reason of spaces is none. */
function reasonField(rules: { help?: string; blank?: boolean; required?: boolean }): Field<string> {
  const field = textField({ label: 'Reason', maxLength: maxReasonLength, ...rules });
  return { ...field, read: (value) => field.read(typeof value === 'string' ? value.trim() : value) };
}

export const optionalReasonFields = { reason: reasonField({ blank: true }) } satisfies Fields;

/** Removing tells the author why. */
export const requiredReasonFields = {
  reason: reasonField({ help: 'Its author is told.', required: true }),
} satisfies Fields;
