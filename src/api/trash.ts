// /api/v1/trash/ and /api/v1/projects/<id>/restore/: what was taken away, and how it comes back.

import { restore } from '../gallery/projects/change.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { pageParameters, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { projectId, projectPage, told } from './projects.ts';
import { recordAnswer, recordParameters, recordRenderer } from './record.ts';
import { countsOnce, transactOnce } from './transact.ts';

export function trashResources(parts: ApiParts): Resource<Viewer>[] {
  const { database, projects, timeZone: zone, secret } = parts;
  return [
    {
      path: '/api/v1/trash/',
      name: 'Trash',
      description: 'What the reader has thrown away, and for moderators what anybody has; kept for 30 days.',
      operations: {
        GET: {
          summary: 'A page of what is in the trash.',
          parameters: { ...pageParameters, ...recordParameters },
          permission: needs('seeTrash'),
          answer: projectPage,
          async handle(call) {
            const render = recordRenderer(call.given, { base: call.base, zone }, database);
            return { data: await paginate(projects.trash(call.viewer), call, secret, render) };
          },
        },
      },
    },
    {
      path: '/api/v1/projects/:id/restore/',
      pathParameters: projectId,
      name: 'Content Restore',
      description: 'The way back out of the trash.',
      operations: {
        POST: {
          summary: 'Takes the project out of the trash.',
          parameters: recordParameters,
          headers: countsOnce,
          fields: {},
          permission: needs('restoreProject'),
          async allowed(call) {
            await projects.restorable(call.viewer, identifier(call));
          },
          answer: recordAnswer,
          handle: (call) =>
            transactOnce(database, call, async (act) =>
              told(parts, call, await restore(act, identifier(call)), act.transaction),
            ),
        },
      },
    },
  ];
}
