import { integer, reference, text } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import { table } from '../../core/declare-table.ts';

/** Nobody but its owner learns of it. */
export const followedContributorTable = table(
  'followed_contributor',
  ['contributor', 'followed'],
  {
    contributor: reference(contributorTable),
    followed: reference(contributorTable),
    created: integer(),
  },
  {
    whenOwnerLeaves: 'deleted',
    deletedWith: ['followed'],
    indexes: ['followed_contributor_by_followed (followed, created, contributor)'],
  },
);

export const followedTagTable = table(
  'followed_tag',
  ['contributor', 'tag_key'],
  {
    contributor: reference(contributorTable),
    tag_key: text(),
    created: integer(),
  },
  { whenOwnerLeaves: 'deleted', indexes: ['followed_tag_by_key (tag_key, created, contributor)'] },
);
