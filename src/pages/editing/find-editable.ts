import { authorizeChange } from '../../gallery/projects/changeable.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';

/** Finds the project that the URL names, and checks that the viewer may change it. */
export async function findEditableProject(
  { projects }: PageDependencies,
  { viewer, params }: PageContext,
): Promise<Project> {
  const project = await projects.findByUuid(viewer, params.uuid ?? '');
  authorizeChange(viewer, project);
  return project;
}
