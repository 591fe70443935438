// The actions of moderators in their log, each on somebody else's project or account.

import { once, withAdded } from '../feature.ts';

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

/** The decisions without an inverse. */
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
  'made_contributor',
  'made_moderator',
  'made_admin',
] as const;
/** The final actions of features, and whether people are notified: each declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureDecisions {}

export type FinalAction = (typeof finalActions)[number] | keyof FeatureDecisions;

export type UndoableAction = keyof typeof inverses;
export type DecisionAction = UndoableAction | (typeof inverses)[UndoableAction] | FinalAction;

interface AddedDecisions {
  readonly after: (typeof finalActions)[number];
  readonly actions: Readonly<Record<string, 'notified' | 'silent'>>;
}

declare module '../feature.ts' {
  interface Feature {
    /** Final actions in the log, behind one of the gallery. */
    readonly decisions?: AddedDecisions;
  }
}

const allAdded = once((features) => features.flatMap(({ decisions = [] }) => decisions));

export const decisionActions = once(() => {
  const own: string[] = [...Object.entries(inverses).flat(), ...finalActions];
  const added = allAdded().map(({ after, actions }) => ({ after, entries: Object.keys(actions) }));
  return withAdded(own, (name) => name, added) as DecisionAction[];
});

type SilentAction =
  | 'left'
  | 'reopened'
  | keyof {
      [Name in keyof FeatureDecisions as FeatureDecisions[Name] extends 'silent' ? Name : never]: true;
    };

/** Nobody learns that they were reported. */
export const isSilent = (action: DecisionAction): action is SilentAction =>
  action === 'left' ||
  action === 'reopened' ||
  allAdded().some(({ actions }) => Object.hasOwn(actions, action) && actions[action] === 'silent');
