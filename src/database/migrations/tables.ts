// The tables of a new gallery, in an order in which foreign keys find what they refer to. A change here also needs a
// migration: see ../migrate.ts.

import { accountTables } from './account-tables.ts';
import type { Dialect } from './migration.ts';

/** The condition of visitors' listings: literal text, so that both planners match the partial indexes. */
export const listed = "visibility = 'public' and status = 1 and thread_visibility = 0";
const sortKeys = ['created', 'title_key', 'karma', 'rating_sum', 'last_name_key', 'modified'];

/** The statements that create each table with its indexes and first rows. */
export type TableStatements = Readonly<Record<string, readonly string[]>>;

export const createTables = (dialect: Dialect): TableStatements => ({
  ...projectTables(dialect),
  ...changeTables(dialect),
  ...countTables(dialect),
  ...accountTables(dialect),
  ...profileTables(dialect),
  ...siteTables(dialect),
  project_search: dialect.searchTable,
  earlier_project: dialect.earlierProjectTable,
  change_queue: dialect.changeQueue,
});

const projectTables = ({ integer, text, identity }: Dialect) => ({
  // `username_key` and `username_look` are for finding: two usernames with the same look could be taken for each other.
  // The hidden names are those of people who are shown by their username only.
  contributor: [
    `create table contributor (
      id ${identity},
      username ${text} not null unique,
      first_name ${text} not null,
      last_name ${text} not null,
      last_name_key ${text} not null,
      created ${integer} not null,
      username_key ${text} not null,
      username_look ${text} not null,
      shown_name ${text} not null,
      hidden_first_name ${text} not null,
      hidden_last_name ${text} not null
    )`,
    'create index contributor_by_username_key on contributor (username_key)',
    'create index contributor_by_look on contributor (username_look)',
  ],
  // `modified` is the contributor's last change; `record_modified` is the last change of anything that the record shows,
  // including a rating or the contributor's name. The opening figures came with an import: `karma` is the opening figure
  // plus `earned_karma`. `last_name_key` is the contributor's, so that an index can sort by it.
  // `root` is the project that a comment's thread belongs to; `thread_visibility` is how much that project hides of the
  // comment: 0 nothing, 1 it is in no listing, 2 only the project's contributor and moderators see it, 3 nobody does.
  // `trashed`, `trashed_by` and `trashed_status` describe a project in the trash (status 4): since when, by whom, and its
  // status before. `removed_files` is how many files of a copy were deleted where they came from.
  project: [
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
      record_modified ${integer} not null,
      root ${integer},
      thread_visibility ${integer} not null,
      trashed ${integer},
      trashed_by ${integer},
      trashed_status ${integer},
      earned_karma ${integer} not null,
      history ${text} not null,
      removed_files ${integer} not null
    )`,
    'create unique index project_by_uuid on project (uuid)',
    // A search for projects reads an index only: see docs/decisions/0051-large-galleries.md.
    `create index project_by_id on project (id, created, content_type) where ${listed}`,
    `create index project_by_type_id on project (content_type, id) where ${listed}`,
    ...sortKeys.map((key) => `create index project_by_${key} on project (${key}, id) where ${listed}`),
    ...sortKeys.map(
      (key) => `create index project_by_type_${key} on project (content_type, ${key}, id) where ${listed}`,
    ),
    "create index project_archived on project (created, id) where visibility = 'public' and status = 2 and thread_visibility = 0",
    'create index project_by_contributor on project (contributor, created, id)',
    'create index project_by_slug on project (slug, created, id)',
    'create index project_by_source on project (copied_from, created, id) where copied_from is not null',
    'create index project_by_parent on project (parent, created, id) where parent is not null',
    'create index project_by_root on project (root, created, id) where root is not null',
    'create index project_in_trash on project (trashed, id) where trashed is not null',
  ],
  // Tags with what their listings filter and sort by. `listed_created` is null while the project is not listed.
  tag: [
    `create table tag (
      project ${integer} not null references project (id),
      position ${integer} not null,
      tag ${text} not null,
      tag_key ${text} not null,
      content_type ${text} not null,
      listed_created ${integer},
      primary key (project, position)
    )`,
    'create index tag_by_key on tag (tag_key, listed_created, project, content_type)',
  ],
  rating: [
    `create table rating (
      project ${integer} not null references project (id),
      contributor ${integer} not null references contributor (id),
      value ${integer} not null check (value between 1 and 5),
      created ${integer} not null,
      modified ${integer} not null,
      primary key (project, contributor)
    )`,
    'create index rating_by_contributor on rating (contributor)',
  ],
  // The files of projects: `number` identifies a file within its project, `position` is its place in the order; `origin`
  // is the project that a copied file was uploaded to.
  media: [
    `create table media (
      project ${integer} not null references project (id),
      number ${integer} not null,
      position ${integer} not null,
      type ${text} not null,
      name ${text} not null,
      alt ${text} not null,
      origin ${integer},
      primary key (project, number)
    )`,
    'create index media_by_origin on media (origin) where origin is not null',
  ],
  // The stored bytes of a file by their hash: each size of a picture, or the one original of any other file.
  media_size: [
    `create table media_size (
      project ${integer} not null,
      number ${integer} not null,
      hash ${text} not null,
      bytes ${integer} not null,
      width ${integer},
      height ${integer},
      primary key (project, number, hash),
      foreign key (project, number) references media (project, number)
    )`,
    'create index media_size_by_hash on media_size (hash)',
  ],
  suggestion_word: [
    `create table suggestion_word (word ${text} primary key, reversed ${text} not null)`,
    'create index suggestion_word_by_end on suggestion_word (reversed)',
  ],
});

const changeTables = ({ integer, text }: Dialect) => ({
  // One row for each change, in commit order. `owner` is the contributor whose row was changed; `listed` is 1 if visitors'
  // listings had it before or after the change; the hash covers the one before: see ../change-hash.ts.
  change: [
    `create table change (
      sequence ${integer} primary key,
      at ${integer} not null,
      actor ${integer},
      action ${text} not null,
      kind ${text} not null,
      subject ${integer} not null,
      record ${text} not null,
      owner ${integer},
      listed ${integer} not null,
      hash ${text} not null
    )`,
    'create index change_by_subject on change (kind, subject, sequence)',
    // Finds the versions of a project without reading their texts.
    "create index change_version on change (subject, sequence, at) where kind = 'project' and record <> ''",
  ],
  // A writer takes sequence numbers from the only row, and holds it until its commit.
  change_head: [
    `create table change_head (last ${integer} not null, hash ${text} not null)`,
    "insert into change_head (last, hash) values (0, '')",
  ],
  // The last change after which deleted data was overwritten.
  overwritten: [
    `create table overwritten (sequence ${integer} not null)`,
    'insert into overwritten (sequence) select last from change_head',
  ],
});

/** Counts that would take long to compute for each request. */
const countTables = ({ integer, text }: Dialect) => ({
  project_count: [
    `create table project_count (
      visibility ${text} not null,
      status ${integer} not null,
      thread_visibility ${integer} not null,
      content_type ${text} not null,
      count ${integer} not null,
      primary key (visibility, status, thread_visibility, content_type)
    )`,
  ],
  tag_count: [
    `create table tag_count (tag_key ${text} primary key, count ${integer} not null)`,
    'create index tag_count_by_count on tag_count (count, tag_key)',
  ],
  contributor_count: [
    `create table contributor_count (contributor ${integer} primary key, count ${integer} not null)`,
  ],
  contributor_usage: [
    `create table contributor_usage (
      contributor ${integer} not null,
      resource ${text} not null,
      count ${integer} not null,
      primary key (contributor, resource)
    )`,
  ],
  weekly_count: [
    `create table weekly_count (
      week ${integer} not null,
      activity ${text} not null,
      content_type ${text} not null,
      count ${integer} not null,
      primary key (week, activity, content_type)
    )`,
  ],
});

const profileTables = ({ integer, text }: Dialect) => ({
  profile: [
    `create table profile (
      contributor ${integer} primary key references contributor (id),
      about ${text} not null,
      links ${text} not null,
      pinned ${text} not null
    )`,
  ],
  avatar_size: [
    `create table avatar_size (
      contributor ${integer} not null references contributor (id),
      width ${integer} not null,
      hash ${text} not null,
      bytes ${integer} not null,
      primary key (contributor, width)
    )`,
    'create index avatar_size_by_hash on avatar_size (hash)',
  ],
  // `content` says what happens to the projects of a contributor who has left; null if they were renamed. The projects up
  // to the last one, by time and id, are done.
  contributor_update: [
    `create table contributor_update (
      contributor ${integer} primary key references contributor (id),
      content ${text},
      last_created ${integer} not null,
      last_id ${integer} not null
    )`,
  ],
});

const siteTables = ({ integer, text }: Dialect) => ({
  secret: [`create table secret (name ${text} primary key, value ${text} not null)`],
  // An empty host is the default for all.
  site_setting: [
    `create table site_setting (
      host ${text} not null,
      name ${text} not null,
      value ${text} not null,
      primary key (host, name)
    )`,
  ],
  scheduled_job: [
    `create table scheduled_job (
      name ${text} primary key,
      finished ${integer} not null,
      held_by ${text} not null,
      held_until ${integer} not null
    )`,
  ],
  public_dump: [
    `create table public_dump (
      hash ${text} primary key,
      bytes ${integer} not null,
      projects ${integer} not null,
      created ${integer} not null
    )`,
  ],
});
