import type { Migration } from '../migrate.ts';

/** The avatars of contributors in their sizes: see gallery/profiles/avatar.ts. */
export const avatars: Migration = {
  name: 'avatars',
  statements: ({ integer, text }) => [
    `create table avatar_size (
      contributor ${integer} not null references contributor (id),
      width ${integer} not null,
      hash ${text} not null,
      bytes ${integer} not null,
      primary key (contributor, width)
    )`,
    'create index avatar_size_by_hash on avatar_size (hash)',
  ],
};
