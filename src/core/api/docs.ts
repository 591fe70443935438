// /api/v1/docs/ and /api/v1/docs/<resource>/: the API's documentation for people. Programs get the URL of the OpenAPI
// document.

import { anyText } from '#common/inputs.ts';
import { createDocumentationPages, docsSchema } from '#rest/documentation/pages.tsx';
import { findOpenedUrl } from '#rest/documentation/try-form.tsx';
import type { OpenApiDocument } from '#rest/openapi/document.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { type ApiResource, operation } from './operation.ts';

const paths = { root: '/api/v1/', base: '/api/v1/docs/', schema: '/api/v1/schema/' };

export function docsResources(document: () => OpenApiDocument): ApiResource[] {
  const pages = createDocumentationPages(paths, document);
  return [
    {
      path: paths.base,
      name: 'Documentation',
      description: 'All operations of this API, with their parameters and responses.',
      GET: operation({
        operationId: 'getDocumentation',
        summary: 'The URL of the OpenAPI document; browsers get the documentation as a page.',
        permission: 'read',
        responseSchema: docsSchema,
        handle: async ({ origin }) => ({ data: { schema: origin + paths.schema } }),
      }),
      renderPage: pages.renderOverview,
    },
    {
      path: `${paths.base}:resource/`,
      pathParameters: {
        resource: {
          description: 'The first part of a path, such as `projects`.',
          example: 'projects',
          ...anyText,
        },
      },
      name: 'Documentation Page',
      description: 'The operations of one resource.',
      GET: operation({
        operationId: 'getResourceDocumentation',
        summary: 'The same URL; browsers get the documentation of this resource.',
        permission: 'read',
        responseSchema: docsSchema,
        async handle({ origin, pathParameters }) {
          pages.find(pathParameters.resource);
          return { data: { schema: origin + paths.schema } };
        },
      }),
      renderPage: pages.renderResource,
    },
  ];
}

/** The path of the forms that try an operation without script: it leads to the browsable API. */
export const openPath = `${paths.base}open/`;

/** Undefined if the query names no operation. */
export function respondWithOpenedUrl(context: RequestContext, document: OpenApiDocument) {
  const url = context.refusal ? undefined : findOpenedUrl(document, context.url.query);
  return url === undefined
    ? undefined
    : context.respond(prepareResponse(302, { Location: url, 'Cache-Control': 'no-store' }));
}
