import type { Migration } from '#sql/open';
import { isDeletion } from '../changes/deletions.ts';

export const indexOfDeletions: Migration = {
  from: 53,
  to: 54,
  name: 'an index of deletions',
  steps: () => [
    { kind: 'index', table: 'change', index: `change_of_deletion (sequence) where ${isDeletion}` },
  ],
};
