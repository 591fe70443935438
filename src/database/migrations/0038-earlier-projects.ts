import type { Migration } from '../migrate.ts';

/** Known positions of deep pages are adjusted: see docs/decisions/0057-positions-that-stay.md. */
export const earlierProjects: Migration = {
  name: 'earlier projects',
  statements: ({ earlierProjectTable = [] }) => [...earlierProjectTable],
};
