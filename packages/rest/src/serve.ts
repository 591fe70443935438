// The way of a request, from the socket to its response, from top to bottom. Steps 1 to 7 are those of every request, 8 and 9
// those of the API, the pages and the media files, 10 to 16 those of the API, in Django REST framework's order; 17 ends it.

import { apiText } from '../../common/src/api-text.ts';
import { isServerFailure, NotFound } from '../../common/src/errors.ts';
import { type Log, toLoggedPath } from '../../common/src/log.ts';
import type { RequestTrace } from '../../common/src/request-trace.ts';
import { type ApiRequest, buildOperationContext } from './api-request.ts';
import type { Authenticator } from './authenticator.ts';
import { corsHeaders, findPreflightMethod, preparePreflight } from './cors.ts';
import { BadRequest, MethodNotAllowed, prepareJsonError } from './error-responses.ts';
import type { Fields } from './fields.ts';
import { type Connections, RefusedHosts } from './hosts.ts';
import { isListFormat } from './list-formats.ts';
import { streamList } from './list-response.ts';
import { describeResource } from './metadata.ts';
import { isSafe } from './methods.ts';
import { isPage, negotiate, plainJson } from './negotiation.ts';
import { prefersStrict } from './parameters.ts';
import { isMultipart } from './parsers.ts';
import { type PreparedResponse, prepareResponse } from './prepared-response.ts';
import { JsonRenderer } from './renderers/json.ts';
import { isOffered, listOffers } from './renderers/offers.ts';
import { PageRenderer } from './renderers/page.ts';
import { RequestContext, type RequestDependencies, RequestIds } from './request-context.ts';
import { withoutFormat } from './request-url.ts';
import { findOperation, type Resource } from './resource.ts';
import type { Site } from './site.ts';

export type ForwardWrite = (
  request: Request,
  connections: Connections,
  trace?: RequestTrace,
) => Promise<Response>;

interface ServerDependencies extends RequestDependencies {
  readonly log: Log;
  /** Throw if a sender has sent too many requests. */
  readonly limits: {
    admitAnonymous(context: RequestContext): void;
    admitByCredential(context: RequestContext): Promise<void>;
  };
  /** A sentence for the operator. */
  howToAllowHost(host: string): string;
  /** Lets another process respond to a request that writes. */
  readonly forwardWrite?: ForwardWrite | undefined;
  isWrite(context: RequestContext): boolean;
  /** Undefined if the request is no probe. */
  respondToProbe(context: RequestContext): Promise<PreparedResponse> | undefined;
  readonly routes: {
    fetch(context: RequestContext): Promise<Response>;
    findPattern(context: RequestContext): string;
  };
  /** Adds the headers that depend on the settings of the server. */
  addHeaders(context: RequestContext, response: Response): void;
  /** Called with every request that has its response, just before that is sent. Must not throw. */
  readonly observe?: ((context: RequestContext, response: Response) => void) | undefined;
}

export class RequestServer {
  readonly #ids = new RequestIds();
  readonly #refusedHosts: RefusedHosts;
  #isDraining = false;
  #lastRequestAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: ServerDependencies) {
    this.#refusedHosts = new RefusedHosts((host) =>
      deps.log.info(`Requests for the host ${host} are refused. ${deps.howToAllowHost(host)}`),
    );
  }

  fetch(request: Request, connections: Connections): Response | Promise<Response> {
    const { limits, forwardWrite, isWrite } = this.deps;
    // 1. What is known of the request: its host, its URL, and whether it has credentials.
    const context = new RequestContext(request, this.#ids.next(), this.deps, connections);
    this.#lastRequestAt = context.startedAt;
    // 2. Another process responds to a write.
    if (forwardWrite && isWrite(context))
      return this.#forward(context, () => forwardWrite(request, connections, context.trace));
    try {
      // 3. The host, and the limit of visitors.
      if (context.origin === '') throw new BadRequest('Invalid Host header.');
      limits.admitAnonymous(context);
      // 4. A response that is cached is sent at once, and needs no route.
      const cached = context.findCachedResponse();
      if (cached) return this.#finish(context, context.send(cached));
      if (context.target.includes('%00')) throw refuseNul(context);
    } catch (error) {
      // The routes respond to refused requests too: they know the format of the response.
      context.refusal = error;
      if (context.origin === '') this.#refusedHosts.add(context.headers);
    }
    return this.#respond(context);
  }

  async #respond(context: RequestContext): Promise<Response> {
    const { limits, routes, respondToProbe } = this.deps;
    const response = await context.lifetime.run(async () => {
      // 5. A probe of whatever supervises the process.
      const probe = respondToProbe(context);
      if (probe) return context.respond(await probe);
      // 6. The limit of who has credentials.
      if (!context.refusal)
        await limits.admitByCredential(context).catch((error) => {
          context.refusal = error;
        });
      // 7. The route. It calls `serveRequest`.
      return routes.fetch(context);
    });
    return this.#finish(context, response);
  }

  async #forward(context: RequestContext, forward: () => Promise<Response>): Promise<Response> {
    try {
      return this.#end(context, await context.measure('forward', forward));
    } catch (error) {
      context.refusal = error;
      return this.#respond(context);
    }
  }

  /** 17. The headers of the whole server, the log, and whoever observes the requests. */
  #finish(context: RequestContext, response: Response): Response {
    const { log, addHeaders, observe } = this.deps;
    const { id, method, target, startedAt, actor, trace } = context;
    addHeaders(context, response);
    const ms = performance.now() - startedAt;
    log.request(id, method, toLoggedPath(target), response.status, ms, actor, trace?.id);
    observe?.(context, response);
    return this.#end(context, response);
  }

  #end(context: RequestContext, response: Response): Response {
    const { trace, target } = context;
    trace?.finish(response, toLoggedPath(target), () => this.deps.routes.findPattern(context));
    if (this.#isDraining) response.headers.set('Connection', 'close');
    return response;
  }

  /** From now on every response closes its connection. Returns how many milliseconds ago the last request came. */
  drain(): number {
    this.#isDraining = true;
    return performance.now() - this.#lastRequestAt;
  }
}

/** A format with it is as any format that there is not. */
const refuseNul = ({ target }: RequestContext) =>
  /[?&]format=[^&]*%00/.test(target) ? new NotFound() : new BadRequest(apiText('nulInAddress'));

/** What the API, the pages and the media files do differently. */
interface Endpoint {
  respond(): Promise<PreparedResponse>;
  /** In the format of the response. */
  renderError(error: unknown): PreparedResponse | Promise<PreparedResponse>;
}

export async function serveRequest(context: RequestContext, endpoint: Endpoint): Promise<Response> {
  try {
    // 8. The endpoint, unless the request was refused, within the request's time.
    if (context.refusal) throw context.refusal;
    const response = await context.withinTimeLimit(() => endpoint.respond());
    // 9. The response is cached, if it is the same for everybody, and sent.
    return context.respond(response);
  } catch (error) {
    if (isServerFailure(error)) context.logError(error);
    try {
      return context.respond(await endpoint.renderError(error));
    } catch (renderingError) {
      return respondWithError(context, renderingError);
    }
  }
}

/** The response if nothing else can respond. */
export function respondWithError(context: RequestContext, error: unknown): Response {
  context.logError(error);
  return context.respond(prepareJsonError(error));
}

/** Serves a resource of the API. */
export class View<Viewer> {
  readonly #json: JsonRenderer;
  readonly #page: PageRenderer<Viewer>;

  constructor(
    readonly resource: Resource<Viewer>,
    private readonly authenticator: Authenticator<Viewer>,
    private readonly site: Site,
  ) {
    this.#json = new JsonRenderer(resource);
    this.#page = new PageRenderer(resource, authenticator, site);
  }

  async serve(context: RequestContext, pathParameters: Record<string, string>): Promise<Response> {
    // 10. The rendering, in which errors are sent too: in JSON if none is acceptable.
    const { request, refusal } = this.#negotiate(context, pathParameters);
    return serveRequest(context, {
      respond: () => this.#respond(request, refusal),
      renderError: (error) => this.#renderError(this.#withEffectiveMethod(request), error),
    });
  }

  async #respond(sent: ApiRequest<Viewer>, refusal: unknown): Promise<PreparedResponse> {
    const { authenticator, site } = this;
    const { context } = sent;
    // 11. A browser asks for a page of another origin. A path ends with a slash.
    const asked = findPreflightMethod(context);
    if (asked !== undefined) return preparePreflight(context, asked, this.#isOpenForWriting(context, asked));
    if (!context.url.hasFinalSlash && context.isRead) return redirectToSlash(context);
    if (refusal) throw refusal;
    // 12. Room for a large body, until the response is ready.
    await using _room = await this.#takeUploadRoom(sent);
    // 13. The method, which a form can replace, and its operation.
    await context.readFormMethod();
    const request = this.#withEffectiveMethod(sent);
    const { method, operation, rendering } = request;
    if (method === 'OPTIONS') return this.#respondToOptions(request);
    if (!operation) throw new MethodNotAllowed(method);
    // 14. The viewer, and whether they may use the operation at all.
    if (!isSafe(method) && context.headers.has('Authorization')) site.writingOrigins.require(context);
    const viewer = operation.ignoresCredentials
      ? authenticator.anonymous
      : await authenticator.identifyAndCheckCsrf(context);
    operation.checkPermission(viewer);
    // 15. The query, then the body, then the handler.
    const readsBody = operation.fields !== undefined && !isSafe(method);
    const operationContext = await buildOperationContext(request, operation, viewer, { readsBody });
    const { format } = rendering;
    const result =
      operation.list && isListFormat(format)
        ? await streamList(
            { ...site, authenticator },
            request,
            viewer,
            format,
            await operation.list(operationContext),
          )
        : await operation.handle(operationContext);
    // 16. The rendering of the result. Only then is the room given back.
    return await context.measure('render', async () => {
      const response = await this.#json.renderResult(request, result);
      if (!isPage(rendering) || result.stream) return response;
      return this.#page.renderResult(request, response, result);
    });
  }

  #negotiate(context: RequestContext, pathParameters: Record<string, string>) {
    const { headers, method, url } = context;
    const operation = findOperation(this.resource, method);
    const isStrict = this.site.isStrict || prefersStrict(headers);
    const settings = this.site.readSettings;
    const request = { context, pathParameters, url, isStrict, method, operation, settings };
    const format = url.format ?? (url.query.getAll('format').at(-1) || undefined);
    try {
      // The suffixes `.api` and `.table` are pages, whatever the client accepts.
      const accept = url.format === 'api' || url.format === 'table' ? null : headers.get('Accept');
      const rendering = negotiate(accept, format, operation);
      const shownUrl = rendering.format === 'json' ? url : withoutFormat(url);
      return { request: { ...request, url: shownUrl, rendering } };
    } catch (refusal) {
      return { request: { ...request, rendering: plainJson }, refusal };
    }
  }

  /** Errors of a form whose method is known are rendered as those of that method. */
  #withEffectiveMethod(request: ApiRequest<Viewer>): ApiRequest<Viewer> {
    const { formMethod } = request.context;
    if (formMethod === undefined) return request;
    return { ...request, method: formMethod, operation: findOperation(this.resource, formMethod) };
  }

  /** Operations that take a password are closed to pages of other origins. */
  #isOpenForWriting(context: RequestContext, method: string): boolean {
    const isClosed = findOperation(this.resource, method)?.ignoresCredentials;
    return !isClosed && this.site.writingOrigins.include(context);
  }

  /** Undefined unless the viewer may send a large body and the operation accepts files. */
  async #takeUploadRoom(request: ApiRequest<Viewer>): Promise<AsyncDisposable | undefined> {
    const { authenticator, site } = this;
    const { context, method, operation } = request;
    if (method !== 'POST' || !(operation?.acceptsFiles || operation?.acceptsArchive)) return undefined;
    if (!isMultipart(context.headers) || !site.writingOrigins.include(context)) return undefined;
    const viewer = await authenticator.identify(context);
    if (!(await isOffered(request, operation, viewer))) return undefined;
    return site.uploadLimiter.takeRoom(context, authenticator.idOf(viewer), operation);
  }

  #renderError(request: ApiRequest, error: unknown): PreparedResponse | Promise<PreparedResponse> {
    const response = this.#json.renderError(request, error);
    if (!isPage(request.rendering)) return response;
    return this.#page.renderError(request, response, error);
  }

  async #respondToOptions(request: ApiRequest): Promise<PreparedResponse> {
    const offers = await listOffers(request, this.resource, ['POST', 'PUT'], this.authenticator);
    const actions: Record<string, Fields> = {};
    for (const { method, operation } of offers) if (operation.fields) actions[method] = operation.fields;
    const data = describeResource(this.resource, actions);
    const response = this.#json.renderMetadata(request, data);
    if (request.rendering.format === 'json') return response;
    return this.#page.renderMetadata(request, response, data);
  }
}

const redirectToSlash = ({ origin, url: { path, search } }: RequestContext): PreparedResponse =>
  prepareResponse(301, {
    Location: `${origin}${path}/${search}`,
    'Cache-Control': 'no-cache',
    ...corsHeaders,
  });
