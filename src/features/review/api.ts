// /api/v1/projects/<id>/review/: the decision on a project or a comment that waits, of a moderator or of somebody else who reviews it.

import {
  type ApiResource,
  idempotencyKeyHeader,
  ifMatchHeader,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { requireReason } from '../../core/decisions/decision.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { memberParameters, projectSchema } from '../../projects/api/project-serializer.ts';
import { projectIdParameter, toProjectResult } from '../../projects/api/projects.ts';
import { reviewFields, reviewProject } from './review.ts';

export const resources: readonly ApiResource[] = [
  {
    path: '/api/v1/projects/:id/review/',
    pathParameters: projectIdParameter,
    name: 'Content Review',
    heading: 'Review',
    description:
      'Publishes a project or a comment that waits, or makes it a draft again: for moderators, and for teachers of its author.',
    POST: writeOperation({
      operationId: 'reviewProject',
      summary: 'Approves it, or returns it to its author with a reason.',
      parameters: memberParameters,
      headers: { ...idempotencyKeyHeader, ...ifMatchHeader },
      errors: [409],
      fields: reviewFields,
      permission: 'review',
      async precheck(context, { projects }) {
        const { contributor } = await projects.find(context.viewer, parsePathId(context));
        authorize(context.viewer, 'review', contributor);
      },
      responseSchema: projectSchema,
      async write(write, context, deps) {
        const { decision, reason } = context.readValues();
        if (decision === 'return') requireReason(reason);
        const { project } = await reviewProject(write, parsePathId(context), { decision, reason });
        return toProjectResult(deps, context, project, write.transaction);
      },
    }),
  },
];
