import type { Migration } from '#sql/open';

/** `change_by_subject` finds them as fast: SQLite has never used the other index. */
export const indexOfVersions: Migration = {
  from: 50,
  to: 51,
  name: 'no index of versions',
  statements: () => ['drop index change_version'],
};
