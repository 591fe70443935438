// /api/v1/schema/: the API's OpenAPI document.

import { z } from 'zod';
import { oneOf } from '../common/inputs.ts';
import type { Database } from '../database/database.ts';
import { loadSite } from '../gallery/site/settings.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { OpenApiDocument } from '../rest/openapi/document.ts';
import { toOpenApi30 } from '../rest/openapi/openapi-3-0.ts';
import { hostnameOf } from '../rest/request-url.ts';
import type { Resource } from '../rest/resource.ts';
import { operation } from './operation.ts';

export const openApiSchema = z
  .looseObject({ openapi: z.string() })
  .meta({ id: 'OpenApi', description: 'An OpenAPI document.' });

/** The title is the site’s name. */
export function schemaResource(database: Database, document: () => OpenApiDocument): Resource<Viewer> {
  let older: ReturnType<typeof toOpenApi30> | undefined;
  const olderDocument = () => {
    older ??= toOpenApi30(document());
    return older;
  };
  return {
    path: '/api/v1/schema/',
    name: 'Schema',
    description: 'This API as an OpenAPI document.',
    operations: {
      GET: operation({
        operationId: 'getOpenApiDocument',
        summary: 'The OpenAPI document.',
        parameters: {
          openapi: { description: 'The version of OpenAPI; by default 3.1.', ...oneOf(['3.0', '3.1']) },
        },
        permission: 'read',
        responseSchema: openApiSchema,
        jsonMediaType: 'application/vnd.oai.openapi+json',
        async handle({ origin, parameters }) {
          const { name } = await loadSite(database, hostnameOf(origin));
          const { openapi, info, ...shared } = parameters.openapi === '3.0' ? olderDocument() : document();
          const servers = [{ url: origin }];
          return { data: { openapi, info: { ...info, title: name }, servers, ...shared } };
        },
      }),
    },
  };
}
