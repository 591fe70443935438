// The table of permissions. Routes, OPTIONS, pages and docs/api/permissions.md use it; projects/visibility/visible-to.ts decides
// what a viewer may see at all.

import { apiText } from '#common/api-text.ts';
import { Forbidden, NotSignedIn } from '#common/errors.ts';
import { once } from '../feature.ts';
import { reviewsSomebody } from '../reviewers.ts';
import type { Role, Viewer } from './viewer.ts';

interface Rule {
  readonly description: string;
  /** Visitors are not allowed by default. */
  readonly allowsVisitors?: boolean;
  /** People whom others look after are not allowed. */
  readonly isForOwnAccounts?: boolean;
  /** Nobody else is ever allowed, whoever the owner is. */
  readonly onlyFor?: (viewer: Viewer) => boolean;
  /** `owner` is the contributor who owns the project; undefined if there is no owner. */
  allows(viewer: Viewer, owner: number | undefined): boolean;
}

const isModerator = (viewer: Viewer): boolean => viewer.isModerator;
const isAdmin = ({ role }: Viewer): boolean => role === 'admin';
const reviews = (viewer: Viewer): boolean => viewer.isModerator || reviewsSomebody(viewer);

const rules = {
  anyone: { description: 'anyone', allowsVisitors: true, allows: () => true },
  signedIn: { description: 'anyone signed in', allows: () => true },
  ownAccount: {
    description: 'anyone signed in with an account of their own',
    isForOwnAccounts: true,
    allows: ({ lookedAfterBy }) => lookedAfterBy === undefined,
  },
  owner: { description: 'the owner', allows: ({ contributor }, owner) => contributor === owner },
  ownerOrModerator: {
    description: 'the owner and moderators',
    allows: ({ contributor, isModerator }, owner) => isModerator || contributor === owner,
  },
  notOwner: {
    description: 'anyone signed in except the owner',
    allows: ({ contributor }, owner) => contributor !== owner,
  },
  moderator: { description: 'moderators', onlyFor: isModerator, allows: isModerator },
  moderatorOfOthers: {
    description: 'moderators except the owner',
    onlyFor: isModerator,
    allows: ({ contributor, isModerator }, owner) => isModerator && contributor !== owner,
  },
  reviewer: {
    description: 'moderators, and teachers for the accounts of their class; never the owner',
    onlyFor: reviews,
    allows: (viewer, owner) => reviews(viewer) && viewer.contributor !== owner,
  },
  admin: { description: 'admins', onlyFor: isAdmin, allows: isAdmin },
} satisfies Record<string, Rule>;

interface PermissionRule {
  readonly description: string;
  readonly rule: keyof typeof rules;
  /** A read-only key is enough. */
  readonly allowsReadOnlyKeys?: boolean;
}

const writes = (description: string, rule: keyof typeof rules): PermissionRule => ({ description, rule });
const reads: typeof writes = (...definition) => ({ ...writes(...definition), allowsReadOnlyKeys: true });

/** Admins are moderators too. */
const ownPermissions = {
  read: reads('read what is visible to them', 'anyone'),
  signIn: reads('sign in and out', 'anyone'),
  signUp: reads('create an account, if sign-up is open to them', 'anyone'),
  makeProject: writes('create a project', 'signedIn'),
  changeProject: writes('change a project or a comment', 'ownerOrModerator'),
  trashProject: writes('move a project or a comment to the trash', 'ownerOrModerator'),
  removeProject: writes('remove a project or a comment, and change a removed one', 'moderatorOfOthers'),
  seeTrash: reads('list their own projects in the trash; moderators list all', 'signedIn'),
  restoreProject: writes(
    'restore from the trash; if another person put it there, only moderators',
    'ownerOrModerator',
  ),
  copyProject: writes('copy a project that is visible to them', 'signedIn'),
  rateProject: writes('rate a project that is visible to them', 'notOwner'),
  comment: writes('comment on a project that is visible to them', 'signedIn'),
  seeAccount: reads('see their own account and webhooks, and download their data', 'signedIn'),
  changeAccount: writes('change their own account, keys, webhooks and password, and delete it', 'ownAccount'),
  keepLists: writes('keep bookmarks, follow people and tags, and mark notifications', 'signedIn'),
  invite: writes('invite people', 'moderator'),
  resetPassword: writes(
    'make a link for a new password of a contributor or a moderator, and change their email address',
    'admin',
  ),
  changeSite: writes('change the settings of the site', 'admin'),
};

/** The permissions of features: each declares the names of its own. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeaturePermissions {}

export type Permission = keyof typeof ownPermissions | keyof FeaturePermissions;

declare module '../feature.ts' {
  interface Feature {
    readonly permissions?: Readonly<Record<string, PermissionRule>>;
  }
}

/** All permissions, with those of features. */
export const listPermissions = once(
  (features): Readonly<Record<Permission, PermissionRule>> =>
    Object.assign({}, ownPermissions, ...features.map(({ permissions }) => permissions)),
);

const isOwn = (permission: Permission): permission is keyof typeof ownPermissions =>
  Object.hasOwn(ownPermissions, permission);

const findPermission = (permission: Permission): PermissionRule =>
  isOwn(permission) ? ownPermissions[permission] : listPermissions()[permission];

const findRule = (permission: Permission): Rule => rules[findPermission(permission).rule];

export const describeAllowed = (permission: Permission): string => findRule(permission).description;

const isGranted = ({ grants }: Viewer, permission: Permission): boolean =>
  grants?.includes(permission) === true;

const secondFactorRequired = apiText('secondFactorRequired');

/** Throws unless the viewer may have the permission for some owner; called before the owner is known. */
export function authorizeAny(viewer: Viewer, permission: Permission): void {
  if (findRule(permission).allowsVisitors) return;
  if (viewer.contributor === null) throw new NotSignedIn();
  if (!viewer.canWrite && !findPermission(permission).allowsReadOnlyKeys)
    throw new Forbidden(apiText('keyReadsOnly'));
  if (isGranted(viewer, permission)) return;
  const { onlyFor, isForOwnAccounts } = findRule(permission);
  if (isForOwnAccounts && viewer.lookedAfterBy !== undefined) throw new Forbidden(apiText('lookedAfter'));
  if (onlyFor && !onlyFor(viewer))
    throw viewer.lacksSecondFactor ? new Forbidden(secondFactorRequired) : new Forbidden();
}

/** Whether `authorizeAny` refuses some viewers who are signed in. */
export function isRefusedToSome(permission: Permission): boolean {
  const { allowsVisitors, onlyFor } = findRule(permission);
  return !allowsVisitors && (onlyFor !== undefined || !findPermission(permission).allowsReadOnlyKeys);
}

/** Whether visitors are always refused. */
export const isPrivate = (permission: Permission): boolean => !findRule(permission).allowsVisitors;

/** Throws unless the viewer has the permission for this owner's project. */
export function authorize(viewer: Viewer, permission: Permission, owner: number): void {
  authorizeAny(viewer, permission);
  if (!can(viewer, permission, owner)) throw new Forbidden();
}

export function can(viewer: Viewer, permission: Permission, owner?: number): boolean {
  const rule = findRule(permission);
  if (!rule.allowsVisitors && viewer.contributor === null) return false;
  if (!viewer.canWrite && !findPermission(permission).allowsReadOnlyKeys) return false;
  return rule.allows(viewer, owner) || isGranted(viewer, permission);
}

/** Only the operator manages the accounts of admins. */
const manageableRoles: Readonly<Record<Role, readonly Role[]>> = {
  contributor: [],
  moderator: ['contributor'],
  admin: ['contributor', 'moderator'],
};

export const canManageRole = (viewer: Pick<Viewer, 'role'>, role: Role): boolean =>
  manageableRoles[viewer.role].includes(role);
