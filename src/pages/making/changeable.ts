import { authorize } from '../../gallery/permissions.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { PageParts, Served } from '../serve.ts';

/** The project that the address names, if this reader sees it and may change it. */
export async function changeable({ projects }: PageParts, { viewer, params }: Served): Promise<Project> {
  const found = await projects.byUuid(viewer, params.uuid ?? '');
  authorize(viewer, found.status === 3 ? 'removeProject' : 'changeProject', found.contributor);
  return found;
}
