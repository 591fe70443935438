import type { Migration } from '../migrate.ts';

/** Tags with what their listings filter and sort by: see docs/decisions/0051-large-galleries.md. */
export const tagsInOrder: Migration = {
  name: 'tags in order',
  statements: ({ integer, text }) => [
    'drop index tag_by_key',
    `alter table tag add column content_type ${text} not null default ''`,
    `alter table tag add column listed_created ${integer}`,
    `update tag set
       content_type = (select content_type from project where id = tag.project),
       listed_created = (
         select created from project where id = tag.project
           and visibility = 'public' and status = 1 and thread_visibility = 0
       )`,
    'create index tag_by_key on tag (tag_key, listed_created, project, content_type)',
  ],
};
