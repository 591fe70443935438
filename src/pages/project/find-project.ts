// Finds the project that the URL of a page names by its uuid.

import type { Project } from '../../gallery/projects/project.ts';
import type { PreparedResponse } from '../../rest/prepared-response.ts';
import type { PageContext, PageDependencies, PageHandler } from '../page-context.ts';
import { redirectPermanently } from '../redirects.ts';

export function findProject(
  { projects }: PageDependencies,
  { viewer, params }: Pick<PageContext, 'viewer' | 'params'>,
): Promise<Project> {
  return projects.findByUuid(viewer, params.uuid ?? '');
}

/** Shows a page of a project. A path with another slug redirects to the current one, unless a form has errors. */
export function createProjectPage(
  toPath: (project: Project) => string,
  show: (deps: PageDependencies, context: PageContext, project: Project) => Promise<PreparedResponse>,
): PageHandler {
  return async (deps, context) => {
    const project = await findProject(deps, context);
    const path = toPath(project);
    if (context.url.path !== path && !context.formErrors) return redirectPermanently(context, path);
    return show(deps, context, project);
  };
}
