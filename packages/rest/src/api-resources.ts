// The resources of every API beside its own: its root, the OpenAPI document, and the documentation.

import { z } from 'zod';
import { NotFound } from '../../common/src/errors.ts';
import { anyText, choiceText } from '../../common/src/inputs.ts';
import { mapValues } from '../../common/src/json.ts';
import { operation } from './describe.ts';
import { createDocumentationPages, docsSchema } from './documentation/pages.tsx';
import type { OpenApiDocument } from './openapi/document.ts';
import { toOpenApi30 } from './openapi/openapi-3-0.ts';
import type { Resource } from './resource.ts';

const rootSchema = z
  .record(z.string(), z.url())
  .meta({ id: 'Root', description: 'The collections by name.' });
const openApiSchema = z
  .looseObject({ openapi: z.string() })
  .meta({ id: 'OpenApi', description: 'An OpenAPI document.' });

/** The URLs of the collections directly below the root. */
export const describeRoot = (
  root: string,
  description: string,
  resources: readonly Resource<never>[],
): Resource<unknown> => {
  const names = resources
    .map(({ path }) => path.slice(root.length, -1))
    .filter((name) => /^[^/:]+$/.test(name));
  const collections = Object.fromEntries(names.map((name) => [name, `${root}${name}/`]));
  return {
    path: root,
    name: 'Api Root',
    heading: 'API',
    description,
    operations: {
      GET: operation({
        operationId: 'getRoot',
        summary: 'The collections by name.',
        responseSchema: rootSchema,
        handle: async ({ origin }) => ({ data: mapValues(collections, (path) => origin + path) }),
      }),
    },
  };
};

export const schemaPath = (root: string) => `${root}schema/`;
export const docsPath = (root: string) => `${root}docs/`;

export function describeDocuments(root: string, document: () => OpenApiDocument): Resource<unknown>[] {
  const [base, schema] = [docsPath(root), schemaPath(root)];
  const pages = createDocumentationPages({ root, base, schema }, document);
  return [
    {
      path: schema,
      name: 'Schema',
      description: 'This API as an OpenAPI document.',
      operations: {
        GET: operation({
          operationId: 'getOpenApiDocument',
          summary: 'The OpenAPI document.',
          parameters: {
            openapi: {
              description: 'The version of OpenAPI; by default 3.1.',
              ...choiceText(['3.0', '3.1']),
            },
          },
          responseSchema: openApiSchema,
          jsonMediaType: 'application/vnd.oai.openapi+json',
          async handle({ origin, parameters }) {
            const { openapi, info, ...rest } =
              parameters.openapi === '3.0' ? toOpenApi30(document()) : document();
            return { data: { openapi, info, servers: [{ url: origin }], ...rest } };
          },
        }),
      },
    },
    {
      path: base,
      name: 'Documentation',
      description: 'All operations of this API, with their parameters and responses.',
      operations: {
        GET: operation({
          operationId: 'getDocumentation',
          summary: 'The URL of the OpenAPI document; browsers get the documentation as a page.',
          responseSchema: docsSchema,
          handle: async ({ origin }) => ({ data: { schema: origin + schema } }),
        }),
      },
      renderPage: pages.renderOverview,
    },
    {
      path: `${base}:resource/`,
      pathParameters: { resource: { description: 'The first part of a path.', ...anyText } },
      name: 'Documentation Page',
      description: 'The operations of one resource.',
      operations: {
        GET: operation({
          operationId: 'getResourceDocumentation',
          summary: 'The same URL; browsers get the documentation of this resource.',
          responseSchema: docsSchema,
          async handle({ origin, pathParameters }) {
            pages.find(pathParameters.resource);
            return { data: { schema: origin + schema } };
          },
        }),
      },
      renderPage: pages.renderResource,
    },
  ];
}

/** For all URLs that no other resource has. */
export const notFoundResource: Resource<unknown> = {
  path: '/*',
  name: 'Not Found',
  description: 'There is nothing at this address.',
  operations: {
    GET: operation({
      operationId: 'getNothing',
      summary: 'Nothing.',
      async handle() {
        throw new NotFound();
      },
    }),
  },
};
