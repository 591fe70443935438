// What is in collections, and who has a part in them.

import sql from 'sql-template-tag';
import { collectionItemTable, collectionPersonTable } from '../../../database/schema.ts';
import { collectionLimits, itemStates } from '../../../gallery/collections/items.ts';
import { id, instant, type LineOf, nullable, oneOf, text } from '../../../gallery/line-format.ts';
import { collectionRoles } from '../../../gallery/viewer.ts';
import { tableKind } from '../table-kind.ts';

/** What somebody has put into collections, and what is in theirs. */
const isOwnItem = (contributor: number) => sql`(added_by = ${contributor} or collection in (
  select id from project where contributor = ${contributor} and content_type = 'collection'))`;

const itemKind = tableKind(
  collectionItemTable,
  {
    collection: id,
    project: id,
    position: id,
    note: text({ maxLength: collectionLimits.note }),
    state: oneOf(itemStates),
    added_by: nullable(id),
    added: instant,
  },
  { ownData: { rows: isOwnItem }, describeChange: null },
);
export const itemLine = itemKind.format;
export type ItemLine = LineOf<typeof itemLine>;

export const collectionKinds = [
  itemKind,
  tableKind(
    collectionPersonTable,
    { collection: id, contributor: id, role: oneOf(collectionRoles) },
    { ownData: true, describeChange: null },
  ),
];
