import { type BodyLimits, isForm, type ParsedBody, parseBody } from './parsers.ts';
import { type PreparedResponse, toResponse } from './prepared-response.ts';
import { pathAndQuery } from './request-url.ts';

interface ErrorLog {
  error(id: string, error: unknown): void;
}

/** One request and what is known of it. Properties that are slow to read from Bun's Request are read once. */
export class RequestContext {
  readonly startedAt = performance.now();
  readonly method: string;
  readonly headers: Headers;
  /** Path and query, still encoded. */
  readonly path: string;
  /** Scheme and host; the host is one that the operator allows. */
  origin = '';
  /** Asks the connection for its address, which takes a tenth of the time of a cached response: call it when needed. */
  findClientAddress: () => string = () => '';
  /** Keeps the connection open for this many seconds without traffic. */
  extendIdleTimeout: (seconds: number) => void = () => {};
  /** A failure before routing. The route responds with it, so that format and headers fit the URL. */
  earlyFailure: unknown;
  /** Stores the response in the cache; undefined where it may not be cached. */
  storeInCache: ((response: PreparedResponse) => void) | undefined;
  #body: Promise<ParsedBody> | undefined;
  #bodyLimits: BodyLimits | undefined;

  constructor(
    readonly request: Request,
    readonly id: string,
    private timeoutMs: number,
    private readonly log: ErrorLog,
  ) {
    const { method, headers, url } = request;
    this.method = method;
    this.headers = headers;
    this.path = pathAndQuery(url);
  }

  /** Milliseconds until the request times out. */
  get remainingMs(): number {
    return Math.max(0, this.timeoutMs - (performance.now() - this.startedAt));
  }

  /** Raises the limits of the body's size and of the request's time. */
  allowUpload(maxBytes: number, seconds: number): void {
    this.#bodyLimits = { maxBytes, timeoutMs: seconds * 1000 };
    this.timeoutMs = performance.now() - this.startedAt + seconds * 1000;
    this.extendIdleTimeout(seconds);
  }

  /** The network address by which limits count. */
  get clientAddress(): string {
    return this.findClientAddress();
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

  /** The method; a form of the browsable page can replace POST by another one. */
  async readEffectiveMethod(): Promise<string> {
    if (this.method !== 'POST' || !isForm(this.headers)) return this.method;
    return (await this.readBody()).formMethod ?? this.method;
  }

  respond(prepared: PreparedResponse): Response {
    if (prepared.etag !== undefined && !prepared.streamBody) this.storeInCache?.(prepared);
    const isHead = this.method === 'HEAD';
    const isRead = isHead || this.method === 'GET';
    const sent = isHead ? { ...prepared, streamBody: undefined } : prepared;
    const response = toResponse(sent, this.headers, this.id, isRead);
    // Hono drops the body of a response to HEAD and would send Content-Length: 0.
    if (isHead && response.status !== 304 && !prepared.streamBody) {
      response.headers.set('Content-Length', String(Buffer.byteLength(prepared.body)));
    }
    return response;
  }

  /** Logs an unexpected error with the request's id. */
  report(error: unknown): void {
    this.log.error(this.id, error);
  }
}
