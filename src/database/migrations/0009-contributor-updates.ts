import type { Migration } from '../migrate.ts';

/** See gallery/contributors/updates.ts. */
export const contributorUpdates: Migration = {
  name: 'contributor updates',
  statements: ({ integer, text }) => [
    // `content` says what happens to the projects of a contributor who has left; null if they were renamed. The projects
    // up to the last one, by time and id, are done.
    `create table contributor_update (
      contributor ${integer} primary key references contributor (id),
      content ${text},
      last_created ${integer} not null,
      last_id ${integer} not null
    )`,
  ],
};
