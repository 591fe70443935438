// Finds the project that the URL of a page names by its uuid.

import { NotFound } from '#common/errors.ts';
import type { PreparedResponse } from '#rest/prepared-response.ts';
import { type PageContext, type PageHandler, redirectPermanently } from '../../../core/pages/page.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import { authorizeChange } from '../../writing/changeable.ts';

export const findProject = ({ projects, viewer, params }: PageContext): Promise<Project> =>
  projects.findByUuid(viewer, params.uuid ?? '');

/** The same, for viewers who may change it. */
export async function findEditableProject(context: PageContext): Promise<Project> {
  const project = await findProject(context);
  authorizeChange(context.viewer, project);
  return project;
}

/** Undefined if the viewer may not find it. */
export const findIfVisible = <Found>(found: Promise<Found>): Promise<Found | undefined> =>
  found.catch((error) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });

export const loadFiles = async ({ projects }: PageContext, { id }: Project): Promise<readonly Media[]> =>
  (await projects.loadMedia([id])).get(id) ?? [];

/** Shows a page of a project. A path with another slug redirects to the current one, unless a form has errors. */
export const createProjectPage =
  (
    toPath: (project: Project) => string,
    show: (context: PageContext, project: Project) => Promise<PreparedResponse>,
  ): PageHandler =>
  async (context) => {
    const project = await findProject(context);
    const path = toPath(project);
    if (context.url.path !== path && !context.formErrors) return redirectPermanently(context, path);
    return show(context, project);
  };
