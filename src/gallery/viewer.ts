export const roles = ['contributor', 'moderator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** What a reader showed to be known by; a session's id is the hash that it is kept under. */
export type Credential =
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'session'; readonly id: string };

/** Whoever makes a request. Every look-up starts from one: what they may not see is simply not found. */
export interface Viewer {
  /** The contributor who is signed in; null for a visitor. */
  readonly contributor: number | null;
  readonly role: Role;
  /** A moderator or an admin. */
  readonly isModerator: boolean;
  /** What was shown to sign in lets its owner change things. */
  readonly canWrite: boolean;
  /** None for a visitor. */
  readonly credential?: Credential;
}

export function isAnonymous(viewer: Viewer): boolean {
  return viewer.contributor === null;
}

export const anonymous: Viewer = {
  contributor: null,
  role: 'contributor',
  isModerator: false,
  canWrite: false,
};
