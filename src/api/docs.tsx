// /api/v1/docs/: the API's documentation for people. Programs get the URL of the OpenAPI document.

import { z } from 'zod';
import type { Viewer } from '../gallery/viewer.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { Documentation } from '../rest/renderers/documentation.tsx';
import type { Resource } from '../rest/resource.ts';
import { operation } from './operation.ts';

export const docsSchema = z
  .object({ schema: z.url().describe('The OpenAPI document.') })
  .meta({ id: 'Docs', description: 'Where this API is documented.' });

const schemaPath = '/api/v1/schema/';

export function docsResource(document: () => OpenApiDocument): Resource<Viewer> {
  return {
    path: '/api/v1/docs/',
    name: 'Documentation',
    description: 'All operations of this API, with their parameters and responses.',
    operations: {
      GET: operation({
        summary: 'The URL of the OpenAPI document; browsers get the documentation as a page.',
        permission: 'read',
        responseSchema: docsSchema,
        handle: async ({ origin }) => ({ data: { schema: origin + schemaPath } }),
      }),
    },
    renderPage: ({ swagger }) => (
      <>
        <p>
          Programs read the same as an <a href={`${schemaPath}?format=json`}>OpenAPI 3.1 document</a>; every
          address can also be <a href="/api/v1/">looked at in the browsable API</a>.
        </p>
        <h2>Operations</h2>
        <Documentation document={document()} url={`${schemaPath}?format=json`} swagger={swagger} />
      </>
    ),
  };
}
