// The documentation of an API as pages of the browsable API.

import { z } from 'zod';
import { NotFound } from '../../../common/src/errors.ts';
import { raw } from '../jsx/jsx-runtime.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import type { OwnPage, PageRequest } from '../resource.ts';
import { findResource, Overview, ResourcePage, toTitle } from './documentation.tsx';

export const docsSchema = z
  .object({ schema: z.url().describe('The OpenAPI document.') })
  .meta({ id: 'Docs', description: 'Where this API is documented.' });

interface DocumentationPaths {
  /** The path below which all resources are. */
  readonly root: string;
  /** That of the documentation. */
  readonly base: string;
  /** That of the OpenAPI document. */
  readonly schema: string;
}

export function createDocumentationPages(paths: DocumentationPaths, document: () => OpenApiDocument) {
  const keepRendered = createPageStore();
  /** Throws if the API has no resource of this name. */
  const find = (name = '') => {
    const resource = findResource({ ...paths, document: document() }, name);
    if (!resource) throw new NotFound();
    return resource;
  };
  return {
    find,
    renderOverview: ({ origin }: PageRequest): OwnPage => ({
      title: 'Documentation',
      content: keepRendered(origin, () => (
        <Overview {...paths} document={document()} origin={origin}>
          <Introduction {...paths} />
        </Overview>
      )),
    }),
    renderResource({ origin, pathParameters }: PageRequest): OwnPage {
      const current = find(pathParameters.resource);
      return {
        title: toTitle(current.name),
        content: keepRendered(`${origin} ${current.name}`, () => (
          <ResourcePage {...paths} document={document()} origin={origin} current={current} />
        )),
      };
    },
  };
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

function Introduction({ root, schema }: DocumentationPaths) {
  return (
    <>
      <p>
        Programs read the same as an <a href={`${schema}?format=json`}>OpenAPI 3.1 document</a>, or{' '}
        <a href={`${schema}?openapi=3.0&format=json`}>in version 3.0</a>. Every address can also be{' '}
        <a href={root}>looked at in the browsable API</a>.
      </p>
      <p>
        Responses are JSON. <code>?format=json</code> and <code>?format=api</code>, or the <code>Accept</code>{' '}
        header, choose between JSON and a page. <code>?format=csv</code> and <code>?format=ndjson</code> send
        all of a list at once. Every resource also answers <code>OPTIONS</code> with its description.
      </p>
    </>
  );
}
