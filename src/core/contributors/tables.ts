// People, and what is shown of them.

import { constrain, identity, integer, nullable, reference, text } from '#sql';
import { table } from '../declare-table.ts';

export const contributorTable = table(
  'contributor',
  ['id'],
  {
    id: identity(),
    username: constrain(text(), { isUnique: true }),
    first_name: text(),
    last_name: text(),
    last_name_key: text(),
    created: integer(),
    /** For finding, as the next one is. */
    username_key: text(),
    /** Two usernames with the same look could be taken for each other. */
    username_look: text(),
    /** The name that everybody sees, folded. */
    name_key: text(),
    shown_name: text(),
    /** The hidden names are those of people who are shown by their username only. */
    hidden_first_name: text(),
    hidden_last_name: text(),
  },
  {
    hasReadableView: true,
    indexes: [
      'contributor_by_username_key (username_key)',
      'contributor_by_look (username_look)',
      'contributor_by_name_key (name_key)',
      'contributor_by_last_name (last_name_key)',
    ],
  },
);

export const profileTable = table(
  'profile',
  ['contributor'],
  {
    contributor: reference(contributorTable),
    about: text(),
    links: text(),
    pinned: text(),
    license: nullable(text()),
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
  { whenOwnerLeaves: 'own rules', indexes: ['avatar_size_by_hash (hash)'] },
);

/** How many listed projects and comments each contributor has. */
export const contributorCountTable = table(
  'contributor_count',
  ['contributor'],
  {
    contributor: integer(),
    count: integer(),
  },
  { whenOwnerLeaves: 'kept', counts: 'unlimited' },
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
  { whenOwnerLeaves: 'kept', counts: 'limited' },
);
