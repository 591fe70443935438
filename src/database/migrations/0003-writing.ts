import type { Migration } from '../migrate.ts';

/** The condition of visitors' listings: literal text, so that both planners match the partial indexes. */
const listed = "visibility = 'public' and status = 1 and veil = 0";
const sortKeys = ['created', 'title_key', 'karma', 'rating_sum', 'last_name_key'];

/** The project of a comment's thread: the first ancestor that is not a comment. */
const rootOf = `(
  with recursive up (id, parent, content_type, steps) as (
    select p.id, p.parent, p.content_type, 1 from project p where p.id = project.parent
    union all
    select p.id, p.parent, p.content_type, up.steps + 1 from project p join up on p.id = up.parent
    where up.content_type = 'comment' and up.steps < 1000
  )
  select id from up where content_type <> 'comment' limit 1
)`;

export const writing: Migration = {
  name: 'writing',
  statements: ({ integer, text, identity }) => [
    // `root` is the project that a comment's thread belongs to; `veil` is how much that project hides of the comment:
    // 0 nothing, 1 it is in no listing, 2 only the project's contributor and moderators see it, 3 nobody does.
    // `trashed`, `trashed_by` and `trashed_status` describe a project in the trash (status 4): since when, by whom,
    // and its status before. `earned` is the karma earned here: `karma` is the opening figure plus `earned`.
    `alter table project add column root ${integer}`,
    `alter table project add column veil ${integer} not null default 0`,
    `alter table project add column trashed ${integer}`,
    `alter table project add column trashed_by ${integer}`,
    `alter table project add column trashed_status ${integer}`,
    `alter table project add column earned ${integer} not null default 0`,
    // Karma for copies and comments was part of the imported figures.
    `update project set earned = 3 * (
         select count(*) from project c where c.copied_from = project.id and c.contributor <> project.contributor
           and c.visibility = 'public' and c.status in (1, 2)
       ) + (
         select count(*) from project c where c.content_type = 'comment' and c.parent = project.id
           and c.contributor <> project.contributor and c.visibility = 'public' and c.status in (1, 2)
       ) where id in (select copied_from from project where copied_from is not null
               union select parent from project where parent is not null)`,
    'update project set opening_karma = karma - earned where earned <> 0',
    `update project set root = ${rootOf} where content_type = 'comment' and parent is not null`,
    `update project set veil = (
       select case when r.visibility = 'private' or r.status in (0, 3) then 2
                   when r.visibility = 'unlisted' or r.status = 2 then 1 else 0 end
       from project r where r.id = project.root) where root is not null`,
    'create index project_by_root on project (root, created, id) where root is not null',
    'create index project_in_trash on project (trashed, id) where trashed is not null',
    ...['id', 'type_id', ...sortKeys, ...sortKeys.map((key) => `type_${key}`), 'archived'].map(
      (name) => `drop index project_${name === 'archived' ? '' : 'by_'}${name}`,
    ),
    `create index project_by_id on project (id) where ${listed}`,
    `create index project_by_type_id on project (content_type, id) where ${listed}`,
    ...sortKeys.map((key) => `create index project_by_${key} on project (${key}, id) where ${listed}`),
    ...sortKeys.map(
      (key) => `create index project_by_type_${key} on project (content_type, ${key}, id) where ${listed}`,
    ),
    "create index project_archived on project (created, id) where visibility = 'public' and status = 2 and veil = 0",
    'drop table tally',
    `create table tally (
      visibility ${text} not null,
      status ${integer} not null,
      veil ${integer} not null,
      content_type ${text} not null,
      count ${integer} not null,
      primary key (visibility, status, veil, content_type)
    )`,
    `insert into tally (visibility, status, veil, content_type, count)
       select visibility, status, veil, content_type, count(*) from project group by visibility, status, veil, content_type`,
    // How many listed projects have each tag.
    `create table tag_count (tag_key ${text} primary key, count ${integer} not null)`,
    `insert into tag_count (tag_key, count)
       select tag_key, count(*) from tag where project in (select id from project where ${listed}) group by tag_key`,
    'create index tag_count_by_count on tag_count (count, tag_key)',
    // The owner of the changed row, and whether visitors' listings had it before or after the change.
    `alter table change add column owner ${integer}`,
    `alter table change add column listed ${integer} not null default 0`,
    `create table account (
      contributor ${integer} primary key references contributor (id),
      password ${text},
      role ${text} not null,
      disabled ${integer}
    )`,
    // The case-folded username. The databases fold A to Z only, which is enough for existing rows; the program
    // computes the key of rows that it writes.
    `alter table contributor add column username_key ${text} not null default ''`,
    'update contributor set username_key = lower(username)',
    'create index contributor_by_username_key on contributor (username_key)',
    // Only a hash of each secret is stored.
    `create table session (
      hash ${text} primary key,
      contributor ${integer} not null references contributor (id),
      created ${integer} not null,
      expires ${integer} not null
    )`,
    'create index session_by_contributor on session (contributor)',
    `create table api_key (
      id ${identity},
      contributor ${integer} not null references contributor (id),
      name ${text} not null,
      hash ${text} not null unique,
      writes ${integer} not null,
      created ${integer} not null,
      expires ${integer},
      used ${integer}
    )`,
    'create index api_key_by_contributor on api_key (contributor)',
    `create table invitation (
      hash ${text} primary key,
      made_by ${integer},
      created ${integer} not null,
      expires ${integer} not null
    )`,
    // Recent failed sign-ins: see gallery/accounts/sign-in-attempts.ts.
    `create table guess (subject ${text} primary key, count ${integer} not null, until ${integer} not null)`,
    // Responses to requests that carried an idempotency key.
    `create table idempotency (
      contributor ${integer} not null,
      key ${text} not null,
      request ${text} not null,
      answer ${text} not null,
      created ${integer} not null,
      primary key (contributor, key)
    )`,
  ],
};
