// Renders a JSON response as the browsable page that shows it, with forms for the operations that the viewer may use.

import { Invalid, Unavailable } from '../../errors.ts';
import type { ApiRequest } from '../api-request.ts';
import type { Authenticator } from '../authenticator.ts';
import { valuesToShow } from '../body-bounds.ts';
import { removeCorsHeaders } from '../cors.ts';
import { isSafe } from '../csrf.ts';
import { toErrorResponse } from '../exceptions.ts';
import { pageHeaders } from '../page-headers.ts';
import {
  computeEtag,
  computeVersionedEtag,
  copySharedHeaders,
  headersForDisplay,
  type PreparedResponse,
} from '../prepared-response.ts';
import type { OperationResult, Resource } from '../resource.ts';
import type { Site } from '../site.ts';
import { readTheme } from '../theme.ts';
import { type BrowsablePage, renderBrowsable } from './browsable.tsx';
import { listOffers } from './offers.ts';
import type { Forms } from './operation-forms.tsx';

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

  renderMetadata(
    request: ApiRequest,
    response: PreparedResponse,
    data: Record<string, unknown>,
  ): PreparedResponse {
    return this.#render(request, response, { reason: reasonPhrases[200], data });
  }

  /** After an error the forms show what was typed. */
  async renderError(
    request: ApiRequest,
    response: PreparedResponse,
    error: unknown,
  ): Promise<PreparedResponse> {
    const { title: reason, data } = toErrorResponse(error);
    if (!(error instanceof Invalid)) return this.#render(request, response, { reason, data });
    const { fields: errors } = error;
    if (isSafe(request.method)) return this.#render(request, response, { reason, data, errors });
    const values = await request.context.readBody().then(
      (body) => valuesToShow(body.data),
      () => ({}),
    );
    const forms = await this.#loadForms(request, { values, errors });
    return this.#render(request, response, { reason, data, errors, forms });
  }

  async #loadForms(
    request: ApiRequest,
    { values, errors }: { values: unknown; errors: Forms['errors'] },
  ): Promise<Forms | undefined> {
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
      // The operation itself has succeeded: the page is shown without forms.
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  #render(
    { context, url, method }: ApiRequest,
    response: PreparedResponse,
    { version, ...content }: PageContent,
  ): PreparedResponse {
    const { status, lastModified, subjectId } = response;
    const headers = copySharedHeaders(response.headers);
    const displayedHeaders = headersForDisplay(headers, response);
    removeCorsHeaders(headers);
    for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
    const body = renderBrowsable({
      errors: {},
      ...content,
      resource: this.resource,
      site: this.site,
      origin: context.origin,
      url,
      theme: readTheme(context.headers),
      method: method === 'HEAD' ? 'GET' : method,
      status,
      headers: displayedHeaders,
    });
    // A browser would stay on the old page after a 204.
    if (status === 204) return { status: 200, headers, body };
    const etag = version === undefined ? computeEtag(body) : computeVersionedEtag(version, body);
    return { status, headers, body, lastModified, subjectId, ...(response.etag !== undefined && { etag }) };
  }
}
