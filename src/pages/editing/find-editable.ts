import type { Project } from '../../gallery/projects/project.ts';
import { authorizeChange } from '../../gallery/projects/writing/changeable.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { findProject } from '../project/find-project.ts';

/** Finds the project that the URL names, and checks that the viewer may change it. */
export async function findEditableProject(deps: PageDependencies, context: PageContext): Promise<Project> {
  const project = await findProject(deps, context);
  authorizeChange(context.viewer, project);
  return project;
}
