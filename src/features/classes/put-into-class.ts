// Puts the works that people make for their class into it.

import sql, { join } from 'sql-template-tag';
import { all, execute, integer } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import { hasPublicStatus } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type ProjectRow, projectLimits } from '../../projects/project.ts';
import { maySitIn } from '../../projects/visibility/made-for-a-group.ts';
import { nextVersionSql } from '../../projects/writing/version.ts';
import { collectionItemTable } from '../collections/tables.ts';
import { classesOf } from './class-people.ts';

const ofClass = sql`from collection_item as item where item.collection = project.id`;
const classColumns = {
  collection: integer(sql`id`),
  end: integer(sql`(select coalesce(max(position), 0) + 1 ${ofClass})`),
  count: integer(sql`(select count(*) ${ofClass} and item.state = 'included')`),
};

/**
 * A child in two classes makes it for the one that looks after the account. A work that was made for a class comes by itself into no
 * other, also when its maker has left that one: they put it there.
 */
const findClasses = (viewer: Viewer, project: ProjectRow, madeFor: number | null): number[] =>
  (viewer.lookedAfterBy === undefined ? classesOf(viewer) : [viewer.lookedAfterBy]).filter(
    (collection) => maySitIn(project, collection) && (madeFor === null || madeFor === collection),
  );

/** A work that its maker has taken out stays out. The class is written first: of two children, one waits. */
export async function putIntoClass(
  { transaction, changeSet, viewer }: WriteContext,
  project: ProjectRow,
  madeFor: number | null,
): Promise<void> {
  const { id, contributor, visibility, content_type } = project;
  const isProject = content_type !== 'comment' && content_type !== 'collection';
  if (visibility !== 'class' || !isProject || contributor !== viewer.contributor) return;
  const classes = findClasses(viewer, project, madeFor);
  if (classes.length === 0) return;
  // An open one keeps its version: it would tell everybody.
  await execute(
    transaction,
  )`update project set record_modified = case when visibility in ('public', 'unlisted')
      and ${hasPublicStatus} then record_modified else ${nextVersionSql(changeSet.at)} end
    where id in (${join(classes)})`;
  const ends = await all(transaction, classColumns)`from project where id in (${join(classes)})`;
  const row = {
    ...{ project: id, note: '', noted_by: null, note_for: null },
    ...{ state: 'included', added_by: contributor, added: changeSet.at },
  };
  const open = ends.filter(({ count }) => count < projectLimits.items);
  await transaction.insertMissing(
    collectionItemTable,
    open.map(({ collection, end }) => ({ collection, position: end, ...row })),
  );
  // What somebody else has put there, or what was offered to it, is in the class by its maker from now on.
  await execute(transaction)`update collection_item set added_by = ${contributor}, state = 'included'
    where project = ${id} and collection in (${join(classes)}) and state <> 'withdrawn'`;
  for (const { collection } of open)
    changeSet.add({ kind: 'project', action: 'arranged', subject: collection });
}
