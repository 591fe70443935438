// /api/v1/projects/<id>/copy/, …/copies/: copies of projects.

import { pageParameters } from '#rest/pagination.ts';
import {
  type ApiResource,
  idempotencyKeyHeader,
  listOperation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { newestFirst } from '../project-order.ts';
import { authorizeCopy, copyProject } from '../writing/create.ts';
import { memberParameters, projectSchema } from './project-serializer.ts';
import { listRecords, projectIdParameter, projectPageSchema, toCreatedResult } from './projects.ts';

export const copyResources: ApiResource[] = [
  {
    path: '/api/v1/projects/:id/copy/',
    pathParameters: projectIdParameter,
    name: 'Content Copy',
    heading: 'Remix',
    description: 'Copies a project to your own projects.',
    POST: writeOperation({
      operationId: 'copyProject',
      summary: 'Creates a private copy that belongs to you.',
      parameters: memberParameters,
      headers: idempotencyKeyHeader,
      fields: {},
      permission: 'copyProject',
      async precheck(context, { projects }) {
        authorizeCopy(context.viewer, await projects.find(context.viewer, parsePathId(context)));
      },
      status: 201,
      responseSchema: projectSchema,
      responseHeaders: ['Location'],
      async write(write, context, deps) {
        const project = await copyProject(write, parsePathId(context));
        return toCreatedResult(deps, context, project, write.transaction);
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/copies/',
    pathParameters: projectIdParameter,
    name: 'Content Copies',
    heading: 'Remixes',
    description: 'The copies of the project, newest first.',
    GET: listOperation({
      operationId: 'listCopies',
      summary: 'A page of the project’s copies.',
      parameters: { ...pageParameters, ...memberParameters },
      permission: 'read',
      responseSchema: projectPageSchema,
      async findListing(context, deps) {
        const source = await deps.projects.find(context.viewer, parsePathId(context));
        const choices = deps.projects.parseFilter('copied_from', String(source.id));
        const listing = deps.projects.list(context.viewer, choices, newestFirst);
        return listRecords(deps, context, listing);
      },
    }),
  },
];
