import type { Migration } from './migration.ts';

export const bookmarks: Migration = {
  from: 49,
  to: 50,
  name: 'bookmarks',
  statements: ({ integer }) => [
    `create table bookmark (
      contributor ${integer} not null references contributor (id),
      project ${integer} not null references project (id),
      created ${integer} not null,
      primary key (contributor, project)
    )`,
    'create index bookmark_by_time on bookmark (contributor, created, project)',
  ],
};
