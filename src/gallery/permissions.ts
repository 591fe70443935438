// Who may do what, on one screen. The routes, OPTIONS, the pages and docs/api/permissions.md read this table; what a
// reader may see at all is projects/visible.ts.

import { Forbidden, NotSignedIn } from '../errors.ts';
import type { Viewer } from './viewer.ts';

interface Rule {
  readonly words: string;
  /** Visitors may not, unless the rule says so. */
  readonly visitors?: boolean;
  /** Contributors may not, whose ever it is. */
  readonly moderators?: boolean;
  /** `owner` is whose the thing is; a thing that is nobody's has none. */
  allows(viewer: Viewer, owner: number | undefined): boolean;
}

const rules = {
  anyone: { words: 'anyone', visitors: true, allows: () => true },
  signedIn: { words: 'anyone signed in', allows: () => true },
  owner: { words: 'whose it is', allows: ({ contributor }, owner) => contributor === owner },
  ownerOrModerator: {
    words: 'whose it is, and moderators',
    allows: ({ contributor, moderates }, owner) => moderates || contributor === owner,
  },
  notOwner: {
    words: 'anyone signed in but whose it is',
    allows: ({ contributor }, owner) => contributor !== owner,
  },
  moderator: { words: 'moderators', moderators: true, allows: ({ moderates }) => moderates },
  moderatorOfOthers: {
    words: 'moderators but whose it is',
    moderators: true,
    allows: ({ contributor, moderates }, owner) => moderates && contributor !== owner,
  },
} satisfies Record<string, Rule>;

interface PermissionRule {
  readonly words: string;
  readonly rule: keyof typeof rules;
  /** A key that may only read is enough. */
  readonly reads?: boolean;
}

/** Admins are moderators too; most of what only they may do is done with the command. */
export const permissions = {
  read: { words: 'read what is visible to them', rule: 'anyone', reads: true },
  signIn: { words: 'sign in and out', rule: 'anyone', reads: true },
  signUp: { words: 'make an account, where the operator lets them', rule: 'anyone', reads: true },
  makeProject: { words: 'make a project', rule: 'signedIn' },
  changeProject: { words: 'change a project or a comment', rule: 'ownerOrModerator' },
  trashProject: { words: 'take a project or a comment away', rule: 'ownerOrModerator' },
  removeProject: {
    words: 'remove a project or a comment, and change what was removed',
    rule: 'moderatorOfOthers',
  },
  seeTrash: { words: 'see what they threw away; moderators what anybody did', rule: 'signedIn', reads: true },
  restoreProject: {
    words: 'restore from the trash; what others threw away, only moderators',
    rule: 'ownerOrModerator',
  },
  copyProject: { words: 'copy a project that is visible to them', rule: 'signedIn' },
  rateProject: { words: 'rate a project that is visible to them', rule: 'notOwner' },
  comment: { words: 'comment on a project that is visible to them', rule: 'signedIn' },
  seeAccount: { words: 'see their own account, and take their data away', rule: 'signedIn', reads: true },
  changeAccount: {
    words: 'change their own account, keys and password, and delete the account',
    rule: 'signedIn',
  },
  invite: { words: 'invite people', rule: 'moderator' },
  report: { words: 'report a project or a comment that is visible to them', rule: 'notOwner' },
  seeReports: {
    words: 'see what was reported and decided, and the state of accounts',
    rule: 'moderator',
    reads: true,
  },
  decide: { words: 'decide on what was reported, and take a decision back', rule: 'moderatorOfOthers' },
  disableAccount: {
    words: 'disable and enable a contributor’s account; a moderator’s, only admins',
    rule: 'moderatorOfOthers',
  },
} satisfies Record<string, PermissionRule>;

export type Permission = keyof typeof permissions;

const permission = (act: Permission): PermissionRule => permissions[act];
const ruleOf = (act: Permission): Rule => rules[permission(act).rule];

/** Who may do it. */
export function whoMay(act: Permission): string {
  return ruleOf(act).words;
}

/** Whether this reader may ever do it, before it is known to what: throws what keeps them from it. */
export function authorizeAny(viewer: Viewer, act: Permission): void {
  if (ruleOf(act).visitors) return;
  if (viewer.contributor === null) throw new NotSignedIn();
  if (!viewer.writes && !permission(act).reads) throw new Forbidden('This key may only read.');
  if (ruleOf(act).moderators && !viewer.moderates) throw new Forbidden();
}

/** Throws what keeps this reader from doing it to what is the owner's. */
export function authorize(viewer: Viewer, act: Permission, owner: number): void {
  authorizeAny(viewer, act);
  if (!can(viewer, act, owner)) throw new Forbidden();
}

export function can(viewer: Viewer, act: Permission, owner?: number): boolean {
  const rule = ruleOf(act);
  if (!rule.visitors && viewer.contributor === null) return false;
  if (!viewer.writes && !permission(act).reads) return false;
  return rule.allows(viewer, owner);
}
