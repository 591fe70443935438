// The handlers of the forms on a project's page: copying, rating and pinning a project, commenting on it and accepting
// an answer.

import { integerField, readFields } from '#rest/fields.ts';
import { anyone, form, seeOther } from '../../../core/pages/page.ts';
import { projectPath } from '../../../core/paths.ts';
import { pinProject } from '../../people/profile.ts';
import { commentFields } from '../../project-fields.ts';
import { rateProject, ratingRange } from '../../ratings/rate.ts';
import { acceptAnswer } from '../../writing/answer.ts';
import { copyProject, createComment } from '../../writing/create.ts';
import { pageField } from './comment-form.tsx';
import { findEditableProject, findProject } from './find-project.ts';

const answerField = integerField({ label: 'Comment', min: 1, max: Number.MAX_SAFE_INTEGER });
const value = integerField({ label: 'Rating', ...ratingRange });

export const submissionRoutes = [
  // Leads to the edit page: a copy is made to be changed.
  form('/content/:uuid/:slug/copy/', anyone, async (context) => {
    const project = await findProject(context);
    return seeOther(`${projectPath(await context.transact((write) => copyProject(write, project)))}edit/`);
  }),
  // Leads to the rating again, which says that it is saved.
  form('/content/:uuid/:slug/rate/', anyone, async (context) => {
    const project = await findProject(context);
    const { data } = await context.request.readBody();
    const rating = data.value === '' ? undefined : readFields({ value }, data).value;
    await context.transact((write) => rateProject(write, project, rating));
    return seeOther(`${projectPath(project)}?rated`);
  }),
  form('/content/:uuid/:slug/pin/', anyone, async (context) => {
    const project = await findProject(context);
    const { data } = await context.request.readBody();
    await context.transact((write) => pinProject(write, project, data.pinned === 'yes'));
    return seeOther(`${projectPath(project)}#pin`);
  }),
  // Leads to the comments, where the accepted answer stands first.
  form('/content/:uuid/:slug/answer/', anyone, async (context) => {
    const project = await findEditableProject(context);
    const { data } = await context.request.readBody();
    const { comment = null } = data.comment === '' ? {} : readFields({ comment: answerField }, data);
    await context.transact((write) => acceptAnswer(write, project.id, comment));
    return seeOther(`${projectPath(project)}#comments`);
  }),
  // Leads to the new comment, which is the last one on the page that its form was on.
  form('/content/:uuid/:slug/comment/', anyone, async (context) => {
    const project = await findProject(context);
    const { text } = commentFields;
    const { data } = await context.request.readBody();
    const uuid = data[pageField];
    const shownOn =
      typeof uuid === 'string' ? await context.projects.findByUuid(context.viewer, uuid) : project;
    const comment = await context.transact((write) =>
      createComment(write, project, () => readFields({ text }, data)),
    );
    return seeOther(`${projectPath(shownOn)}?page=last#comment-${comment.id}`);
  }),
];
