// From failures to answers: the one table, and the one place that writes an error's body.

import { Failure, Invalid, NotFound, NotSignedIn, TooManyRequests, Unavailable } from '../errors.ts';

export class NotAcceptable extends Failure {
  constructor() {
    super('Could not satisfy the request Accept header.');
  }
}

export class MethodNotAllowed extends Failure {
  constructor(method: string) {
    super(`Method "${method}" not allowed.`);
  }
}

/** A request that is wrong before anybody looks at what it asks for. */
export class BadRequest extends Failure {}

/** Something of ours went wrong; the log knows what. */
export class ServerError extends Failure {
  constructor() {
    super('A server error occurred.');
  }
}

const statuses: [kind: abstract new (...args: never[]) => Failure, status: number, title: string][] = [
  [BadRequest, 400, 'Bad Request'],
  [Invalid, 400, 'Bad Request'],
  [NotSignedIn, 401, 'Unauthorized'],
  [NotFound, 404, 'Not Found'],
  [MethodNotAllowed, 405, 'Method Not Allowed'],
  [NotAcceptable, 406, 'Not Acceptable'],
  [TooManyRequests, 429, 'Too Many Requests'],
  [Unavailable, 503, 'Service Unavailable'],
  [ServerError, 500, 'Internal Server Error'],
];

export interface ErrorAnswer {
  readonly status: number;
  readonly title: string;
  readonly headers: Record<string, string>;
  readonly data: Record<string, unknown>;
}

/** What a reader is told. Anything that is not a failure of the table says nothing of the inside. */
export function explain(error: unknown): ErrorAnswer {
  const failure = error instanceof Failure ? error : new ServerError();
  const [, status, title] = statuses.find(([kind]) => failure instanceof kind) ?? [
    ServerError,
    500,
    'Internal Server Error',
  ];
  const data =
    failure instanceof Invalid
      ? failure.fields
      : { detail: status === 500 ? new ServerError().message : failure.message };
  return { status, title, headers: headersOf(failure), data };
}

function headersOf(failure: Failure): Record<string, string> {
  if (failure instanceof NotSignedIn) return { 'WWW-Authenticate': 'Token' };
  if (failure instanceof Unavailable) return { 'Retry-After': '1' };
  if (failure instanceof TooManyRequests) {
    const { limit, waitSeconds } = failure;
    return {
      'Retry-After': String(waitSeconds),
      'RateLimit-Policy': `"read";q=${limit};w=60`,
      RateLimit: `"read";r=0;t=${waitSeconds}`,
    };
  }
  return {};
}

/** The same as RFC 9457 has it. */
export function toProblem({ status, title, data }: ErrorAnswer): Record<string, unknown> {
  const { detail, ...fields } = data;
  return { type: 'about:blank', title, status, ...(detail === undefined ? { errors: fields } : { detail }) };
}
