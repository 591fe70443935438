import type { Instant } from '../instant.ts';

/** One for each contributor and project. */
export interface Rating {
  project: number;
  contributor: number;
  value: number;
  created: Instant;
  modified: Instant;
}

export const ratingRange = { min: 1, max: 5 } as const;
