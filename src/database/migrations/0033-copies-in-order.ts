import type { Migration } from '../migrate.ts';

/** Copies and replies are found in the order of their lists, without sorting all of them. */
export const copiesInOrder: Migration = {
  name: 'copies in order',
  statements: () => [
    'drop index project_by_source',
    'create index project_by_source on project (copied_from, created, id) where copied_from is not null',
    'drop index project_by_parent',
    'create index project_by_parent on project (parent, created, id) where parent is not null',
  ],
};
