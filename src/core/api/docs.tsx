// /api/v1/docs/ and /api/v1/docs/<resource>/: the API's documentation for people. Programs get the URL of the OpenAPI
// document.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import { anyText } from '#common/inputs.ts';
import { findResource, Overview, ResourcePage, toTitle } from '#rest/documentation/documentation.tsx';
import { findOpenedUrl } from '#rest/documentation/try-form.tsx';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import type { OpenApiDocument } from '#rest/openapi/document.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { type ApiResource, operation } from './operation.ts';

const docsSchema = z
  .object({ schema: z.url().describe('The OpenAPI document.') })
  .meta({ id: 'Docs', description: 'Where this API is documented.' });

const paths = { root: '/api/v1/', base: '/api/v1/docs/' };
const schemaPath = '/api/v1/schema/';

export function docsResources(document: () => OpenApiDocument): ApiResource[] {
  const keepRendered = createPageStore();
  const find = (name = '') => {
    const resource = findResource({ ...paths, document: document() }, name);
    if (!resource) throw new NotFound();
    return resource;
  };
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
        handle: async ({ origin }) => ({ data: { schema: origin + schemaPath } }),
      }),
      renderPage: ({ origin }) => ({
        title: 'Documentation',
        content: keepRendered(origin, () => (
          <Overview {...paths} document={document()} origin={origin}>
            <Introduction />
          </Overview>
        )),
      }),
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
          find(pathParameters.resource);
          return { data: { schema: origin + schemaPath } };
        },
      }),
      renderPage({ origin, pathParameters }) {
        const current = find(pathParameters.resource);
        return {
          title: toTitle(current.name),
          content: keepRendered(`${origin} ${current.name}`, () => (
            <ResourcePage {...paths} document={document()} origin={origin} current={current} />
          )),
        };
      },
    },
  ];
}

/** Each has up to 200 kB. There may be many hosts, so the oldest is dropped. */
const maxRenderedPages = 50;

/** At one host a page is the same for all viewers, and rendering it takes up to 15 ms. */
function createPageStore() {
  const pages = new Map<string, string>();
  return (key: string, render: () => { toString(): string }) => {
    const html = pages.get(key) ?? render().toString();
    const [oldest] = pages.keys();
    if (!pages.has(key) && pages.size >= maxRenderedPages && oldest !== undefined) pages.delete(oldest);
    pages.set(key, html);
    return raw(html);
  };
}

function Introduction() {
  return (
    <>
      <p>
        Programs read the same as an <a href={`${schemaPath}?format=json`}>OpenAPI 3.1 document</a>, or{' '}
        <a href={`${schemaPath}?openapi=3.0&format=json`}>in version 3.0</a>. Every address can also be{' '}
        <a href={paths.root}>looked at in the browsable API</a>.
      </p>
      <p>
        Responses are JSON. <code>?format=json</code> and <code>?format=api</code>, or the <code>Accept</code>{' '}
        header, choose between JSON and a page. <code>?format=csv</code> and <code>?format=ndjson</code> send
        all of a list at once. Every resource also answers <code>OPTIONS</code> with its description.
      </p>
    </>
  );
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
