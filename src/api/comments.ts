// /api/v1/projects/<id>/comments/: comments on a project, and replies to a comment.

import { transactOnce } from '../gallery/changes/write.ts';
import { commentFields } from '../gallery/projects/fields.ts';
import { createComment } from '../gallery/projects/writing/create.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { pageParameters } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './dependencies.ts';
import { newCommentExample } from './examples.ts';
import { listOperation, operation, parsePathId } from './operation.ts';
import { memberParameters, projectSchema, withReadOnlyFields } from './project-serializer.ts';
import { listRecords, projectIdParameter, projectPageSchema, toCreatedResult } from './projects.ts';
import { idempotencyKeyHeader } from './write-headers.ts';

export function commentsResource(deps: ApiDependencies): Resource<Viewer> {
  const { database, projects } = deps;
  const fields = withReadOnlyFields(commentFields);
  return {
    path: '/api/v1/projects/:id/comments/',
    pathParameters: projectIdParameter,
    name: 'Content Comments',
    heading: 'Comments',
    description: 'The comments on a project, or the replies to a comment, oldest first.',
    operations: {
      GET: listOperation(deps, {
        operationId: 'listComments',
        summary: 'A page of comments.',
        parameters: { ...pageParameters, ...memberParameters },
        permission: 'read',
        responseSchema: projectPageSchema,
        async findListing(context) {
          const subject = await projects.find(context.viewer, parsePathId(context));
          return listRecords(deps, context, projects.listComments(context.viewer, subject));
        },
      }),
      POST: operation({
        operationId: 'createComment',
        summary: 'Comments on the project, or replies to one of its comments.',
        parameters: memberParameters,
        headers: idempotencyKeyHeader,
        fields,
        exampleBody: newCommentExample,
        permission: 'comment',
        async precheck(context) {
          await projects.find(context.viewer, parsePathId(context));
        },
        status: 201,
        responseSchema: projectSchema,
        responseHeaders: ['Location'],
        handle: (context) =>
          transactOnce(database, context, async (write) => {
            const comment = await createComment(write, parsePathId(context), context.readValues);
            return toCreatedResult(deps, context, comment, write.transaction);
          }),
      }),
    },
  };
}
