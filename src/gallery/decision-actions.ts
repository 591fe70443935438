// The actions of moderators in their log, each on somebody else's project or account.

/** Each action with the one that undoes it. */
export const inverses = {
  /** Left as it is: the reports are closed. */
  left: 'reopened',
  removed: 'restored',
  /** `returned` is from the trash; `restored` is after a removal. */
  trashed: 'returned',
  disabled: 'enabled',
  /** New works of the person wait no longer, or do again. */
  trusted: 'untrusted',
} as const;

/** Those without an inverse. */
const finalActions = [
  /** Opened what waited, or made it a draft again. */
  'approved',
  'sent_back',
  /** Changed a project's members or files. */
  'changed',
  'redacted',
  'renamed',
  'password_link',
  'email',
  /** Of parents, as a teacher says. */
  'consented',
  /** By a class that has looked after it. */
  'released',
  'erased',
  'made_contributor',
  'made_moderator',
  'made_admin',
] as const;
export type FinalAction = (typeof finalActions)[number];

export type UndoableAction = keyof typeof inverses;
export type DecisionAction = UndoableAction | (typeof inverses)[UndoableAction] | FinalAction;

export const decisionActions = [...Object.entries(inverses).flat(), ...finalActions] as DecisionAction[];
