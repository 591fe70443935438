import type { Migration } from '../migrate.ts';

/** The condition of visitors' listings: literal text, so that both planners match the partial indexes. */
const listed = "visibility = 'public' and status = 1";
const sortKeys = ['created', 'title_key', 'karma', 'rating_sum', 'last_name_key'];

export const gallery: Migration = {
  name: 'gallery',
  statements: ({ integer, text, identity, searchTable }) => [
    `create table contributor (
      id ${identity},
      username ${text} not null unique,
      first_name ${text} not null,
      last_name ${text} not null,
      last_name_key ${text} not null,
      created ${integer} not null
    )`,
    // `touched` is the last change of anything that the record shows, including a rating or the contributor's name;
    // `modified` is the contributor's last change. The opening figures came with an import. `last_name_key` is the
    // contributor's, copied here so that an index can sort by it.
    `create table project (
      id ${identity},
      uuid ${text} not null,
      slug ${text} not null,
      title ${text} not null,
      title_key ${text} not null,
      content_type ${text} not null,
      contributor ${integer} not null references contributor (id),
      last_name_key ${text} not null,
      copied_from ${integer},
      parent ${integer},
      link ${text},
      visibility ${text} not null,
      status ${integer} not null,
      tags ${text} not null,
      text ${text} not null,
      rating_count ${integer} not null,
      rating_sum ${integer} not null,
      karma ${integer} not null,
      opening_rating_count ${integer} not null,
      opening_rating_sum ${integer} not null,
      opening_karma ${integer} not null,
      created ${integer} not null,
      modified ${integer} not null,
      touched ${integer} not null
    )`,
    'create unique index project_by_uuid on project (uuid)',
    `create index project_by_id on project (id) where ${listed}`,
    `create index project_by_type_id on project (content_type, id) where ${listed}`,
    ...sortKeys.map((key) => `create index project_by_${key} on project (${key}, id) where ${listed}`),
    ...sortKeys.map(
      (key) => `create index project_by_type_${key} on project (content_type, ${key}, id) where ${listed}`,
    ),
    "create index project_archived on project (created, id) where visibility = 'public' and status = 2",
    'create index project_by_contributor on project (contributor, created, id)',
    'create index project_by_source on project (copied_from) where copied_from is not null',
    'create index project_by_parent on project (parent) where parent is not null',
    ...searchTable,
    `create table tag (
      project ${integer} not null references project (id),
      position ${integer} not null,
      tag ${text} not null,
      tag_key ${text} not null,
      primary key (project, position)
    )`,
    'create index tag_by_key on tag (tag_key, project)',
    `create table rating (
      project ${integer} not null references project (id),
      contributor ${integer} not null references contributor (id),
      value ${integer} not null check (value between 1 and 5),
      created ${integer} not null,
      modified ${integer} not null,
      primary key (project, contributor)
    )`,
    'create index rating_by_contributor on rating (contributor)',
    // Counts of projects by their filterable columns, so that listings need not count rows.
    `create table tally (
      visibility ${text} not null,
      status ${integer} not null,
      content_type ${text} not null,
      count ${integer} not null,
      primary key (visibility, status, content_type)
    )`,
    // One row for each change, in commit order: a writer takes sequence numbers from the only row of `change_head`
    // and holds that row until its commit.
    `create table change (
      sequence ${integer} primary key,
      at ${integer} not null,
      actor ${integer},
      action ${text} not null,
      kind ${text} not null,
      subject ${integer} not null,
      record ${text} not null
    )`,
    'create index change_by_subject on change (kind, subject, sequence)',
    `create table change_head (last ${integer} not null)`,
    'insert into change_head (last) values (0)',
    `create table secret (name ${text} primary key, value ${text} not null)`,
  ],
};
