// People, and what is shown of them.

import { integer, nullable, reference, table, text } from '../columns.ts';

export const contributorTable = table('contributor', ['id'], {
  id: integer(),
  username: text(),
  first_name: text(),
  last_name: text(),
  last_name_key: text(),
  created: integer(),
  username_key: text(),
  /** Two usernames with the same look could be taken for each other. */
  username_look: text(),
  shown_name: text(),
  hidden_first_name: text(),
  hidden_last_name: text(),
});

export const profileTable = table(
  'profile',
  ['contributor'],
  {
    contributor: reference(contributorTable),
    about: text(),
    links: text(),
    pinned: text(),
  },
  { whenOwnerLeaves: 'deleted' },
);

/** Avatars are square. */
export const avatarSizeTable = table(
  'avatar_size',
  ['contributor', 'width'],
  {
    contributor: reference(contributorTable),
    width: integer(),
    hash: text(),
    bytes: integer(),
  },
  { whenOwnerLeaves: 'own rules' },
);

/** How many listed projects and comments each contributor has. */
export const contributorCountTable = table(
  'contributor_count',
  ['contributor'],
  {
    contributor: integer(),
    count: integer(),
  },
  { whenOwnerLeaves: 'kept' },
);

/** How much each contributor stores. */
export const contributorUsageTable = table(
  'contributor_usage',
  ['contributor', 'resource'],
  {
    contributor: integer(),
    resource: text(),
    count: integer(),
  },
  { whenOwnerLeaves: 'kept' },
);

export const contributorUpdateTable = table(
  'contributor_update',
  ['contributor'],
  {
    contributor: reference(contributorTable),
    content: nullable(text()),
    last_created: integer(),
    last_id: integer(),
  },
  { whenOwnerLeaves: 'kept' },
);
