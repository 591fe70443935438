// Requests from pages of other origins (CORS). What everybody may read is open to them, and so is what a key allows: the
// page must know the key. Cookies never count: a browser does not let a page read a response to them, as the allowed
// origin is `*`. Operations that take a password are closed, and so are all pages with forms.

import { type PreparedResponse, prepareResponse } from './prepared-response.ts';
import type { RequestContext } from './request-context.ts';

/** The headers of an open response. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Allow, Content-Disposition, Content-Range, ETag, Link, Location, RateLimit, RateLimit-Policy, Results-Truncated, Retry-After, WWW-Authenticate, X-Request-Id',
};

export function removeCorsHeaders(headers: Headers): void {
  for (const name of Object.keys(corsHeaders)) headers.delete(name);
}

/** A browser asks whether it may send a page's request. */
export function isPreflight({ method, headers }: Pick<RequestContext, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.has('Origin') && headers.has('Access-Control-Request-Method');
}

export function preparePreflight(methods: readonly string[]): PreparedResponse {
  return prepareResponse(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers':
      'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Range, Last-Event-ID, Prefer, Range',
    // Browsers keep the answer for at most two hours.
    'Access-Control-Max-Age': '7200',
    'Cache-Control': 'no-store',
  });
}
