// The handlers of the forms on a project's page: copying, rating, pinning and commenting on a project.

import { integerField, readFields } from '../../common/fields.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { projectPath } from '../../gallery/paths.ts';
import { pinProject } from '../../gallery/profiles/profile.ts';
import { commentFields } from '../../gallery/projects/fields.ts';
import { copyProject, createComment } from '../../gallery/projects/writing/create.ts';
import { rateProject, ratingRange } from '../../gallery/ratings/rate.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { pageField } from './comment-form.tsx';
import { findProject } from './find-project.ts';

const value = integerField({ label: 'Rating', ...ratingRange });

/** Leads to the edit page: a copy is made to be changed. */
export async function submitCopy(deps: PageDependencies, context: PageContext) {
  const project = await findProject(deps, context);
  return seeOther(
    `${projectPath(await transactOnce(deps.database, context, (write) => copyProject(write, project)))}edit/`,
  );
}

export async function submitRating(deps: PageDependencies, context: PageContext) {
  const project = await findProject(deps, context);
  const { data } = await context.request.readBody();
  const rating = data.value === '' ? undefined : readFields({ value }, data).value;
  await transactOnce(deps.database, context, (write) => rateProject(write, project, rating));
  return seeOther(`${projectPath(project)}#rating`);
}

export async function submitPin(deps: PageDependencies, context: PageContext) {
  const project = await findProject(deps, context);
  const { data } = await context.request.readBody();
  await transactOnce(deps.database, context, (write) => pinProject(write, project, data.pinned === 'yes'));
  return seeOther(`${projectPath(project)}#pin`);
}

/** Leads to the new comment, which is the last one on the page that its form was on. */
export async function submitComment(deps: PageDependencies, context: PageContext) {
  const project = await findProject(deps, context);
  const { text } = commentFields;
  const { data } = await context.request.readBody();
  const uuid = data[pageField];
  const page = typeof uuid === 'string' ? await deps.projects.findByUuid(context.viewer, uuid) : project;
  const comment = await transactOnce(deps.database, context, (write) =>
    createComment(write, project, () => readFields({ text }, data)),
  );
  return seeOther(`${projectPath(page)}?page=last#comment-${comment.id}`);
}
