// /api/v1/projects/<id>/answer/: the accepted answer to a question.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import { integerField } from '#rest/fields.ts';
import { type ApiResource, operation, parsePathId, writeOperation } from '../../core/api/operation.ts';
import { idSchema } from '../../core/api/schemas.ts';
import { acceptAnswer } from '../writing/answer.ts';
import { projectIdParameter, requireChangeable } from './projects.ts';

const comment = integerField({ label: 'Comment', required: true, min: 1, max: Number.MAX_SAFE_INTEGER });

const answerSchema = z
  .object({ comment: idSchema.describe('The id of the comment.') })
  .meta({ id: 'AcceptedAnswer', description: 'The comment that is accepted as the answer to a question.' });

export const answerResource: ApiResource = {
  path: '/api/v1/projects/:id/answer/',
  pathParameters: projectIdParameter,
  name: 'Accepted Answer',
  description: 'The comment on a question that its owner has accepted as the answer.',
  GET: operation({
    operationId: 'getAnswer',
    summary: 'The accepted answer, unless it was deleted or hidden.',
    permission: 'read',
    responseSchema: answerSchema,
    async handle({ viewer, ...context }, { projects }) {
      const answer = await projects.findAnswer(viewer, await projects.find(viewer, parsePathId(context)));
      if (!answer) throw new NotFound();
      return { data: { comment: answer.id } };
    },
  }),
  PUT: writeOperation({
    operationId: 'acceptAnswer',
    summary: 'Accepts a comment as the answer to your question.',
    fields: { comment },
    permission: 'changeProject',
    precheck: requireChangeable,
    responseSchema: answerSchema,
    async write(write, context) {
      const { comment } = context.readValues();
      await acceptAnswer(write, parsePathId(context), comment);
      return { data: { comment } };
    },
  }),
  DELETE: writeOperation({
    operationId: 'withdrawAnswer',
    summary: 'Takes the acceptance back.',
    permission: 'changeProject',
    status: 204,
    async write(write, context) {
      await acceptAnswer(write, parsePathId(context), null);
    },
  }),
};
