// Projects with their files and ratings, and what is counted of them.

import { integer, nullable, reference, table, text } from '../columns.ts';
import { contributorTable } from './contributors.ts';

export const projectTable = table(
  'project',
  ['id'],
  {
    id: integer(),
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
  },
  { whenOwnerLeaves: 'own rules' },
);

/** `listed_created` is when the project was created; null while it is not listed. */
export const tagTable = table('tag', ['project', 'position'], {
  project: reference(projectTable),
  position: integer(),
  tag: text(),
  tag_key: text(),
  content_type: text(),
  listed_created: nullable(integer()),
});

export const ratingTable = table(
  'rating',
  ['project', 'contributor'],
  {
    project: reference(projectTable),
    contributor: reference(contributorTable),
    value: integer(),
    created: integer(),
    modified: integer(),
  },
  { whenOwnerLeaves: 'kept' },
);

export const mediaTable = table('media', ['project', 'number'], {
  project: reference(projectTable),
  number: integer(),
  position: integer(),
  type: text(),
  name: text(),
  alt: text(),
  origin: nullable(integer()),
});

export const mediaSizeTable = table('media_size', ['project', 'number', 'hash'], {
  project: reference(mediaTable),
  number: integer(),
  hash: text(),
  bytes: integer(),
  width: nullable(integer()),
  height: nullable(integer()),
});

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
);

/** How many listed projects have each tag. */
export const tagCountTable = table('tag_count', ['tag_key'], { tag_key: text(), count: integer() });

/** `reversed` has the characters of the word from last to first: it finds words by their ends. */
export const suggestionWordTable = table('suggestion_word', ['word'], { word: text(), reversed: text() });

export const weeklyCountTable = table('weekly_count', ['week', 'activity', 'content_type'], {
  week: integer(),
  activity: text(),
  content_type: text(),
  count: integer(),
});
