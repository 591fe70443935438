import type { Migration } from '../migrate.ts';

/** How many listed projects and comments each contributor has: visitors find only people who have some. */
export const contributorCounts: Migration = {
  name: 'contributor counts',
  statements: ({ integer }) => [
    `create table contributor_count (contributor ${integer} primary key, count ${integer} not null)`,
    `insert into contributor_count (contributor, count)
       select contributor, count(*) from project
       where visibility = 'public' and status = 1 and thread_visibility = 0 group by contributor`,
  ],
};
