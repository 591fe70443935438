// Times of the parts of a request: spans for OpenTelemetry, and sums for the header Server-Timing. A request has a trace
// only if the operator wants one of them. Without an exporter, the spans of OpenTelemetry's interface do nothing.

import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isServerFailure } from './errors.ts';

/** The purpose of a part of the work. */
export type PartKind = 'db' | 'wait' | 'render' | 'forward';

interface PartOptions {
  /** By default the kind. */
  readonly name?: string;
  readonly attributes?: Attributes;
}

/** The members of a request that a trace reads. */
interface TracedRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly startedAt: number;
  /** Scheme and host; may be empty. */
  readonly origin: string;
}

const tracer = trace.getTracer('vitrine');

const headerGetter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};
const headerSetter = {
  set: (headers: Headers, name: string, value: string) => headers.set(name, value),
};

/** A client may send any other method. */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Work that another server does. */
const clientKinds: readonly PartKind[] = ['db', 'forward'];

export class RequestTrace {
  readonly #span: Span;
  readonly #context;
  readonly #sums = new Map<PartKind, number>();

  constructor(
    private readonly request: TracedRequest,
    private readonly showsTimes: boolean,
  ) {
    const sender = propagation.extract(ROOT_CONTEXT, request.headers, headerGetter);
    this.#span = tracer.startSpan('HTTP', { kind: SpanKind.SERVER }, sender);
    this.#context = trace.setSpan(sender, this.#span);
  }

  /** Undefined if nothing is exported. */
  get id(): string | undefined {
    const spanContext = this.#span.spanContext();
    return isSpanContextValid(spanContext) ? spanContext.traceId : undefined;
  }

  /** Whether somebody reads what spans say. */
  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  /** Begins a part of the work. Returns what to call at its end; a second call does nothing. */
  start(kind: PartKind, options?: PartOptions): () => void {
    return this.#start(kind, options).end;
  }

  /** Parts that begin within the work are parts of this one. */
  async measure<Result>(kind: PartKind, work: () => Result | Promise<Result>, options?: PartOptions) {
    const { span, end } = this.#start(kind, options);
    try {
      return await context.with(span ? trace.setSpan(this.#context, span) : this.#context, work);
    } catch (error) {
      if (isServerFailure(error)) span?.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      end();
    }
  }

  /** The part that is running, or the whole request. */
  get #parent() {
    return trace.getActiveSpan() ? context.active() : this.#context;
  }

  #start(kind: PartKind, { name = kind, attributes = {} }: PartOptions = {}) {
    const startedAt = performance.now();
    const spanKind = clientKinds.includes(kind) ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const span = this.isRecording
      ? tracer.startSpan(name, { kind: spanKind, attributes }, this.#parent)
      : undefined;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#sums.set(kind, (this.#sums.get(kind) ?? 0) + performance.now() - startedAt);
      span?.end();
    };
    return { span, end };
  }

  /** Tells the server that gets these headers to which span its work belongs. */
  writeHeaders(headers: Headers): void {
    propagation.inject(this.#parent, headers, headerSetter);
  }

  /** `path` and query are as in the log. */
  finish({ status, headers }: Response, path: string, findRoute: () => string): void {
    if (this.showsTimes && !headers.has('Server-Timing')) headers.set('Server-Timing', this.#formatTimes());
    if (this.isRecording) this.#describe(status, path, findRoute());
    this.#span.end();
  }

  #describe(status: number, target: string, route: string): void {
    const { method, origin } = this.request;
    const url = URL.parse(origin);
    const [path = '', query] = target.split('?', 2);
    const isKnown = knownMethods.includes(method);
    this.#span.updateName([isKnown ? method : 'HTTP', ...(route === '*' ? [] : [route])].join(' '));
    this.#span.setAttributes({
      'http.request.method': isKnown ? method : '_OTHER',
      'http.response.status_code': status,
      ...(route !== '*' && { 'http.route': route }),
      'url.scheme': url?.protocol.slice(0, -1) ?? 'http',
      ...(url && { 'server.address': url.hostname }),
      'url.path': path,
      ...(query !== undefined && { 'url.query': query }),
      ...(status >= 500 && { 'error.type': String(status) }),
    });
    if (status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  #formatTimes(): string {
    const times = [['total', performance.now() - this.request.startedAt] as const, ...this.#sums];
    return times.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ');
  }
}
