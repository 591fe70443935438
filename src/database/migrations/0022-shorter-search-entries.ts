import type { Migration } from '../migrate.ts';

/** Entries of long texts have fewer words than before: see search.ts. */
export const shorterSearchEntries: Migration = {
  name: 'shorter search entries',
  statements: () => [],
  rebuild: 'searchOfLongTexts',
};
