// Requests from pages of other origins (CORS). What everybody may read is open to all of them. Pages of the origins that
// the operator names may also write with a key. Cookies never count: a browser does not let a page read a response to
// them, as the allowed origin is `*`. Operations that take a password are closed, and so are all pages with forms.

import { Forbidden } from '../../common/src/errors.ts';
import { isOwnOrigin } from './csrf.ts';
import { prepareJsonError } from './error-responses.ts';
import { isSafe } from './methods.ts';
import { type PreparedResponse, prepareResponse } from './prepared-response.ts';
import type { RequestContext } from './request-context.ts';

/** The headers of an open response. They do not depend on the origin, so that caches need not know it. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Allow, Content-Disposition, Content-Range, ETag, Link, Location, RateLimit, RateLimit-Policy, Results-Truncated, Retry-After, WWW-Authenticate, X-Request-Id',
};

/** Of headers that nobody else has yet. */
export function removeCorsHeaders(headers: Headers): void {
  for (const name of Object.keys(corsHeaders)) headers.delete(name);
}

type Sender = Pick<RequestContext, 'headers' | 'origin'>;

/** The origins whose pages may write with a key: those that the operator names, and our own. */
export class WritingOrigins {
  constructor(private readonly named: readonly string[]) {}

  /** A request without an origin comes from a program. */
  include({ headers, origin }: Sender): boolean {
    if (this.named.includes('*') || isOwnOrigin(headers, origin)) return true;
    return this.named.includes(headers.get('Origin') ?? '');
  }

  /** Browsers ask before they send a key, but keep the answer for hours. */
  require(sender: Sender): void {
    if (!this.include(sender)) throw refuseToWrite(sender);
  }
}

const refuseToWrite = ({ headers }: Pick<Sender, 'headers'>) =>
  new Forbidden(`Pages of ${headers.get('Origin')} may not write here.`);

const preflightMethod = 'Access-Control-Request-Method';

/** The method that a browser asks for before it sends a page's request; undefined for any other request. */
export const findPreflightMethod = ({ method, headers }: Pick<RequestContext, 'method' | 'headers'>) =>
  method === 'OPTIONS' && headers.has('Origin') ? (headers.get(preflightMethod) ?? undefined) : undefined;

const readMethods = 'GET, HEAD, OPTIONS';

/** The methods need not exist at this address: the page can read the 404 or 405. */
export function preparePreflight(
  { headers }: Pick<RequestContext, 'headers'>,
  method: string,
  mayWrite = false,
): PreparedResponse {
  const varying = { Vary: `Origin, ${preflightMethod}`, 'Cache-Control': 'no-store' };
  if (!mayWrite && !isSafe(method)) return prepareJsonError(refuseToWrite({ headers }), varying);
  return prepareResponse(204, {
    ...varying,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': mayWrite ? `${readMethods}, POST, PUT, PATCH, DELETE` : readMethods,
    'Access-Control-Allow-Headers':
      'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Range, Last-Event-ID, Prefer, Range, Traceparent, X-Requested-With',
    // Browsers keep the answer for at most two hours.
    'Access-Control-Max-Age': '7200',
  });
}
