import type { Quotas } from '../changes/usage.ts';
import type { ProjectContentType } from '../content-types.ts';
import type { License } from '../licenses.ts';
import type { ReviewPolicy } from '../site/review-policy.ts';

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
 * The person or program that makes a request. Every query starts from a viewer: what they may not see is not found. Features add
 * what they find out about somebody who is signed in: see sign-in/credentials.ts.
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
  readonly grants?: readonly string[];
  /** Undefined for a visitor. */
  readonly credential?: Credential;
  /** Somebody who sees what the contributor has made by themselves, and no copies of what others have made for a group. */
  readonly seesNoCopies?: boolean;
  /** The collection whose people look after the account. */
  readonly lookedAfterBy?: number;
  /** Undefined for visitors and moderators. */
  readonly quotas?: Quotas;
  /** How much of what they publish waits for a moderator; undefined for nothing, and for visitors and moderators. */
  readonly review?: ReviewPolicy;
  /** Whether what they publish needs a description of each picture. */
  readonly mustDescribe?: boolean;
  /** The types that they may create at this host; undefined if the site offers all types. */
  readonly offeredTypes?: readonly ProjectContentType[];
  /** Of their new works: what they have chosen in their profile, or the site's; undefined for none. */
  readonly license?: License;
  /** Those that they may choose; undefined if the site offers all. */
  readonly offeredLicenses?: readonly License[];
}

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
