import type { Migration } from '../migrate.ts';

/** Entries of long texts have fewer words than before: see search.ts and word-hash.ts. */
export const searchBounds: Migration = {
  name: 'search bounds',
  statements: () => [],
  rebuild: 'searchOfLongTexts',
};
