// /api/v1/projects/<id>/comments/: comments on a project, and replies to a comment.

import { pageParameters } from '#rest/pagination.ts';
import {
  type ApiResource,
  idempotencyKeyHeader,
  listOperation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { commentFields } from '../project-fields.ts';
import { createComment } from '../writing/create.ts';
import { newCommentExample } from './examples.ts';
import { memberParameters, projectSchema, withReadOnlyFields } from './project-serializer.ts';
import { listRecords, projectIdParameter, projectPageSchema, toCreatedResult } from './projects.ts';

const fields = withReadOnlyFields(commentFields);

export const commentsResource: ApiResource = {
  path: '/api/v1/projects/:id/comments/',
  pathParameters: projectIdParameter,
  name: 'Content Comments',
  heading: 'Comments',
  description: 'The comments on a project, or the replies to a comment, oldest first.',
  GET: listOperation({
    operationId: 'listComments',
    summary: 'A page of comments.',
    parameters: { ...pageParameters, ...memberParameters },
    permission: 'read',
    responseSchema: projectPageSchema,
    async findListing(context, deps) {
      const subject = await deps.projects.find(context.viewer, parsePathId(context));
      return listRecords(deps, context, deps.projects.listComments(context.viewer, subject));
    },
  }),
  POST: writeOperation({
    operationId: 'createComment',
    summary: 'Comments on the project, or replies to one of its comments.',
    parameters: memberParameters,
    headers: idempotencyKeyHeader,
    fields,
    exampleBody: newCommentExample,
    permission: 'comment',
    precheck: (context, { projects }) => projects.find(context.viewer, parsePathId(context)),
    status: 201,
    responseSchema: projectSchema,
    responseHeaders: ['Location'],
    async write(write, context, deps) {
      const comment = await createComment(write, parsePathId(context), context.readValues);
      return toCreatedResult(deps, context, comment, write.transaction);
    },
  }),
};
