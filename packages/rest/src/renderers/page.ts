// Renders a JSON response as the browsable page that shows it, with forms for the operations that the viewer may use.

import { Failure, Invalid } from '../../../common/src/errors.ts';
import { nextEventLoopTurn } from '../../../common/src/event-loop.ts';
import type { ApiRequest } from '../api-request.ts';
import type { Authenticator } from '../authenticator.ts';
import { valuesToShow } from '../body-bounds.ts';
import { removeCorsHeaders } from '../cors.ts';
import { MethodNotAllowed, toErrorResponse } from '../error-responses.ts';
import { isSafe } from '../methods.ts';
import { computeEtag, copyHeaders, headersForDisplay, type PreparedResponse } from '../prepared-response.ts';
import type { OperationResult, Resource } from '../resource.ts';
import { pageHeaders } from '../shared-caching.ts';
import type { Site } from '../site.ts';
import { readTheme } from '../theme.ts';
import { type BrowsablePage, renderBrowsable } from './browsable.tsx';
import { isLongDocument, renderJson } from './json-view.ts';
import { listOffers } from './offers.ts';
import type { Forms } from './operation-forms.tsx';
import { findRecords } from './table.tsx';

const reasonPhrases = { 200: 'OK', 201: 'Created', 204: 'No Content' };

type PageContent = Pick<BrowsablePage, 'reason' | 'data' | 'forms'> &
  Partial<Pick<BrowsablePage, 'errors'>> &
  Pick<OperationResult, 'version'>;

export class PageRenderer<Viewer> {
  constructor(
    private readonly resource: Resource<Viewer>,
    private readonly authenticator: Authenticator<Viewer>,
    private readonly site: Site,
  ) {}

  async renderResult(
    request: ApiRequest,
    response: PreparedResponse,
    { status = 200, data, version }: OperationResult,
  ): Promise<PreparedResponse> {
    const forms = status === 204 ? undefined : await this.#loadForms(request, { values: data, errors: {} });
    return this.#render(request, response, { reason: reasonPhrases[status], data, forms, version });
  }

  renderMetadata(request: ApiRequest, response: PreparedResponse, data: Record<string, unknown>) {
    return this.#render(request, response, { reason: reasonPhrases[200], data });
  }

  /** After an error the forms show what was typed. */
  async renderError(request: ApiRequest, response: PreparedResponse, error: unknown) {
    const { title: reason, data } = toErrorResponse(error);
    // A browser that opens the address of a resource without GET is offered its other operations.
    if (error instanceof MethodNotAllowed && isSafe(request.method)) {
      const forms = await this.#loadForms(request, { values: {}, errors: {} });
      return this.#render(request, response, { reason, data, forms });
    }
    if (!(error instanceof Invalid)) return this.#render(request, response, { reason, data });
    const { messages: errors } = error;
    if (isSafe(request.method)) return this.#render(request, response, { reason, data, errors });
    const values = await request.context.readBody().then(
      (body) => valuesToShow(body.data),
      () => ({}),
    );
    const forms = await this.#loadForms(request, { values, errors });
    return this.#render(request, response, { reason, data, errors, forms });
  }

  async #loadForms(request: ApiRequest, { values, errors }: { values: unknown; errors: Forms['errors'] }) {
    const { resource, authenticator } = this;
    try {
      const viewer = await authenticator.identify(request.context);
      const offers = await listOffers(request, resource, ['POST', 'PUT', 'PATCH', 'DELETE'], authenticator);
      return {
        operations: offers.map(({ method, operation: { fields, summary } }) => ({ method, fields, summary })),
        csrfToken: authenticator.csrfTokenFor(viewer),
        values: { ...(values ?? {}) },
        errors,
      };
    } catch (error) {
      // The response itself is ready: the page is shown without forms.
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  /** Undefined also if nobody can tell who it is: the response is an error that says so. */
  async #findName({ context }: ApiRequest): Promise<string | undefined> {
    try {
      return await this.authenticator.nameOf(await this.authenticator.identify(context));
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  async #render(request: ApiRequest, response: PreparedResponse, { version, ...content }: PageContent) {
    const { context, url, method, pathParameters, rendering } = request;
    const { status, lastModified, subjectId, link } = response;
    const headers = copyHeaders(response.headers);
    const displayedHeaders = headersForDisplay(headers, response);
    removeCorsHeaders(headers);
    for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
    const isTable = rendering.format === 'table';
    // A long response has taken its time.
    await nextEventLoopTurn();
    const showsTable = isTable && findRecords(content.data);
    const isFolded = !showsTable && isLongDocument(content.data);
    const body = renderBrowsable({
      errors: {},
      ...content,
      json: showsTable ? undefined : await renderJson(content.data, isFolded),
      isFolded,
      isTable,
      signedInAs: await this.#findName(request),
      resource: this.resource,
      site: this.site,
      identity: await this.site.loadIdentity(context.hostname),
      origin: context.origin,
      url,
      pathParameters,
      theme: readTheme(context.headers),
      method: method === 'HEAD' ? 'GET' : method,
      status,
      headers: displayedHeaders,
    });
    // A browser would stay on the old page after a 204.
    if (status === 204) return { status: 200, headers, body };
    return {
      status,
      headers,
      body,
      link,
      lastModified,
      subjectId,
      ...(response.etag !== undefined && { etag: computeEtag(body, version) }),
    };
  }
}
