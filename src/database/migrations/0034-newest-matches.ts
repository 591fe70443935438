import type { Migration } from '../migrate.ts';

/** The condition of visitors' listings. */
const listed = "visibility = 'public' and status = 1 and thread_visibility = 0";

/** A search reads the newest matches only: see docs/decisions/0051-large-galleries.md. */
export const newestMatches: Migration = {
  name: 'newest matches',
  statements: ({ searchIndex = [] }) => [
    'drop index project_by_id',
    `create index project_by_id on project (id, created) where ${listed}`,
    ...searchIndex,
  ],
};
