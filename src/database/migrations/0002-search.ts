import type { Migration } from '../migrate.ts';

/** Phrases and ranking need the position of every word, which the earlier index did not store. */
export const search: Migration = {
  name: 'search',
  statements: ({ searchTable }) => ['drop table project_search', ...searchTable],
  rebuild: 'search',
};
