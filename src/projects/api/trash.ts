// /api/v1/trash/ and /api/v1/projects/<id>/restore/: projects in the trash.

import { pageParameters } from '#rest/pagination.ts';
import {
  type ApiResource,
  idempotencyKeyHeader,
  listOperation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { restoreFromTrash } from '../writing/change-project.ts';
import { memberParameters, projectSchema } from './project-serializer.ts';
import { listRecords, projectIdParameter, projectPageSchema, toProjectResult } from './projects.ts';

export const trashResources: ApiResource[] = [
  {
    path: '/api/v1/trash/',
    name: 'Trash',
    description:
      'Your projects in the trash, and for moderators those of everybody; they are kept for 30 days.',
    GET: listOperation({
      operationId: 'listTrash',
      summary: 'A page of the projects in the trash.',
      parameters: { ...pageParameters, ...memberParameters },
      permission: 'seeTrash',
      responseSchema: projectPageSchema,
      findListing: (context, deps) => listRecords(deps, context, deps.projects.listTrash(context.viewer)),
    }),
  },
  {
    path: '/api/v1/projects/:id/restore/',
    pathParameters: projectIdParameter,
    name: 'Content Restore',
    heading: 'Restore',
    description: 'Restores a project from the trash.',
    POST: writeOperation({
      operationId: 'restoreProject',
      summary: 'Restores the project from the trash.',
      parameters: memberParameters,
      headers: idempotencyKeyHeader,
      fields: {},
      permission: 'restoreProject',
      precheck: (context, { projects }) => projects.findRestorable(context.viewer, parsePathId(context)),
      responseSchema: projectSchema,
      async write(write, context, deps) {
        const project = await restoreFromTrash(write, parsePathId(context));
        return toProjectResult(deps, context, project, write.transaction);
      },
    }),
  },
];
