// Serves a resource in Django REST framework's order. An error is rendered in the negotiated format, with the same Allow
// header.

import { type Field, type Fields, isFileSchema } from '../common/fields.ts';
import { mapValues } from '../common/json.ts';
import { type ApiRequest, buildOperationContext } from './api-request.ts';
import type { Authenticator } from './authenticator.ts';
import { corsHeaders, findPreflightMethod, preparePreflight } from './cors.ts';
import { MethodNotAllowed } from './exceptions.ts';
import { isListFormat, listFormats } from './list-formats.ts';
import { streamList } from './list-response.ts';
import { isSafe } from './methods.ts';
import { isPage, negotiate, plainJson } from './negotiation.ts';
import { prefersStrict } from './parameters.ts';
import { isMultipart, parsedMediaTypes } from './parsers.ts';
import { type PreparedResponse, prepareResponse } from './prepared-response.ts';
import { JsonRenderer } from './renderers/json.ts';
import { isOffered, listOffers } from './renderers/offers.ts';
import { PageRenderer } from './renderers/page.ts';
import type { RequestContext } from './request-context.ts';
import { parseRequestUrl, type RequestUrl, withoutFormat } from './request-url.ts';
import { findOperation, type Operation, type OperationResult, type Resource } from './resource.ts';
import { serveRequest } from './serve-request.ts';
import type { Site } from './site.ts';

interface Negotiated {
  readonly request: ApiRequest;
  /** No rendering is acceptable. */
  readonly refusal?: unknown;
}

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
    const url = parseRequestUrl(context.path);
    // 1. The rendering, in which errors are sent too: in JSON if none is acceptable.
    let { request, refusal } = this.#negotiate(context, pathParameters, url);
    return serveRequest(
      context,
      async () => {
        // 2. A browser asks for a page of another origin. A path ends with a slash.
        const asked = findPreflightMethod(context);
        if (asked !== undefined)
          return preparePreflight(context, asked, this.#isOpenForWriting(context, asked));
        if (!url.hasFinalSlash && context.isRead) return redirectToSlash(context, url);
        if (refusal) throw refusal;
        // 3. Room for a large body, before it is read.
        return this.#withUploadRoom(request, async () => {
          // 4. The method, which a form can replace.
          request = { ...request, method: await context.readEffectiveMethod() };
          return this.#dispatch(request);
        });
      },
      (error) => this.#renderError(request, error),
    );
  }

  /** Operations that take a password are closed to pages of other origins. */
  #isOpenForWriting(context: RequestContext, method: string): boolean {
    const isClosed = findOperation(this.resource, method)?.ignoresCredentials;
    return !isClosed && this.site.writingOrigins.include(context);
  }

  #negotiate(context: RequestContext, pathParameters: Record<string, string>, url: RequestUrl): Negotiated {
    const { headers, method } = context;
    const isStrict = this.site.isStrict || prefersStrict(headers);
    const request = { context, pathParameters, url, isStrict, method };
    const format = url.format ?? (url.query.getAll('format').at(-1) || undefined);
    try {
      // The suffixes `.api` and `.table` are pages, whatever the client accepts.
      const accept = url.format === 'api' || url.format === 'table' ? null : headers.get('Accept');
      const rendering = negotiate(accept, format, findOperation(this.resource, method));
      return {
        request: { ...request, url: rendering.format === 'json' ? url : withoutFormat(url), rendering },
      };
    } catch (refusal) {
      return { request: { ...request, rendering: plainJson }, refusal };
    }
  }

  async #withUploadRoom(request: ApiRequest, dispatch: () => Promise<PreparedResponse>) {
    const sender = await this.#findUploadSender(request);
    if (sender === undefined) return dispatch();
    const { uploadLimiter } = this.site;
    return this.resource.operations.POST?.acceptsArchive
      ? uploadLimiter.acceptArchive(request.context, sender, dispatch)
      : uploadLimiter.acceptUpload(request.context, sender, dispatch);
  }

  /** The id of the viewer, if they may send a large body and the operation accepts files. */
  async #findUploadSender(request: ApiRequest): Promise<string | undefined> {
    const { context, method } = request;
    const operation = method === 'POST' ? this.resource.operations.POST : undefined;
    if (!operation?.acceptsFiles && !operation?.acceptsArchive) return undefined;
    if (!isMultipart(context.headers) || !this.site.writingOrigins.include(context)) return undefined;
    const viewer = await this.authenticator.identify(context);
    return (await isOffered(request, operation, viewer)) ? this.authenticator.idOf(viewer) : undefined;
  }

  async #dispatch(request: ApiRequest): Promise<PreparedResponse> {
    const { context, rendering } = request;
    if (request.method === 'OPTIONS') return this.#respondToOptions(request);
    // 5. The operation, within the request's time.
    const operation = findOperation(this.resource, request.method);
    if (!operation) throw new MethodNotAllowed(request.method);
    const result = await context.withinTimeLimit(() => this.#runOperation(request, operation));
    // 6. The rendering.
    return context.measure('render', async () => {
      const response = await this.#json.renderResult(request, result);
      if (!isPage(rendering) || result.stream) return response;
      return this.#page.renderResult(request, response, result);
    });
  }

  async #runOperation(request: ApiRequest, operation: Operation<Viewer>): Promise<OperationResult> {
    const { context, method, rendering } = request;
    const { anonymous } = this.authenticator;
    // 5.1. The viewer, and whether they may use the operation at all.
    if (!isSafe(method) && context.headers.has('Authorization')) this.site.writingOrigins.require(context);
    const viewer = operation.ignoresCredentials
      ? anonymous
      : await this.authenticator.identifyAndCheckCsrf(context);
    operation.checkPermission(viewer);
    // 5.2. The query, then the body, then the handler.
    const readsBody = operation.fields !== undefined && !isSafe(method);
    const operationContext = await buildOperationContext(request, operation, viewer, { readsBody });
    const { format } = rendering;
    if (!operation.list || !isListFormat(format)) return operation.handle(operationContext);
    const list = await operation.list(operationContext);
    return streamList({ ...this.site, authenticator: this.authenticator }, request, viewer, format, list);
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

const redirectToSlash = ({ origin }: RequestContext, { path, search }: RequestUrl): PreparedResponse =>
  prepareResponse(301, {
    Location: `${origin}${path}/${search}`,
    'Cache-Control': 'no-cache',
    ...corsHeaders,
  });

// The response to OPTIONS.

const renderedMediaTypes = ['application/json', 'text/html'];
const listMediaTypes = Object.values(listFormats).map(({ mediaType }) => mediaType);

/** `actions` has the fields of each method by which this viewer may write. */
function describeResource(
  { name, description, operations }: Resource<never>,
  actions: Readonly<Record<string, Fields>>,
): Record<string, unknown> {
  return {
    name,
    description,
    renders: [...renderedMediaTypes, ...(operations.GET?.list ? listMediaTypes : [])],
    parses: parsedMediaTypes,
    ...(Object.keys(actions).length && {
      actions: mapValues(actions, (fields) => mapValues(fields, describeField)),
    }),
  };
}

function describeField({ label, help, required, readOnly, schema, choices }: Field): Record<string, unknown> {
  return {
    type: choices && schema.type !== 'boolean' ? 'choice' : findFieldType(schema),
    required: required ?? false,
    read_only: readOnly ?? false,
    label: String(label),
    ...(help !== undefined && { help_text: String(help) }),
    ...(schema.maxLength !== undefined && { max_length: schema.maxLength }),
    ...(schema.minimum !== undefined && !readOnly && { min_value: schema.minimum }),
    ...(schema.maximum !== undefined && !readOnly && { max_value: schema.maximum }),
    ...(choices &&
      schema.type !== 'boolean' && {
        choices: choices.map(({ value, display_name }) => ({ value, display_name: String(display_name) })),
      }),
  };
}

function findFieldType(schema: Field['schema']): string {
  const { type: types, format, anyOf } = schema;
  // A nullable type is described as the type itself.
  if (types === undefined && Array.isArray(anyOf)) return findFieldType(anyOf[0]);
  const type = Array.isArray(types) ? types[0] : types;
  if (isFileSchema(schema)) return 'file upload';
  if (format === 'uri') return 'url';
  if (type === 'integer' || type === 'boolean') return type;
  return type === 'array' ? 'list' : type === 'object' ? 'nested object' : 'string';
}
