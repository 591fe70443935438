// /api/v1/projects/<id>/featured/: puts a project on the home page, and takes it off.

import { type ApiResource, parsePathId, writeOperation } from '../../core/api/operation.ts';
import { projectIdParameter } from '../../projects/api/projects.ts';
import { featureProject } from './choose.ts';

const change = (operationId: string, summary: string, isFeatured: boolean) =>
  writeOperation({
    operationId,
    summary,
    permission: 'featureProject',
    errors: isFeatured ? [400] : [],
    status: 204,
    async write(write, context) {
      await featureProject(write, parsePathId(context), isFeatured);
    },
  });

export const resources: readonly ApiResource[] = [
  {
    path: '/api/v1/projects/:id/featured/',
    pathParameters: projectIdParameter,
    name: 'Featured Project',
    description: 'Whether the home page begins with the project. It shows the four that were put there last.',
    PUT: change('featureProject', 'Puts the project on the home page.', true),
    DELETE: change('unfeatureProject', 'Takes the project off the home page.', false),
  },
];
