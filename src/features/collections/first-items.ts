// The projects on the covers of collections.

import { join } from 'sql-template-tag';
import { all, integer, type Reader } from '#sql';
import { isCollection } from '../../core/content-types.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type Project, shownColumns } from '../../projects/project.ts';
import { discoverableBy } from '../../projects/visibility/visible-to.ts';

/** As many as the cover of a collection shows. */
const maxOnCover = 4;

const coverColumns = { ...shownColumns, collection: integer() };

/** The first projects in each of the collections that the viewer may find. */
export async function loadFirstItems(
  reader: Reader,
  viewer: Viewer,
  projects: readonly Project[],
): Promise<Map<number, Project[]>> {
  const collections = projects.filter(isCollection).map(({ id }) => id);
  if (collections.length === 0) return new Map();
  const items = await all(reader, coverColumns)`from (
    select item.collection, item.project, row_number() over (
      partition by item.collection order by item.position, item.project) as place
    from collection_item as item join project on project.id = item.project
    where item.collection in (${join(collections)}) and item.state = 'included' and ${discoverableBy(viewer)}
  ) as found join project on project.id = found.project
  where found.place <= ${maxOnCover} order by found.collection, found.place`;
  return Map.groupBy(items, ({ collection }) => collection);
}
