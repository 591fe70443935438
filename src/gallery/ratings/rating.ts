import type { Instant } from '../instant.ts';

/** What somebody thinks of a project: one for each contributor and project. */
export interface Rating {
  project: number;
  contributor: number;
  value: number;
  created: Instant;
  modified: Instant;
}

export const ratingRange = { least: 1, most: 5 } as const;
