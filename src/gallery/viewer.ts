import type { Quotas } from './changes/usage.ts';
import type { ProjectContentType } from './content-types.ts';
import type { License } from './licenses.ts';
import type { ReviewPolicy } from './site/review-policy.ts';

export const roles = ['contributor', 'moderator', 'admin'] as const;
export type Role = (typeof roles)[number];

/**
 * How a viewer authenticated. The id of a session is the hash under which it is stored, that of a password (HTTP Basic) the
 * stored hash of it.
 */
export type Credential =
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'session' | 'password'; readonly id: string };

/**
 * The person or program that makes a request. Every query starts from a viewer: what they may not see is not found.
 */
export interface Viewer {
  /** The signed-in contributor; null for a visitor. */
  readonly contributor: number | null;
  readonly role: Role;
  /** A moderator or an admin. */
  readonly isModerator: boolean;
  /** A moderator who is treated as a contributor until they have turned the second factor on. */
  readonly lacksSecondFactor?: boolean;
  /** The credential allows writes. */
  readonly canWrite: boolean;
  /** Permissions for this write that their role does not have. */
  readonly grants?: readonly 'makeClass'[];
  /** Undefined for a visitor. */
  readonly credential?: Credential;
  /** The collections that they have a part in; undefined for none. */
  readonly memberships?: readonly Membership[];
  /** The class that made the account and looks after it. */
  readonly lookedAfterBy?: number;
  /** Undefined for visitors and moderators. */
  readonly quotas?: Quotas;
  /** How much of what they publish waits for a moderator; undefined for nothing, and for visitors and moderators. */
  readonly review?: ReviewPolicy;
  /** The types that they may create at this host; undefined if the site offers all types. */
  readonly offeredTypes?: readonly ProjectContentType[];
  /** Of their new works: what they have chosen in their profile, or the site's; undefined for none. */
  readonly license?: License;
  /** Those that they may choose; undefined if the site offers all. */
  readonly offeredLicenses?: readonly License[];
}

/** The part that a person has in a collection. */
export interface Membership {
  readonly collection: number;
  readonly role: CollectionRole;
}

/** An editor arranges a collection. A class has teachers, who do that too, and members. */
export const collectionRoles = ['editor', 'teacher', 'member'] as const;
export type CollectionRole = (typeof collectionRoles)[number];

export const isAnonymous = (viewer: Viewer): boolean => viewer.contributor === null;

export const anonymous: Viewer = {
  contributor: null,
  role: 'contributor',
  isModerator: false,
  canWrite: false,
};

/** The contributor's id. Only for code that anonymous viewers cannot reach. */
export const requireSignedIn = ({ contributor }: Viewer): number => {
  if (contributor === null) throw new Error('this code needs a signed-in viewer');
  return contributor;
};
