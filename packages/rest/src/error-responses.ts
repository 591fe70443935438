// From failures to responses: the only table of status codes, and the only code that writes the body of an error.

import { apiText } from '../../common/src/api-text.ts';
import {
  Conflict,
  Failure,
  Forbidden,
  Gone,
  IdempotencyKeyReused,
  Invalid,
  NotFound,
  NotSignedIn,
  Outdated,
  StorageFull,
  TooManyRequests,
  Unavailable,
} from '../../common/src/errors.ts';
import { toJson } from '../../common/src/json.ts';
import { prepareResponse } from './prepared-response.ts';

export class NotAcceptable extends Failure {
  constructor() {
    super(apiText('notAcceptable'));
  }
}

export class MethodNotAllowed extends Failure {
  constructor(method: string) {
    super(apiText('methodNotAllowed', { method }));
  }
}

/** The request is malformed, whatever it asks for. */
export class BadRequest extends Failure {}

export class UnsupportedMediaType extends Failure {
  constructor(type: string) {
    super(apiText('mediaType', { type }));
  }
}

export class TooLarge extends Failure {
  constructor(readonly maxBytes: number) {
    super(apiText('tooLarge', { max: maxBytes }));
  }
}

/** The body arrives more slowly than a sender may keep others waiting. */
export class TooSlow extends Failure {
  constructor() {
    super(apiText('tooSlow'));
  }
}

/** A format that the protocol knows and this server does not. */
export class NotImplemented extends Failure {}

/** An unexpected error; its details are in the log only. */
class ServerError extends Failure {
  constructor() {
    super(apiText('serverError'));
  }
}

const statuses: [kind: abstract new (...args: never[]) => Failure, status: number, title: string][] = [
  [BadRequest, 400, 'Bad Request'],
  [Invalid, 400, 'Bad Request'],
  [NotSignedIn, 401, 'Unauthorized'],
  [Forbidden, 403, 'Forbidden'],
  [NotFound, 404, 'Not Found'],
  [MethodNotAllowed, 405, 'Method Not Allowed'],
  [NotAcceptable, 406, 'Not Acceptable'],
  [TooSlow, 408, 'Request Timeout'],
  [Conflict, 409, 'Conflict'],
  [Gone, 410, 'Gone'],
  [Outdated, 412, 'Precondition Failed'],
  [TooLarge, 413, 'Content Too Large'],
  [UnsupportedMediaType, 415, 'Unsupported Media Type'],
  [IdempotencyKeyReused, 422, 'Unprocessable Content'],
  [TooManyRequests, 429, 'Too Many Requests'],
  [NotImplemented, 501, 'Not Implemented'],
  [Unavailable, 503, 'Service Unavailable'],
  [StorageFull, 507, 'Insufficient Storage'],
];
const serverError = [ServerError, 500, 'Internal Server Error'] as const;

/** The title of a status of the table, or of one that stands for all other errors. */
export const titleOf = (status: number): string =>
  [...statuses, serverError].find(([, known]) => known === status)?.[2] ?? '';

/** An error that is not in the table becomes a 500 without details. */
export function toErrorResponse(error: unknown) {
  const failure = error instanceof Failure ? error : new ServerError();
  const [, status, title] = statuses.find(([kind]) => failure instanceof kind) ?? serverError;
  const data: Record<string, unknown> =
    failure instanceof Invalid
      ? failure.messages
      : { detail: status === 500 ? new ServerError().message : failure.message };
  return { status, title, headers: buildErrorHeaders(failure), data };
}

function buildErrorHeaders(failure: Failure): Record<string, string> {
  if (failure instanceof NotSignedIn) return { 'WWW-Authenticate': 'Token' };
  // The rest of the body is not read.
  if (failure instanceof TooSlow) return { Connection: 'close' };
  if (failure instanceof Unavailable) return { 'Retry-After': '1' };
  if (failure instanceof TooManyRequests) {
    const { policy, limit, waitSeconds, windowSeconds } = failure;
    return {
      'Retry-After': String(waitSeconds),
      'RateLimit-Policy': `"${policy}";q=${limit};w=${windowSeconds}`,
      RateLimit: `"${policy}";r=0;t=${waitSeconds}`,
    };
  }
  return {};
}

export function prepareJsonError(error: unknown, extraHeaders: Record<string, string> = {}) {
  const { status, headers, data } = toErrorResponse(error);
  const contentType = { 'Content-Type': 'application/json' };
  return prepareResponse(status, { ...contentType, ...extraHeaders, ...headers }, toJson(data));
}

/** The body as problem details (RFC 9457). */
export function toProblemDetails({ status, title, data }: ReturnType<typeof toErrorResponse>) {
  const { detail, ...fields } = data;
  return { type: 'about:blank', title, status, ...(detail === undefined ? { errors: fields } : { detail }) };
}
