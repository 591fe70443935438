// A response before it becomes a Response: its body is still at hand, to compute an ETag and to cache it.

import { hash64, isBun } from './runtime.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Several responses share headers, so nobody changes them: `copyHeaders` and `withHeaders` make others. */
export type SharedHeaders = Omit<Headers, 'append' | 'delete' | 'set'>;

export interface PreparedResponse {
  readonly status: number;
  readonly headers: SharedHeaders;
  /** The cache has the text as bytes. */
  readonly body: string | Bytes;
  /** Opens what is sent instead of `body`. The headers have its length; it is never cached. */
  readonly streamBody?: () => Blob | ReadableStream;
  /** See `OperationResult`. */
  readonly staysOpen?: boolean;
  /** Without an etag the response cannot be revalidated or cached. */
  readonly etag?: string;
  readonly lastModified?: HttpDate;
  /** See `OperationResult`. */
  readonly link?: string | undefined;
  /** The tags by which shared caches purge the response, separated by spaces. */
  readonly cacheTags?: string;
  /** See `OperationResult`. */
  readonly subjectId?: number;
  /** From then on, the cache has it no longer: milliseconds since 1970. */
  readonly validUntil?: number;
  /** Called with the request's headers whenever a GET gets the response, from the cache too. */
  readonly onSend?: (requestHeaders: Headers) => void;
}

/** A time in whole seconds. */
export interface HttpDate {
  readonly ms: number;
  readonly text: string;
}

/** Errors are not stored by caches, unless the headers allow it. */
export function prepareResponse(
  status: number,
  headers: Record<string, string>,
  body = '',
): PreparedResponse {
  const all = {
    'X-Content-Type-Options': 'nosniff',
    ...(status >= 400 && { 'Cache-Control': 'no-store' }),
    ...headers,
  };
  return { status, headers: new Headers(all), body };
}

/** The type of what is copied lacks only the methods that change it. */
export const copyHeaders = (headers: SharedHeaders): Headers => new Headers(headers as Headers);

/** The response with other headers, and more cookies. */
export function withHeaders(
  response: PreparedResponse,
  changes: Readonly<Record<string, string>>,
  cookies: readonly string[] = [],
): PreparedResponse {
  const headers = copyHeaders(response.headers);
  for (const [name, value] of Object.entries(changes)) headers.set(name, value);
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return { ...response, headers };
}

/** The headers sorted by name, for people to read. Without cookies: scripts could read a session's secret there. */
export function headersForDisplay(
  headers: SharedHeaders,
  { etag, lastModified, link }: PreparedResponse,
): [name: string, value: string][] {
  const all = copyHeaders(headers);
  all.delete('Set-Cookie');
  if (etag !== undefined) all.set('ETag', etag);
  if (link) all.set('Link', link);
  if (lastModified !== undefined && isSettled(lastModified)) all.set('Last-Modified', lastModified.text);
  return [...all].map(([name, value]): [string, string] => [formatHeaderName(name), value]).sort();
}

const irregularNames: Record<string, string> = {
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
  ratelimit: 'RateLimit',
  'ratelimit-policy': 'RateLimit-Policy',
};
const formatHeaderName = (name: string) =>
  irregularNames[name.toLowerCase()] ??
  name.toLowerCase().replace(/(^|-)[a-z]/g, (first) => first.toUpperCase());

export const withEtag = (response: PreparedResponse): PreparedResponse => ({
  ...response,
  etag: computeEtag(response.body),
});

/** Begins with the version, which `If-Match` compares: it is the same for every rendering and host. */
export const computeEtag = (body: string | Bytes, version?: number) =>
  `"${version === undefined ? '' : `${version.toString(36)}-`}${hash64(body).toString(36)}"`;

/**
 * Whether an `If-Match` or `If-None-Match` header names this version. Weak tags count too: proxies that compress
 * responses make their tags weak, but the version is still exact.
 */
export function headerMatchesVersion(header: string, version: number): boolean {
  if (header.trim() === '*') return true;
  const prefix = `"${version.toString(36)}-`;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '').startsWith(prefix));
}

/** Rounds microseconds down to whole seconds, so that the date is not later than the change. */
export function toHttpDate(microseconds: number): HttpDate {
  const ms = Math.floor(microseconds / 1_000_000) * 1000;
  return { ms, text: new Date(ms).toUTCString() };
}

/**
 * Whether `Last-Modified` can be sent and compared. Another change within the same second would have the same date, so
 * the date counts only once two seconds have passed. It is later than now if the clock was set back.
 */
const isSettled = ({ ms }: HttpDate) => ms + 2000 <= Date.now();

/** Copies that only `toResponse` sees: it writes into them just before Response copies them once more. */
const ownCopies = new WeakMap<SharedHeaders, Headers>();

/** For headers of many responses: to make a copy of them for each would take longer than to write into one again. */
export function shareHeaders(headers: SharedHeaders): SharedHeaders {
  // A server on Node may keep those of a response, without a copy, until it is sent.
  if (isBun) ownCopies.set(headers, copyHeaders(headers));
  return headers;
}

/**
 * Adds the headers that differ between responses. Responses of a resource share one set of headers: one for each cached
 * response would not fit the processor's cache.
 */
export function toResponse(
  { status, headers, body, streamBody, etag, lastModified, link, cacheTags }: PreparedResponse,
  requestHeaders: Headers,
  requestId: string,
  /** The request is a GET or HEAD. */
  isRead: boolean,
): Response {
  const date = lastModified !== undefined && isSettled(lastModified) ? lastModified : undefined;
  const notModified =
    isRead && status === 200 && etag !== undefined && isNotModified(requestHeaders, etag, date);
  const shared = notModified ? headersFor304(headers) : headers;
  const own = ownCopies.get(shared) ?? copyHeaders(shared);
  own.set('X-Request-Id', requestId);
  if (etag !== undefined) own.set('ETag', etag);
  if (date !== undefined) own.set('Last-Modified', date.text);
  else if (lastModified !== undefined) own.delete('Last-Modified');
  if (link && !notModified) own.set('Link', link);
  else if (link !== undefined) own.delete('Link');
  if (cacheTags !== undefined) {
    // The first is read by Varnish and Fastly, the other by Cloudflare and Akamai.
    own.set('Surrogate-Key', cacheTags);
    own.set('Cache-Tag', cacheTags.replaceAll(' ', ','));
  }
  return new Response(notModified || status === 204 ? null : (streamBody?.() ?? body), {
    status: notModified ? 304 : status,
    headers: own,
  });
}

const headersOf304 = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Allow',
  'Cache-Control',
  'Cross-Origin-Resource-Policy',
  'Vary',
];
const notModifiedHeaders = new WeakMap<SharedHeaders, SharedHeaders>();

/** The headers of a 304, shared like the headers from which they are copied. */
function headersFor304(headers: SharedHeaders): SharedHeaders {
  const known = notModifiedHeaders.get(headers);
  if (known) return known;
  const chosen = new Headers();
  for (const name of headersOf304) {
    const value = headers.get(name);
    if (value !== null) chosen.set(name, value);
  }
  notModifiedHeaders.set(headers, chosen);
  return ownCopies.has(headers) ? shareHeaders(chosen) : chosen;
}

function isNotModified(requestHeaders: Headers, etag: string, lastModified: HttpDate | undefined): boolean {
  const tags = requestHeaders.get('If-None-Match');
  // RFC 9110: a date counts only if there are no tags.
  if (tags !== null) {
    return (
      tags === etag ||
      tags.trim() === '*' ||
      tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
    );
  }
  if (lastModified === undefined) return false;
  const since = requestHeaders.get('If-Modified-Since');
  return since !== null && lastModified.ms <= Date.parse(since);
}
