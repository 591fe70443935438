import type { Migration } from '../migrate.ts';

/** The condition of visitors' listings. */
const listed = "visibility = 'public' and status = 1 and thread_visibility = 0";

/** Listings by slug, and in the order of `modified`: see docs/decisions/0061-front-ends.md. */
export const slugsAndChangesInOrder: Migration = {
  name: 'slugs and changes in order',
  statements: () => [
    'create index project_by_slug on project (slug, created, id)',
    `create index project_by_modified on project (modified, id) where ${listed}`,
    `create index project_by_type_modified on project (content_type, modified, id) where ${listed}`,
  ],
};
