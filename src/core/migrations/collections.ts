import type { Dialect, Migration } from '#sql/open';

/** Columns and indexes of earlier tables. */
export const addCollectionColumns = ({ integer, text }: Dialect) => [
  `alter table project add column kind ${text}`,
  `alter table project add column offers ${text}`,
  `alter table project add column due ${integer}`,
  `alter table project add column ends ${integer}`,
  `alter table account add column looked_after_by ${integer}`,
  'create index account_by_class on account (looked_after_by) where looked_after_by is not null',
  "create index project_collections on project (created, id) where content_type = 'collection'",
];

export const collections: Migration = {
  from: 49,
  to: 50,
  name: 'collections',
  statements: (dialect) => [
    ...addCollectionColumns(dialect),
    `create table collection_item (
      collection ${dialect.integer} not null references project (id),
      project ${dialect.integer} not null references project (id),
      position ${dialect.integer} not null,
      note ${dialect.text} not null,
      state ${dialect.text} not null,
      added_by ${dialect.integer},
      added ${dialect.integer} not null,
      primary key (collection, project)
    )`,
    'create index collection_item_by_project on collection_item (project, state)',
    "create index collection_item_offered on collection_item (added_by) where state = 'offered'",
    `create table collection_person (
      collection ${dialect.integer} not null references project (id),
      contributor ${dialect.integer} not null references contributor (id),
      role ${dialect.text} not null,
      primary key (collection, contributor)
    )`,
    'create index collection_person_by_contributor on collection_person (contributor, collection)',
    `create table class_link (
      collection ${dialect.integer} primary key references project (id),
      hash ${dialect.text} not null unique
    )`,
    `create table account_card (
      contributor ${dialect.integer} not null references contributor (id),
      purpose ${dialect.text} not null,
      hash ${dialect.text} not null unique,
      created ${dialect.integer} not null,
      primary key (contributor, purpose)
    )`,
    `create table collection_due (
      collection ${dialect.integer} not null references project (id),
      due ${dialect.integer} not null,
      created ${dialect.integer} not null,
      primary key (collection, due)
    )`,
    `create table hand_in_file (
      collection ${dialect.integer} not null references project (id),
      due ${dialect.integer} not null,
      project ${dialect.integer} not null references project (id),
      number ${dialect.integer} not null,
      media_type ${dialect.text} not null,
      name ${dialect.text} not null,
      alt ${dialect.text} not null,
      hash ${dialect.text},
      bytes ${dialect.integer} not null,
      primary key (collection, due, project, number)
    )`,
    'create index hand_in_file_by_project on hand_in_file (project)',
    'create index hand_in_file_by_hash on hand_in_file (hash) where hash is not null',
  ],
};
