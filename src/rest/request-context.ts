import { type BodyLimits, isForm, type ParsedBody, parseBody } from './parsers.ts';
import { type PreparedResponse, toResponse } from './prepared-response.ts';
import { pathAndQuery } from './request-url.ts';

interface ErrorLog {
  error(id: string, error: unknown): void;
}

/** One request on its way through the house. What it costs Bun to look up is looked up once. */
export class RequestContext {
  readonly startedAt = performance.now();
  readonly method: string;
  readonly headers: Headers;
  /** Path and query, still encoded. */
  readonly path: string;
  /** Scheme and host, known to be ours. */
  origin = '';
  /** Finds out where it comes from: asked of the connection, which takes a tenth of a remembered answer's time. */
  findClientAddress: () => string = () => '';
  /** Has the connection bear with its silence for so many seconds. */
  extendIdleTimeout: (seconds: number) => void = () => {};
  /** Why nobody may serve it: told in the rendering and with the headers of what was asked for. */
  earlyFailure: unknown;
  /** Remembers the answer, where that may be done. */
  storeInCache: ((answer: PreparedResponse) => void) | undefined;
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

  /** Milliseconds that it may still take. */
  get remainingMs(): number {
    return Math.max(0, this.timeoutMs - (performance.now() - this.startedAt));
  }

  /** Lets it bring so many bytes, and take its time over them. */
  allowUpload(maxBytes: number, seconds: number): void {
    this.#bodyLimits = { maxBytes, timeoutMs: seconds * 1000 };
    this.timeoutMs = performance.now() - this.startedAt + seconds * 1000;
    this.extendIdleTimeout(seconds);
  }

  /** The address that limits are counted by. */
  get clientAddress(): string {
    return this.findClientAddress();
  }

  /** What was sent, read once, whoever asks first. */
  readBody(): Promise<ParsedBody> {
    this.#body ??= parseBody(this.request, this.#bodyLimits);
    return this.#body;
  }

  /** What a form holds against forgery; undefined where no form was sent. */
  async readCsrfToken(): Promise<string | undefined> {
    return isForm(this.headers) ? (await this.readBody()).csrfToken : undefined;
  }

  /** The method, or what a form of the browsable page means by POST. */
  async readEffectiveMethod(): Promise<string> {
    if (this.method !== 'POST' || !isForm(this.headers)) return this.method;
    return (await this.readBody()).formMethod ?? this.method;
  }

  respond(answer: PreparedResponse): Response {
    if (answer.etag !== undefined && !answer.streamBody) this.storeInCache?.(answer);
    const reader = this.method === 'GET' || this.method === 'HEAD';
    const headless = this.method === 'HEAD' ? { ...answer, bytes: undefined } : answer;
    const response = toResponse(headless, this.headers, this.id, reader);
    // The router drops the body of an answer to HEAD, and would say that there is none.
    if (this.method === 'HEAD' && response.status !== 304 && !answer.streamBody) {
      response.headers.set('Content-Length', String(Buffer.byteLength(answer.body)));
    }
    return response;
  }

  /** Tells the operator of a fault of ours, beside the request's id. */
  report(error: unknown): void {
    this.log.error(this.id, error);
  }
}
