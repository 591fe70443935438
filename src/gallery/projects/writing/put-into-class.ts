// Puts the works that people make for their class into it.

import sql, { join } from 'sql-template-tag';
import { integer } from '../../../database/columns.ts';
import { all, execute } from '../../../database/query.ts';
import { collectionItemTable, collectionPersonTable } from '../../../database/schema.ts';
import type { WriteContext } from '../../changes/write.ts';
import { classesOf } from '../../class-people.ts';
import type { Viewer } from '../../viewer.ts';
import { maySitIn } from '../audience.ts';
import { type ProjectRow, projectLimits } from '../project.ts';
import { nextVersionSql } from './version.ts';

const ofClass = sql`from collection_item as item where item.collection = collection_person.collection`;
const classColumns = {
  collection: collectionPersonTable.columns.collection,
  end: integer(sql`(select coalesce(max(position), 0) + 1 ${ofClass})`),
  count: integer(sql`(select count(*) ${ofClass} and item.state = 'included')`),
};

/** A child in two classes makes it for the one that looks after the account. */
const findClasses = (viewer: Viewer, project: ProjectRow): number[] =>
  (viewer.lookedAfterBy === undefined ? classesOf(viewer) : [viewer.lookedAfterBy]).filter((collection) =>
    maySitIn(project, collection),
  );

/** A work that its maker has taken out stays out. The class is written first: of two children, one waits. */
export async function putIntoClass(
  { transaction, changeSet, viewer }: WriteContext,
  project: ProjectRow,
): Promise<void> {
  const { id, contributor, visibility, content_type } = project;
  const isProject = content_type !== 'comment' && content_type !== 'collection';
  if (visibility !== 'class' || !isProject || contributor !== viewer.contributor) return;
  const classes = findClasses(viewer, project);
  if (classes.length === 0) return;
  await execute(transaction)`update project set record_modified = ${nextVersionSql(changeSet.at)}
    where id in (${join(classes)})`;
  const ends = await all(transaction, classColumns)`from collection_person
    where contributor = ${contributor} and collection in (${join(classes)})`;
  const row = {
    ...{ project: id, note: '', noted_by: null, note_waits: 0 },
    ...{ state: 'included', added_by: contributor, added: changeSet.at },
  };
  const open = ends.filter(({ count }) => count < projectLimits.items);
  await transaction.insertMissing(
    collectionItemTable,
    open.map(({ collection, end }) => ({ collection, position: end, ...row })),
  );
  for (const { collection } of open)
    changeSet.add({ kind: 'project', action: 'arranged', subject: collection });
}
