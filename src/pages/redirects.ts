import { type PreparedResponse, prepareResponse } from '../rest/prepared-response.ts';
import type { RequestContext } from '../rest/request-context.ts';
import type { PageContext } from './page-context.ts';

/** Redirects to another path with the same query. */
export function redirectPermanently(
  { origin, url }: Pick<PageContext, 'origin' | 'url'>,
  path: string,
): PreparedResponse {
  return prepareResponse(301, { Location: `${origin}${path}${url.search}` });
}

/** The response to a form: the browser loads the given page with GET. */
export function seeOther(
  path: string,
  cookies: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
): PreparedResponse {
  const response = prepareResponse(303, { Location: path, 'Cache-Control': 'no-store', ...headers });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

/** The path of the page on this site that the request came from, to go back there. */
export function refererPath({ headers, origin }: RequestContext): string {
  const referer = URL.parse(headers.get('Referer') ?? '');
  return referer?.origin === origin ? toLocalPath(referer.pathname + referer.search) : '/';
}

/** A path on this site, or the home page: other hosts are never redirected to. */
export function toLocalPath(path: unknown): string {
  const placeholder = 'http://placeholder';
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, placeholder) : null;
  // The path of `/.//elsewhere` is `//elsewhere`, which names another host.
  return url?.origin === placeholder && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

/** Where to go after signing in: a local path, but no page for getting in, such as one with a used link. */
export function parseNextPath(path: unknown): string {
  const next = toLocalPath(path);
  return /^\/(sign-(in|up|out)|(new|forgotten)-password|confirm-email)\//.test(next) ? '/' : next;
}

/** The page on which people turn the second factor on. */
export const secondFactorPath = '/account/second-step/';
