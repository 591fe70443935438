// /api/v1/schema/: the API's OpenAPI document.

import { z } from 'zod';
import type { Viewer } from '../gallery/viewer.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import type { Resource } from '../rest/resource.ts';
import { operation } from './operation.ts';

export const openApiSchema = z
  .looseObject({ openapi: z.string() })
  .meta({ id: 'Schema', description: 'An OpenAPI 3.1 document.' });

export function schemaResource(document: () => OpenApiDocument): Resource<Viewer> {
  return {
    path: '/api/v1/schema/',
    name: 'Schema',
    description: 'This API as an OpenAPI 3.1 document.',
    operations: {
      GET: operation({
        summary: 'The OpenAPI document.',
        permission: 'read',
        responseSchema: openApiSchema,
        handle: async () => ({ data: document() }),
      }),
    },
  };
}
