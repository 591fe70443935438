// What somebody makes for their class is in it at once.

import sql, { join } from 'sql-template-tag';
import { integer } from '../../../database/columns.ts';
import { all } from '../../../database/query.ts';
import { collectionItemTable, collectionPersonTable } from '../../../database/schema.ts';
import type { WriteContext } from '../../changes/write.ts';
import type { ProjectRow } from '../project.ts';

const classColumns = {
  collection: collectionPersonTable.columns.collection,
  end: integer(sql`(select coalesce(max(position), 0) + 1 from collection_item as item
    where item.collection = collection_person.collection)`),
};

/** What its maker has taken out before stays out. */
export async function putIntoClass(
  { transaction, changeSet, viewer }: WriteContext,
  { id, contributor, visibility, content_type }: ProjectRow,
): Promise<void> {
  const classes = (viewer.memberships ?? []).filter(({ role }) => role !== 'editor');
  const isProject = content_type !== 'comment' && content_type !== 'collection';
  if (visibility !== 'class' || !isProject || contributor !== viewer.contributor || classes.length === 0)
    return;
  const ends = await all(transaction, classColumns)`from collection_person
    where contributor = ${contributor} and collection in (${join(classes.map(({ collection }) => collection))})`;
  const row = { project: id, note: '', state: 'included', added_by: contributor, added: changeSet.at };
  await transaction.insertMissing(
    collectionItemTable,
    ends.map(({ collection, end }) => ({ collection, position: end, ...row })),
  );
}
