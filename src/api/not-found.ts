import { NotFound } from '../common/errors.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import { operation } from './operation.ts';

/** All URLs below /api/ that no other route matches. */
export const notFoundResource: Resource<Viewer> = {
  path: '/api/*',
  name: 'Not Found',
  description: 'There is nothing at this address.',
  operations: {
    GET: operation({
      operationId: 'getNothing',
      summary: 'Nothing.',
      permission: 'read',
      async handle() {
        throw new NotFound();
      },
    }),
  },
};
