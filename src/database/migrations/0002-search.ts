import type { Migration } from '../migrate.ts';

/** Phrases and ranks need every word's place, which the index did not have before. */
export const search: Migration = {
  name: 'search',
  statements: ({ searchTable }) => ['drop table project_search', ...searchTable],
  rebuild: 'search',
};
