// /api/v1/trash/ and /api/v1/projects/<id>/restore/: projects in the trash.

import { transactOnce } from '../gallery/changes/write.ts';
import { restoreFromTrash } from '../gallery/projects/writing/change.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { pageParameters } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './dependencies.ts';
import { listOperation, operation, parsePathId } from './operation.ts';
import { memberParameters, projectSchema } from './project-serializer.ts';
import { listRecords, projectIdParameter, projectPageSchema, toProjectResult } from './projects.ts';
import { idempotencyKeyHeader } from './write-headers.ts';

export function trashResources(deps: ApiDependencies): Resource<Viewer>[] {
  const { database, projects } = deps;
  return [
    {
      path: '/api/v1/trash/',
      name: 'Trash',
      description:
        'Your projects in the trash, and for moderators those of everybody; they are kept for 30 days.',
      operations: {
        GET: listOperation(deps, {
          operationId: 'listTrash',
          summary: 'A page of the projects in the trash.',
          parameters: { ...pageParameters, ...memberParameters },
          permission: 'seeTrash',
          responseSchema: projectPageSchema,
          findListing: (context) => listRecords(deps, context, projects.listTrash(context.viewer)),
        }),
      },
    },
    {
      path: '/api/v1/projects/:id/restore/',
      pathParameters: projectIdParameter,
      name: 'Content Restore',
      heading: 'Restore',
      description: 'Restores a project from the trash.',
      operations: {
        POST: operation({
          operationId: 'restoreProject',
          summary: 'Restores the project from the trash.',
          parameters: memberParameters,
          headers: idempotencyKeyHeader,
          fields: {},
          permission: 'restoreProject',
          async precheck(context) {
            await projects.findRestorable(context.viewer, parsePathId(context));
          },
          responseSchema: projectSchema,
          handle: (context) =>
            transactOnce(database, context, async (write) => {
              const project = await restoreFromTrash(write, parsePathId(context));
              return toProjectResult(deps, context, project, write.transaction);
            }),
        }),
      },
    },
  ];
}
