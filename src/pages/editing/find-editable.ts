import { authorizeChange } from '../../gallery/projects/changeable.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { findProject } from '../find-project.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';

/** Finds the project that the URL names, and checks that the viewer may change it. */
export async function findEditableProject(deps: PageDependencies, context: PageContext): Promise<Project> {
  const project = await findProject(deps, context);
  authorizeChange(context.viewer, project);
  return project;
}
