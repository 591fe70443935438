import { isServerFailure } from '../../common/src/errors.ts';
import { RequestLifetime } from '../../common/src/request-lifetime.ts';
import type { PartKind, RequestTrace } from '../../common/src/request-trace.ts';
import type { Connections, Hosts } from './hosts.ts';
import { isForm, maxAnonymousBodyBytes, maxBodyBytes, type ParsedBody, parseBody } from './parsers.ts';
import { type PreparedResponse, toResponse } from './prepared-response.ts';
import type { BodyLimits, UploadReception } from './read-body.ts';
import { hostnameOf, parseRequestUrl, pathAndQuery, type RequestUrl, toRoutePath } from './request-url.ts';
import type { ResponseCache } from './response-cache.ts';
import { readDeviceCookie } from './server-cookie.ts';
import type { SharedCaching } from './shared-caching.ts';

/** After the last bytes of an upload, for its handler. */
const handlingSeconds = 5;

/** Dependencies shared by all requests. */
export interface RequestDependencies {
  readonly hosts: Hosts;
  readonly cache: ResponseCache;
  /** Undefined: no shared cache may keep a response. */
  readonly sharedCaching: SharedCaching | undefined;
  readonly log: { error(id: string, error: unknown): void };
  readonly timeoutMs: number;
  /** Paths below it may end with the name of a format. */
  readonly apiPrefix: string;
  readonly startTrace?: ((context: RequestContext) => RequestTrace) | undefined;
  /** The language of mails that a request causes; undefined for English. */
  mailLanguageOf(headers: Headers): string | undefined;
  /** The headers that decide the language of pages, undefined for most people: part of the key of a cached page. */
  languageKeyOf(headers: Headers): string | undefined;
}

/** One request and what is known of it. Properties that are slow to read from Bun's Request are read once. */
export class RequestContext {
  readonly startedAt = performance.now();
  readonly method: string;
  readonly headers: Headers;
  /** Path and query, still encoded: all that a cached response needs of the URL. */
  readonly target: string;
  /** Scheme and host; empty if the operator does not allow the host. */
  readonly origin: string;
  /** It has a key or a cookie. Otherwise its viewer is anonymous, and nothing has to be looked up. */
  readonly hasCredentials: boolean;
  /** The response is the same for everybody: the request has no credentials and no preference. */
  readonly canShareResponse: boolean;
  /** Why the request is refused before routing. The route responds with it, so that format and headers fit the URL. */
  refusal: unknown;
  /** The id of the signed-in sender, for the log. */
  actor: number | undefined;
  /** The method by which a form replaces POST, once its body has been read. */
  formMethod: string | undefined;
  /** Undefined if nobody wants to know what the request spends its time on. */
  readonly trace: RequestTrace | undefined;
  /** The response that was sent: that of a 304 has its whole text. */
  sent: PreparedResponse | undefined;
  /** The state of the data before the response was made; undefined if the response may not be cached. */
  #generation: number | undefined;
  #url: RequestUrl | undefined;
  #routePath: string | undefined;
  #lifetime: RequestLifetime | undefined;
  #body: Promise<ParsedBody> | undefined;
  #bodyLimits: BodyLimits = { maxBytes: maxAnonymousBodyBytes };

  constructor(
    readonly request: Request,
    readonly id: string,
    private readonly deps: RequestDependencies,
    private readonly connections: Connections,
  ) {
    const { method, headers, url } = request;
    this.method = method;
    this.headers = headers;
    this.target = pathAndQuery(url);
    this.hasCredentials = headers.has('Authorization') || headers.has('Cookie');
    this.canShareResponse = !this.hasCredentials && !headers.has('Prefer');
    this.origin = deps.hosts.findOrigin(request, headers, connections) ?? '';
    this.trace = deps.startTrace?.(this);
  }

  /** The parts of the URL, taken apart when they are first needed. */
  get url(): RequestUrl {
    this.#url ??= parseRequestUrl(this.target);
    return this.#url;
  }

  /** The path by which the route is found. */
  get routePath(): string {
    this.#routePath ??= toRoutePath(this.url, this.deps.apiPrefix);
    return this.#routePath;
  }

  /** The host without its port. */
  get hostname(): string {
    return hostnameOf(this.origin);
  }

  /** The method is GET or HEAD. */
  get isRead(): boolean {
    return this.method === 'GET' || this.method === 'HEAD';
  }

  /** Created when it is first needed: a cached response needs none. */
  get lifetime(): RequestLifetime {
    const { request, startedAt, connections } = this;
    this.#lifetime ??= new RequestLifetime(this.deps.timeoutMs, {
      request,
      startedAt,
      replicas: this.#replicas,
      trace: this.trace,
      onExtend: (seconds) => connections.extendIdleTimeout?.(request, seconds),
    });
    return this.#lifetime;
  }

  /** A person who is signed in sees all writes at once, and decisions about a write see the newest state. */
  get #replicas() {
    if (!this.isRead) return undefined;
    return this.canShareResponse ? 'late' : 'current';
  }

  /** The language of mails that the request causes; undefined for English. */
  get language(): string | undefined {
    return this.deps.mailLanguageOf(this.headers);
  }

  /** Pages with another key may be in another language; undefined for most people. */
  get languageKey(): string | undefined {
    return this.deps.languageKeyOf(this.headers);
  }

  /** Runs work until the request times out; after that, nothing is written. */
  withinTimeLimit<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.lifetime.withinTimeLimit(work);
  }

  /** Does a part of the work, for the trace. */
  measure<Result>(kind: PartKind, work: () => Promise<Result>): Promise<Result> {
    return this.trace ? this.trace.measure(kind, work) : work();
  }

  /** Raises the limit of the body's size: the sender is signed in. */
  allowLongBody(): void {
    this.#bodyLimits = { maxBytes: maxBodyBytes };
  }

  /** Raises the limits of the body's size and of the request's time. */
  allowUpload(maxBytes: number, upload: UploadReception): void {
    this.#bodyLimits = { maxBytes, upload };
    this.lifetime.extend(upload.timeoutMs / 1000 + handlingSeconds);
  }

  /** The network address by which limits count. Looking it up takes a tenth of the time of a cached response. */
  get clientAddress(): string {
    return this.deps.hosts.findClientAddress(this.request, this.headers, this.connections);
  }

  /** Where a sign-in comes from. */
  get client(): { readonly address: string; readonly device: string | undefined } {
    return { address: this.clientAddress, device: readDeviceCookie(this.headers) };
  }

  /** The cached response, if it is still valid. After this call `respond` stores the response in the cache. */
  findCachedResponse(): PreparedResponse | undefined {
    if (!this.isRead || !this.canShareResponse) return undefined;
    const { cache } = this.deps;
    this.#generation = cache.generation();
    return cache.find(this.origin, this.#variant, this.target, this.#generation);
  }

  /** Responses to the same URL differ by it. No header holds a line break, so nobody can send another variant's text. */
  get #variant(): string {
    const accept = this.headers.get('Accept') ?? '';
    const { languageKey } = this;
    return languageKey === undefined ? accept : `${languageKey}\n${accept}`;
  }

  /** Reads and parses the body at the first call. */
  readBody(): Promise<ParsedBody> {
    this.#body ??= parseBody(this.request, this.#bodyLimits);
    return this.#body;
  }

  /** The CSRF token of a form; undefined if the body is not a form. */
  async readCsrfToken(): Promise<string | undefined> {
    return isForm(this.headers) ? (await this.readBody()).csrfToken : undefined;
  }

  /** Reads the method by which a form of the browsable page replaces POST. */
  async readFormMethod(): Promise<void> {
    if (this.method === 'POST' && isForm(this.headers)) this.formMethod = (await this.readBody()).formMethod;
  }

  respond(response: PreparedResponse): Response {
    if (this.#lifetime?.allowsCaching === false) return this.send(response);
    const prepared = this.deps.sharedCaching?.allow(this, response) ?? response;
    const isStored = !/no-store|private/.test(prepared.headers.get('Cache-Control') ?? '');
    if (isStored && prepared.etag !== undefined && !prepared.streamBody && this.#generation !== undefined)
      this.deps.cache.store(this.origin, this.#variant, this.target, prepared, this.#generation);
    return this.send(prepared);
  }

  /** Sends a response that is in the cache already, or shall not be. */
  send(prepared: PreparedResponse): Response {
    this.sent = prepared;
    if (this.method === 'GET') prepared.onSend?.(this.headers);
    const isHead = this.method === 'HEAD';
    const { streamBody, staysOpen, body } = prepared;
    const openBody = streamBody && (staysOpen ? streamBody : () => this.#logFailures(streamBody()));
    const sent = openBody ? { ...prepared, streamBody: isHead ? undefined : openBody } : prepared;
    const response = toResponse(sent, this.headers, this.id, this.isRead);
    // Hono drops the body of a response to HEAD and would send Content-Length: 0.
    if (isHead && response.status !== 304 && !streamBody)
      response.headers.set('Content-Length', String(Buffer.byteLength(body)));
    return response;
  }

  /** The response has begun when its stream fails: breaking the connection is all that Bun can do. */
  #logFailures(body: Blob | ReadableStream): Blob | ReadableStream {
    if (body instanceof Blob) return body;
    const reader = body.getReader();
    let isCanceled = false;
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (isCanceled) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (isServerFailure(error)) this.logError(error);
          throw error;
        }
      },
      cancel: (reason) => {
        isCanceled = true;
        return reader.cancel(reason);
      },
    });
  }

  /** Logs an error that the operator has to know, with the request's id. */
  logError(error: unknown): void {
    this.deps.log.error(this.id, error);
  }
}

/** Short ids that are unique across requests and processes, and cheap to make. */
export class RequestIds {
  readonly #process = crypto.randomUUID().slice(0, 8);
  #count = 0;

  next(): string {
    return `${this.#process}-${++this.#count}`;
  }
}
