// Serves a resource in Django REST framework's order: negotiation, method, viewer, permission, query, operation,
// rendering. An error is rendered in the negotiated format, with the same Allow header.

import { Failure, Invalid, Unavailable } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { toJson } from '../json.ts';
import type { Authenticator } from './authenticator.ts';
import { isOwnOrigin, isSafe } from './csrf.ts';
import { MethodNotAllowed, toErrorResponse, toProblemDetails } from './exceptions.ts';
import { describeResource } from './metadata.ts';
import { negotiate, plainJson, type Rendering } from './negotiation.ts';
import { formatParameter } from './openapi.ts';
import { pageHeaders } from './page-headers.ts';
import { prefersStrict, readParameters } from './parameters.ts';
import { emptyBody, isMultipart } from './parsers.ts';
import {
  computeEtag,
  computeVersionedEtag,
  copySharedHeaders,
  formatHttpDate,
  headersForDisplay,
  type PreparedResponse,
  prepareResponse,
} from './prepared-response.ts';
import { type BrowsablePage, renderBrowsable } from './renderers/browsable.tsx';
import type { Forms } from './renderers/operation-forms.tsx';
import type { RequestContext } from './request-context.ts';
import { parseRequestUrl, type RequestUrl, withoutFormat } from './request-url.ts';
import {
  buildAllowHeader,
  type Method,
  type Operation,
  type OperationContext,
  type OperationResult,
  type Parameters,
  type Resource,
} from './resource.ts';
import { allowsSharedResponse } from './response-cache.ts';
import type { Site } from './site.ts';
import { readTheme } from './theme.ts';
import { withTimeout, writeWithTimeout } from './timeout.ts';

export class View<Viewer> {
  readonly #allowHeader: string;
  /** Shared by all successful responses: see `toResponse`. */
  readonly #sharedHeaders: Headers;
  /** The same for responses to requests with a key or a cookie: only one viewer may see them. */
  readonly #personalHeaders: Headers;
  readonly #parameters: Map<Operation<Viewer>, Parameters>;

  constructor(
    readonly resource: Resource<Viewer>,
    private readonly authenticator: Authenticator<Viewer>,
    private readonly site: Site,
  ) {
    this.#allowHeader = buildAllowHeader(resource);
    this.#sharedHeaders = this.#prepare(200, '', { 'Cache-Control': 'no-cache' }).headers;
    this.#personalHeaders = this.#prepare(200, '', personalHeaders).headers;
    this.#parameters = new Map(
      Object.values(resource.operations).map((operation) => [
        operation,
        { ...operation.parameters, ...formatParameter },
      ]),
    );
  }

  async serve(context: RequestContext, pathParameters: Record<string, string>): Promise<PreparedResponse> {
    const { origin, headers, method } = context;
    let url = parseRequestUrl(context.path);
    const isRead = method === 'GET' || method === 'HEAD';
    if (!url.hasFinalSlash && isRead && !context.earlyFailure) {
      return prepareResponse(301, { Location: `${origin}${url.path}/${url.search}` });
    }
    let rendering = plainJson;
    try {
      rendering = negotiate(
        headers.get('Accept'),
        url.format ?? (url.query.getAll('format').at(-1) || undefined),
      );
      // The page shows the exchange in JSON, whose URL has no `format=api`.
      if (rendering.format === 'api') url = withoutFormat(url);
      if (context.earlyFailure) throw context.earlyFailure;
      const sender = await this.#findUploadSender(context, url, pathParameters);
      if (sender === undefined) return await this.#handle(context, url, pathParameters, rendering);
      return await this.site.uploadLimiter.acceptUpload(context, sender, () =>
        this.#handle(context, url, pathParameters, rendering),
      );
    } catch (error) {
      return await this.#respondWithError(context, url, pathParameters, rendering, method, error);
    }
  }

  /** The viewer who may send a large body, if the operation accepts files. Decided before the body is read. */
  async #findUploadSender(
    context: RequestContext,
    url: RequestUrl,
    pathParameters: Record<string, string>,
  ): Promise<string | undefined> {
    const operation = context.method === 'POST' ? this.resource.operations.POST : undefined;
    if (
      !operation?.acceptsFiles ||
      !isMultipart(context.headers) ||
      !isOwnOrigin(context.headers, context.origin)
    )
      return undefined;
    const viewer = await this.authenticator.identify(context);
    const isAllowed = await this.#isAllowed(context, url, pathParameters, operation, viewer);
    return isAllowed ? this.authenticator.idOf(viewer) : undefined;
  }

  async #handle(
    context: RequestContext,
    url: RequestUrl,
    pathParameters: Record<string, string>,
    rendering: Rendering,
  ): Promise<PreparedResponse> {
    let method = context.method;
    try {
      method = await context.readEffectiveMethod();
      if (method === 'OPTIONS') {
        const data = await this.#describeOptions(context, url, pathParameters);
        const response = this.#prepare(200, toJson(data, rendering.indent), buildPersonalHeaders(context));
        if (rendering.format === 'json') return response;
        return this.#renderPage(response, { ...toPageRequest(context, url, method), reason: 'OK', data });
      }
      const run = () => this.#runOperation(context, method, url, pathParameters);
      const result = await (isSafe(method)
        ? withTimeout(context.remainingMs, run())
        : writeWithTimeout(context.remainingMs, run));
      const response = this.#prepareSuccess(context, rendering, result);
      if (rendering.format === 'json' || result.text || result.stream) return response;
      const forms = await this.#loadForms(context, url, pathParameters, method, result);
      const reason = reasonPhrases[response.status] ?? '';
      return this.#renderPage(
        response,
        { ...toPageRequest(context, url, method), reason, data: result.data, forms },
        result,
      );
    } catch (error) {
      return await this.#respondWithError(context, url, pathParameters, rendering, method, error);
    }
  }

  async #respondWithError(
    context: RequestContext,
    url: RequestUrl,
    pathParameters: Record<string, string>,
    rendering: Rendering,
    method: string,
    error: unknown,
  ): Promise<PreparedResponse> {
    if (!(error instanceof Failure)) context.report(error);
    const response = this.#prepareError(context, rendering, error);
    if (rendering.format === 'json') return response;
    const forms = await this.#loadForms(context, url, pathParameters, method, error);
    const { title: reason, data } = toErrorResponse(error);
    const errors = error instanceof Invalid ? error.fields : {};
    return this.#renderPage(response, {
      ...toPageRequest(context, url, method),
      reason,
      data,
      errors,
      forms,
    });
  }

  /** The forms for the operations that the viewer may use. After an error they show what was typed. */
  async #loadForms(
    context: RequestContext,
    url: RequestUrl,
    pathParameters: Record<string, string>,
    method: string,
    outcome: unknown,
  ): Promise<Forms | undefined> {
    const hasFailed = outcome instanceof Error;
    if (
      hasFailed
        ? isSafe(method) || !(outcome instanceof Invalid)
        : (outcome as OperationResult).status === 204
    )
      return undefined;
    try {
      return await this.#buildForms(context, url, pathParameters, outcome);
    } catch (error) {
      // The operation itself has succeeded: the page is shown without forms.
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  async #buildForms(
    context: RequestContext,
    url: RequestUrl,
    pathParameters: Record<string, string>,
    outcome: unknown,
  ): Promise<Forms> {
    const hasFailed = outcome instanceof Error;
    const viewer = await this.authenticator.identify(context);
    const operations: Forms['operations'] = [];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const operation = this.resource.operations[method];
      const sender = operation?.ignoresCredentials ? this.authenticator.anonymous : viewer;
      if (operation && (await this.#isAllowed(context, url, pathParameters, operation, sender)))
        operations.push({ method, fields: operation.fields, summary: operation.summary });
    }
    const values = hasFailed ? (await context.readBody()).data : (outcome as OperationResult).data;
    return {
      operations,
      csrfToken: this.authenticator.csrfTokenFor(viewer),
      values: (values ?? {}) as Record<string, unknown>,
      errors: hasFailed ? (outcome as Invalid).fields : {},
    };
  }

  #prepareSuccess(context: RequestContext, { indent }: Rendering, result: OperationResult): PreparedResponse {
    const { status = 200, text, stream, data } = result;
    let headers = allowsSharedResponse(context.headers) ? this.#sharedHeaders : this.#personalHeaders;
    if (status !== 200 || result.headers || result.cookies || text || stream) {
      headers = copySharedHeaders(headers);
      for (const [name, value] of Object.entries(result.headers ?? {})) headers.append(name, value);
      for (const cookie of result.cookies ?? []) headers.append('Set-Cookie', cookie);
      if (text ?? stream) headers.set('Content-Type', (text ?? stream)?.type ?? '');
      if (status === 204) headers.delete('Content-Type');
    }
    if (stream) return { status, headers, body: '', streamBody: stream.body };
    if (status === 204) return { status, headers, body: '' };
    const body = text?.body ?? toJson(data, indent);
    const { version, lastModified, subjectId } = result;
    return {
      status,
      headers,
      body,
      subjectId,
      etag: version === undefined ? computeEtag(body) : computeVersionedEtag(version, body),
      lastModified: lastModified === undefined ? undefined : formatHttpDate(lastModified),
    };
  }

  async #runOperation(
    context: RequestContext,
    method: string,
    url: RequestUrl,
    pathParameters: Record<string, string>,
  ): Promise<OperationResult> {
    const operation = this.resource.operations[(method === 'HEAD' ? 'GET' : method) as Method];
    if (!operation) throw new MethodNotAllowed(method);
    const { anonymous } = this.authenticator;
    const viewer = operation.ignoresCredentials ? anonymous : await this.authenticator.authenticate(context);
    operation.checkPermission(viewer);
    return operation.handle(
      await this.#buildOperationContext(context, url, pathParameters, operation, viewer),
    );
  }

  async #buildOperationContext(
    context: RequestContext,
    { path, query }: RequestUrl,
    pathParameters: Record<string, string>,
    operation: Operation<Viewer>,
    viewer: Viewer,
    readsBody = true,
  ): Promise<OperationContext<Viewer>> {
    const { request, origin, method } = context;
    const strict = this.site.isStrict || prefersStrict(context.headers);
    const parameters = readParameters(this.#parameters.get(operation) ?? {}, query, strict);
    const hasBody = readsBody && operation.fields !== undefined && !isSafe(method);
    const body = hasBody ? await context.readBody() : emptyBody;
    return {
      request,
      origin,
      path,
      query,
      pathParameters,
      strict,
      viewer,
      parameters,
      body,
      get clientAddress() {
        return context.clientAddress;
      },
    };
  }

  async #describeOptions(
    context: RequestContext,
    url: RequestUrl,
    pathParameters: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    // `identify`, not `authenticate`: a form for OPTIONS is sent as POST but needs no CSRF token.
    const viewer = await this.authenticator.identify(context);
    const actions: Record<string, Fields> = {};
    for (const method of ['POST', 'PUT'] as const) {
      const operation = this.resource.operations[method];
      if (operation?.fields && (await this.#isAllowed(context, url, pathParameters, operation, viewer)))
        actions[method] = operation.fields;
    }
    return describeResource(this.resource, actions);
  }

  async #isAllowed(
    context: RequestContext,
    url: RequestUrl,
    pathParameters: Record<string, string>,
    operation: Operation<Viewer>,
    viewer: Viewer,
  ): Promise<boolean> {
    try {
      operation.checkPermission(viewer);
      await operation.checkObjectPermission?.(
        await this.#buildOperationContext(context, url, pathParameters, operation, viewer, false),
      );
      return true;
    } catch (error) {
      if (error instanceof Failure && !(error instanceof Unavailable)) return false;
      throw error;
    }
  }

  #prepareError(
    context: RequestContext,
    { format, indent, usesProblemDetails }: Rendering,
    error: unknown,
  ): PreparedResponse {
    const response = toErrorResponse(error);
    const headers = { ...buildPersonalHeaders(context), ...response.headers };
    if (!usesProblemDetails || format === 'api')
      return this.#prepare(response.status, toJson(response.data, indent), headers);
    const type = { 'Content-Type': 'application/problem+json' };
    return this.#prepare(response.status, toJson(toProblemDetails(response), indent), {
      ...headers,
      ...type,
    });
  }

  #prepare(status: number, body: string, more: Record<string, string>): PreparedResponse {
    const headers = { Allow: this.#allowHeader, Vary: 'Accept', 'Content-Type': 'application/json', ...more };
    return prepareResponse(status, headers, body);
  }

  /** The browsable page that shows the response. */
  #renderPage(
    response: PreparedResponse,
    content: PageContent,
    { version }: Pick<OperationResult, 'version'> = {},
  ): PreparedResponse {
    const { resource, site } = this;
    const { status, lastModified, subjectId } = response;
    const headers = copySharedHeaders(response.headers);
    const displayedHeaders = headersForDisplay(headers, response);
    for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
    const body = renderBrowsable({
      resource,
      files: site.files,
      status,
      headers: displayedHeaders,
      ...content,
    });
    const etag = version === undefined ? computeEtag(body) : computeVersionedEtag(version, body);
    // A browser would stay on the old page after a 204.
    if (status === 204) return { status: 200, headers, body };
    return { status, headers, body, lastModified, subjectId, ...(response.etag !== undefined && { etag }) };
  }
}

type PageContent = Omit<BrowsablePage, 'resource' | 'files' | 'status' | 'headers'>;

const toPageRequest = ({ origin, headers }: RequestContext, url: RequestUrl, method: string) => ({
  origin,
  url,
  errors: {},
  theme: readTheme(headers),
  method: method === 'HEAD' ? 'GET' : method,
});

const reasonPhrases: Record<number, string> = { 200: 'OK', 201: 'Created', 204: 'No Content' };

/** For responses that only one viewer may see. */
const personalHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization, Cookie' };
const buildPersonalHeaders = ({ headers }: RequestContext) =>
  allowsSharedResponse(headers) ? {} : personalHeaders;
