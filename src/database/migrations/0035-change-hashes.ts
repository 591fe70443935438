import type { Migration } from '../migrate.ts';

/** The hash of each change covers the one before: see change-hash.ts. */
export const changeHashes: Migration = {
  name: 'change hashes',
  statements: ({ text }) => [
    `alter table change add column hash ${text} not null default ''`,
    `alter table change_head add column hash ${text} not null default ''`,
  ],
  rebuild: 'changeHashes',
};
