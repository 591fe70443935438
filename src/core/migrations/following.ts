import type { Dialect, Migration } from '#sql/open';

/** Visitors' listings, as released. */
export const listed = "visibility = 'public' and status = 1 and thread_visibility = 0";

/** Columns and indexes of earlier tables. The rebuild fills `name_key`. */
export const addFollowingColumns = ({ integer, text }: Dialect) => [
  `create index project_listed_by_contributor on project (contributor, created, id)
    where ${listed} and content_type <> 'comment'`,
  `alter table project add column answer ${integer}`,
  `alter table project add column featured ${integer}`,
  'create index project_featured on project (featured) where featured is not null',
  `alter table contributor add column name_key ${text} not null default ''`,
  'create index contributor_by_name_key on contributor (name_key)',
  'create index contributor_by_last_name on contributor (last_name_key)',
  `alter table invitation add column name ${text} not null default ''`,
  `alter table invitation add column contributor ${integer} references contributor (id)`,
  `alter table invitation add column used ${integer}`,
];

export const following: Migration = {
  from: 48,
  to: 49,
  name: 'following, bookmarks, answers, featured projects, names, and who used an invitation',
  statements: (dialect) => [
    ...addFollowingColumns(dialect),
    `create table followed_contributor (
      contributor ${dialect.integer} not null references contributor (id),
      followed ${dialect.integer} not null references contributor (id),
      created ${dialect.integer} not null,
      primary key (contributor, followed)
    )`,
    'create index followed_contributor_by_followed on followed_contributor (followed, created, contributor)',
    `create table followed_tag (
      contributor ${dialect.integer} not null references contributor (id),
      tag_key ${dialect.text} not null,
      created ${dialect.integer} not null,
      primary key (contributor, tag_key)
    )`,
    'create index followed_tag_by_key on followed_tag (tag_key, created, contributor)',
    `create table bookmark (
      contributor ${dialect.integer} not null references contributor (id),
      project ${dialect.integer} not null references project (id),
      created ${dialect.integer} not null,
      primary key (contributor, project)
    )`,
    'create index bookmark_by_time on bookmark (contributor, created, project)',
  ],
  rebuilds: ['nameKeys'],
};
