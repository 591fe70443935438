// Which projects and people somebody finds because of their part in a collection.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { hasStatus, publiclyReadableStatuses } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';

const idsOf = ({ memberships }: Viewer): Sql | undefined =>
  memberships && join(memberships.map(({ collection }) => collection));

/** The collections themselves. */
export function readableBy(viewer: Viewer, table: string): Sql | undefined {
  const ids = idsOf(viewer);
  return ids && sql`${raw(table)}.id in (${ids})`;
}

export function findableById(viewer: Viewer): Sql | undefined {
  const ids = idsOf(viewer);
  return ids && sql`id in (${ids}) or root in (${ids})`;
}

/** The others who have a part in them, and their owners. */
export function findablePeople(viewer: Viewer, contributor: Sql): Sql | undefined {
  const ids = idsOf(viewer);
  return (
    ids &&
    sql`${contributor} in (select contributor from collection_person where collection in (${ids})
    union all select contributor from project where id in (${ids}))`
  );
}

/** Pages of a public collection name its owner and its editors. */
export const shownPeople = (contributor: Sql): Sql => sql`exists (select 1 from project as collection
    where collection.contributor = ${contributor} and ${isPublicCollection})
  or exists (select 1 from collection_person as person join project as collection on collection.id = person.collection
    where person.contributor = ${contributor} and person.role = 'editor' and ${isPublicCollection})`;
const isPublicCollection = sql`collection.content_type = 'collection' and collection.visibility = 'public'
  and ${hasStatus(publiclyReadableStatuses, 'collection.status')}`;
