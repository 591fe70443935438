import type { Migration } from '../migrate.ts';

/** The profiles of contributors: see gallery/profiles/profile.ts. */
export const profiles: Migration = {
  name: 'profiles',
  statements: ({ integer, text }) => [
    `create table profile (
      contributor ${integer} primary key references contributor (id),
      about ${text} not null,
      links ${text} not null,
      pinned ${text} not null
    )`,
  ],
};
