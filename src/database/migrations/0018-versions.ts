import type { Migration } from '../migrate.ts';

/** Finds the versions of a project without reading their texts: see gallery/projects/thin-history.ts. */
export const versions: Migration = {
  name: 'versions',
  statements: () => [
    "create index change_version on change (subject, sequence, at) where kind = 'project' and record <> ''",
  ],
};
