import { targetOf } from './address.ts';
import { type Answer, toResponse } from './answer.ts';
import { type Body, type Bounds, isForm, parseBody } from './parsers.ts';

interface FaultLog {
  fault(id: string, error: unknown): void;
}

/** One request on its way through the house. What it costs Bun to look up is looked up once. */
export class RequestContext {
  readonly began = performance.now();
  readonly method: string;
  readonly headers: Headers;
  /** Path and query, still encoded. */
  readonly path: string;
  /** Scheme and host, known to be ours. */
  base = '';
  /** Finds out where it comes from: asked of the connection, which takes a tenth of a remembered answer's time. */
  whereFrom: () => string = () => '';
  /** Has the connection bear with its silence for so many seconds. */
  takeTime: (seconds: number) => void = () => {};
  /** Why nobody may serve it: told in the rendering and with the headers of what was asked for. */
  refusal: unknown;
  /** Remembers the answer, where that may be done. */
  keep: ((answer: Answer) => void) | undefined;
  #body: Promise<Body> | undefined;
  #bounds: Bounds | undefined;

  constructor(
    readonly request: Request,
    readonly id: string,
    private patience: number,
    private readonly faults: FaultLog,
  ) {
    const { method, headers, url } = request;
    this.method = method;
    this.headers = headers;
    this.path = targetOf(url);
  }

  /** Milliseconds that it may still take. */
  get deadline(): number {
    return Math.max(0, this.patience - (performance.now() - this.began));
  }

  /** Lets it bring so many bytes, and take its time over them. */
  admitUpload(most: number, seconds: number): void {
    this.#bounds = { most, patience: seconds * 1000 };
    this.patience = performance.now() - this.began + seconds * 1000;
    this.takeTime(seconds);
  }

  /** The address that limits are counted by. */
  get client(): string {
    return this.whereFrom();
  }

  /** What was sent, read once, whoever asks first. */
  body(): Promise<Body> {
    this.#body ??= parseBody(this.request, this.#bounds);
    return this.#body;
  }

  /** What a form holds against forgery; undefined where no form was sent. */
  async formToken(): Promise<string | undefined> {
    return isForm(this.headers) ? (await this.body()).formToken : undefined;
  }

  /** The method, or what a form of the browsable page means by POST. */
  async meant(): Promise<string> {
    if (this.method !== 'POST' || !isForm(this.headers)) return this.method;
    return (await this.body()).formMethod ?? this.method;
  }

  respond(answer: Answer): Response {
    if (answer.etag !== undefined && !answer.bytes) this.keep?.(answer);
    const reads = this.method === 'GET' || this.method === 'HEAD';
    const headless = this.method === 'HEAD' ? { ...answer, bytes: undefined } : answer;
    const response = toResponse(headless, this.headers, this.id, reads);
    // The router drops the body of an answer to HEAD, and would say that there is none.
    if (this.method === 'HEAD' && response.status !== 304 && !answer.bytes) {
      response.headers.set('Content-Length', String(Buffer.byteLength(answer.body)));
    }
    return response;
  }

  /** Tells the operator of a fault of ours, beside the request's id. */
  report(error: unknown): void {
    this.faults.fault(this.id, error);
  }
}
