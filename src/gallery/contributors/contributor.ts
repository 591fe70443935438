import { normalizeText } from '../../common/text-rules.ts';
import type { Instant } from '../instant.ts';

export interface Contributor {
  id: number;
  username: string;
  first_name: string;
  last_name: string;
  created: Instant;
}

export const shownNames = ['full', 'username'] as const;
export type ShownName = (typeof shownNames)[number];

/** The name that others see is in `first_name` and `last_name`: see shown-name.ts. */
export interface FullNames {
  full_first_name: string;
  full_last_name: string;
  shown_name: ShownName;
}

export type FullContributor = Contributor & FullNames;
/** With the full name if the viewer is a moderator. */
export type VisibleContributor = Contributor & Partial<FullNames>;

export type ContributorNames = Pick<Contributor, 'username' | 'first_name' | 'last_name'>;

export const contributorLimits = { username: 150, name: 150 } as const;

export const usernamePattern = /^[\p{L}\p{M}\p{N}@.+_-]+$/u;

/** Names that differ only in case or in Unicode normalization count as the same. */
export function usernameKey(username: string): string {
  return normalizeText(username, 'NFKC').toLowerCase();
}

/** The name that everybody sees: first and last name, or the username if both are empty. */
export function displayName(contributor: ContributorNames): string {
  return `${contributor.first_name} ${contributor.last_name}`.trim() || contributor.username;
}

/** The names with the full name in place of the shown one. */
export function toFullNames({
  username,
  full_first_name,
  full_last_name,
}: FullContributor): ContributorNames {
  return { username, first_name: full_first_name, last_name: full_last_name };
}

/** The display name with the full name, for moderators and the operator. */
export const fullName = (contributor: FullContributor): string => displayName(toFullNames(contributor));
