import { constrain, integer, reference, text } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import { table } from '../../core/declare-table.ts';
import { projectTable } from '../../projects/tables.ts';

/** A printed card, with which a child signs in, or a parent looks. A new one replaces it. */
export const accountCardTable = table(
  'account_card',
  ['contributor', 'purpose'],
  {
    contributor: reference(contributorTable),
    purpose: text(),
    hash: constrain(text(), { isUnique: true }),
    created: integer(),
  },
  { whenOwnerLeaves: 'deleted' },
);

/** The link by which people with an account of their own join a class. */
export const classLinkTable = table(
  'class_link',
  ['collection'],
  {
    collection: reference(projectTable),
    hash: constrain(text(), { isUnique: true }),
  },
  { whenProjectErased: 'deleted' },
);
