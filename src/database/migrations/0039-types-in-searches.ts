import type { Migration } from '../migrate.ts';

/** A search for projects of a type reads an index only: see docs/decisions/0051-large-galleries.md. */
export const typesInSearches: Migration = {
  name: 'types in searches',
  statements: () => [
    'drop index project_by_id',
    `create index project_by_id on project (id, created, content_type)
       where visibility = 'public' and status = 1 and thread_visibility = 0`,
  ],
};
