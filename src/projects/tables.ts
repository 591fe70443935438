// Projects with their files and ratings, and what is counted of them.

import { constrain, identity, integer, nullable, reference, text } from '#sql';
import { contributorTable } from '../core/contributors/tables.ts';
import { table } from '../core/declare-table.ts';
import type { Focus } from './media/focus.ts';
import { isListedIn, listed } from './visibility/listed.ts';

const sortKeys = ['created', 'title_key', 'karma', 'rating_sum', 'last_name_key', 'modified'];

/**
 * `modified` is the contributor's last change; `record_modified` is the last change of anything that the record shows,
 * including a rating or the contributor's name. The opening figures came with an import: `karma` is the opening figure
 * plus `earned_karma`. `last_name_key` is the contributor's, so that an index can sort by it. `root` is the project that
 * a comment's thread belongs to; `thread_visibility` is how much that project hides of the comment: 0 nothing, 1 it is
 * in no listing, 2 only the project's contributor and moderators see it, 3 nobody does. `trashed`, `trashed_by` and
 * `trashed_status` describe a project in the trash (status 4): since when, by whom, and its status before.
 * `removed_files` is how many files of a copy were deleted where they came from. `publish_at` is when a draft is published,
 * or one that waits for a moderator. `never_listed` is 1 for a project that was made here and was in no listing yet: its
 * `created` becomes the time when it is. `answer` is the comment that the contributor of a question has accepted. `featured` is when a
 * moderator put the project on the home page. A collection has `thread_visibility` 1: lists do not have it by default.
 * `kind`, `offers`, `due` and `ends` are null for other projects: see projects/collection-members.ts. `source_license` is the licence that
 * somebody else's project had when this one was copied from it. `made_for` and `source_maker`: see visibility/made-for-a-group.ts.
 * `ends_set` is when the present end of a class was set. `asked_status` is archived (2) for what waits and is archived once it is approved.
 */
export const projectTable = table(
  'project',
  ['id'],
  {
    id: identity(),
    uuid: text(),
    slug: text(),
    title: text(),
    title_key: text(),
    content_type: text(),
    contributor: reference(contributorTable),
    last_name_key: text(),
    copied_from: nullable(integer()),
    parent: nullable(integer()),
    link: nullable(text()),
    visibility: text(),
    status: integer(),
    tags: text(),
    text: text(),
    rating_count: integer(),
    rating_sum: integer(),
    karma: integer(),
    opening_rating_count: integer(),
    opening_rating_sum: integer(),
    opening_karma: integer(),
    created: integer(),
    modified: integer(),
    record_modified: integer(),
    root: nullable(integer()),
    thread_visibility: integer(),
    trashed: nullable(integer()),
    trashed_by: nullable(integer()),
    trashed_status: nullable(integer()),
    earned_karma: integer(),
    history: text(),
    removed_files: integer(),
    publish_at: nullable(integer()),
    never_listed: integer(),
    answer: nullable(integer()),
    featured: nullable(integer()),
    kind: nullable(text()),
    offers: nullable(text()),
    due: nullable(integer()),
    ends: nullable(integer()),
    license: nullable(text()),
    source_license: nullable(text()),
    made_for: nullable(integer()),
    source_maker: nullable(text()),
    ends_set: nullable(integer()),
    asked_status: nullable(integer()),
  },
  {
    whenOwnerLeaves: 'own rules',
    hasReadableView: true,
    mostRows: 'status = 1',
    isSearched: true,
    earlier: {
      columns: [
        ...['visibility', 'status', 'thread_visibility', 'content_type', 'copied_from'],
        ...['created', 'title_key', 'karma', 'rating_sum', 'last_name_key'],
      ],
      isListed: isListedIn,
    },
    indexes: [
      'unique project_by_uuid (uuid)',
      // A search for projects reads an index only: see docs/decisions/0051-large-galleries.md.
      `project_by_id (id, created, content_type) where ${listed}`,
      `project_by_type_id (content_type, id) where ${listed}`,
      ...sortKeys.map((key) => `project_by_${key} (${key}, id) where ${listed}`),
      ...sortKeys.map((key) => `project_by_type_${key} (content_type, ${key}, id) where ${listed}`),
      "project_archived (created, id) where visibility = 'public' and status = 2 and thread_visibility = 0",
      'project_by_contributor (contributor, created, id)',
      `project_listed_by_contributor (contributor, created, id) where ${listed} and content_type <> 'comment'`,
      'project_featured (featured) where featured is not null',
      'project_by_slug (slug, created, id)',
      'project_by_source (copied_from, created, id) where copied_from is not null',
      'project_by_parent (parent, created, id) where parent is not null',
      'project_by_root (root, created, id) where root is not null',
      'project_in_trash (trashed, id) where trashed is not null',
      'project_waiting (modified, id) where status = 5',
      `project_by_license (license, created, id) where license is not null and ${listed}`,
      "project_collections (created, id) where content_type = 'collection'",
      "project_collections_by_contributor (contributor, id) where content_type = 'collection'",
      'project_to_publish (publish_at, id) where publish_at is not null and status = 0',
    ],
  },
);

/**
 * Tags with what their listings filter and sort by. `listed_created` is when the project was created; null while it is
 * not listed.
 */
export const tagTable = table(
  'tag',
  ['project', 'position'],
  {
    project: reference(projectTable),
    position: integer(),
    tag: text(),
    tag_key: text(),
    content_type: text(),
    listed_created: nullable(integer()),
  },
  {
    whenProjectErased: 'own rules',
    indexes: ['tag_by_key (tag_key, listed_created, project, content_type)'],
  },
);

export const ratingTable = table(
  'rating',
  ['project', 'contributor'],
  {
    project: reference(projectTable),
    contributor: reference(contributorTable),
    value: constrain(integer(), { range: [1, 5] }),
    created: integer(),
    modified: integer(),
  },
  {
    whenProjectErased: 'deleted',
    whenOwnerLeaves: 'kept',
    hasReadableView: true,
    indexes: ['rating_by_contributor (contributor)'],
  },
);

/**
 * The files of projects: `number` identifies a file within its project, `position` is its place in the order; `origin`
 * is the project that a copied file was uploaded to, `focus` the part of a picture that its cover shows.
 */
export const mediaTable = table(
  'media',
  ['project', 'number'],
  {
    project: reference(projectTable),
    number: integer(),
    position: integer(),
    type: text(),
    name: text(),
    alt: text(),
    origin: nullable(integer()),
    focus: text().narrow<Focus>(),
  },
  { whenProjectErased: 'own rules', indexes: ['media_by_origin (origin) where origin is not null'] },
);

/** The stored bytes of a file by their hash: each size of a picture, or the one original of any other file. */
export const mediaSizeTable = table(
  'media_size',
  ['project', 'number', 'hash'],
  {
    project: reference(mediaTable),
    number: integer(),
    hash: text(),
    bytes: integer(),
    width: nullable(integer()),
    height: nullable(integer()),
  },
  { whenProjectErased: 'own rules', indexes: ['media_size_by_hash (hash)'] },
);

/** The counts of projects, by the columns that listings filter by. */
export const projectCountTable = table(
  'project_count',
  ['visibility', 'status', 'thread_visibility', 'content_type'],
  {
    visibility: text(),
    status: integer(),
    thread_visibility: integer(),
    content_type: text(),
    count: integer(),
  },
  { counts: 'unlimited' },
);

/** How many listed projects have each tag. */
export const tagCountTable = table(
  'tag_count',
  ['tag_key'],
  { tag_key: text(), count: integer() },
  { counts: 'unlimited', indexes: ['tag_count_by_count (count, tag_key)'] },
);

/** `reversed` has the characters of the word from last to first: it finds words by their ends. */
export const suggestionWordTable = table(
  'suggestion_word',
  ['word'],
  { word: text(), reversed: text() },
  { indexes: ['suggestion_word_by_end (reversed)'] },
);
