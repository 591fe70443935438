import type { Migration } from '../migrate.ts';

/** The write queue merges the search index: see docs/decisions/0007-search.md. */
export const searchMerges: Migration = {
  name: 'search merges',
  statements: ({ searchSettings = [] }) => [...searchSettings],
};
