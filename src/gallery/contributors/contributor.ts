import { normalizeText } from '../../text-rules.ts';
import type { Instant } from '../instant.ts';

export interface Contributor {
  id: number;
  username: string;
  first_name: string;
  last_name: string;
  created: Instant;
}

export type ContributorNames = Pick<Contributor, 'username' | 'first_name' | 'last_name'>;

export const contributorLimits = { username: 150, name: 150 } as const;

export const usernamePattern = /^[\p{L}\p{M}\p{N}@.+_-]+$/u;

/** Names that differ only in case or in Unicode normalization count as the same. */
export function usernameKey(username: string): string {
  return normalizeText(username, 'NFKC').toLowerCase();
}

/** First and last name, or the username if both are empty. */
export function displayName(contributor: ContributorNames): string {
  return `${contributor.first_name} ${contributor.last_name}`.trim() || contributor.username;
}
