import type { Migration } from '../migrate.ts';

/** On PostgreSQL, several writes share a transaction, and an account may exceed its quota with all of them together. */
export const sharedChanges: Migration = {
  name: 'shared changes',
  statements: ({ sharedChanges = [] }) => [...sharedChanges],
};
