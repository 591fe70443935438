// The collection that the address of a page names, for those who may do there what the page does.

import { Forbidden } from '../../common/errors.ts';
import { canArrange, requireCollection } from '../../gallery/collections/items.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { PageContext } from '../page.ts';
import { findProject } from '../project/find-project.ts';

export const findCollection = async (context: PageContext): Promise<Project> =>
  requireCollection(await findProject(context));

export function requireArranger(viewer: Viewer, project: Project): Project {
  const collection = requireCollection(project);
  if (!canArrange(viewer, collection)) throw new Forbidden();
  return collection;
}
