import type { Migration } from '#sql/open';

export const changeArchive: Migration = {
  from: 52,
  to: 53,
  name: 'an archive of changes',
  steps: ({ integer, text }) => [
    {
      kind: 'expand',
      locks: [],
      statements: [
        `create table change_archive (last ${integer} primary key, first ${integer} not null,
           hash ${text} not null, bytes ${integer} not null, change_hash ${text} not null)`,
        'create index change_archive_by_hash on change_archive (hash)',
      ],
    },
  ],
};
