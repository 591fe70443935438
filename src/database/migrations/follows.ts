import { listed } from '../listed.ts';
import type { Migration } from './migration.ts';

/** Finds the newest projects of the people whom somebody follows. */
export const addFollowIndex = `create index project_listed_by_contributor on project (contributor, created, id)
  where ${listed} and content_type <> 'comment'`;

/** What people follow. */
export const follows: Migration = {
  from: 48,
  to: 49,
  name: 'what people follow',
  statements: ({ integer, text }) => [
    addFollowIndex,
    `create table followed_contributor (
      contributor ${integer} not null references contributor (id),
      followed ${integer} not null references contributor (id),
      created ${integer} not null,
      primary key (contributor, followed)
    )`,
    'create index followed_contributor_by_followed on followed_contributor (followed, created, contributor)',
    `create table followed_tag (
      contributor ${integer} not null references contributor (id),
      tag_key ${text} not null,
      created ${integer} not null,
      primary key (contributor, tag_key)
    )`,
    'create index followed_tag_by_key on followed_tag (tag_key, created, contributor)',
  ],
};
