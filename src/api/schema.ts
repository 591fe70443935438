// /api/v1/schema/: the API's OpenAPI document.

import { z } from 'zod';
import type { Database } from '../database/open.ts';
import { loadSite } from '../gallery/site/settings.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { OpenApiDocument } from '../rest/openapi-document.ts';
import { hostnameOf } from '../rest/request-url.ts';
import type { Resource } from '../rest/resource.ts';
import { operation } from './operation.ts';

export const openApiSchema = z
  .looseObject({ openapi: z.string() })
  .meta({ id: 'Schema', description: 'An OpenAPI 3.1 document.' });

/** The title is the site’s name. */
export function schemaResource(database: Database, document: () => OpenApiDocument): Resource<Viewer> {
  return {
    path: '/api/v1/schema/',
    name: 'Schema',
    description: 'This API as an OpenAPI 3.1 document.',
    operations: {
      GET: operation({
        summary: 'The OpenAPI document.',
        permission: 'read',
        responseSchema: openApiSchema,
        async handle({ origin }) {
          const { name } = await loadSite(database, hostnameOf(origin));
          const shared = document();
          return { data: { ...shared, info: { ...shared.info, title: name } } };
        },
      }),
    },
  };
}
