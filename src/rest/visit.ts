import { type Answer, toResponse } from './answer.ts';

interface Faults {
  fault(id: string, error: unknown): void;
}

/** One request on its way through the house. What it costs Bun to look up is looked up once. */
export class Visit {
  readonly began = performance.now();
  readonly method: string;
  readonly headers: Headers;
  /** Path and query, still encoded. */
  readonly path: string;
  /** Scheme and host, known to be ours. */
  base = '';
  /** Remembers the answer, where that may be done. */
  keep: ((answer: Answer) => void) | undefined;

  constructor(
    readonly request: Request,
    readonly id: string,
    private readonly faults: Faults,
  ) {
    const { method, headers, url } = request;
    this.method = method;
    this.headers = headers;
    this.path = url.slice(url.indexOf('/', 8));
  }

  respond(answer: Answer): Response {
    if (answer.etag !== undefined) this.keep?.(answer);
    return toResponse(answer, this.headers, this.id);
  }

  /** Tells the operator of a fault of ours, beside the request's id. */
  report(error: unknown): void {
    this.faults.fault(this.id, error);
  }
}
