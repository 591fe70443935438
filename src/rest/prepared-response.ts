// What a view says, before it becomes a Response: the text is still at hand, for its ETag and to be remembered.

export interface PreparedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** What is sent instead of the body, and read only then. Its headers say how long it is; it is not remembered. */
  readonly streamBody?: () => Blob | ReadableStream;
  /** What an unchanged copy is known by. Without an etag nothing can be checked, nor remembered. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** The one thing that it tells of: see `Success`. */
  readonly subjectId?: number;
}

export function prepareResponse(
  status: number,
  headers: Record<string, string>,
  body = '',
): PreparedResponse {
  return { status, headers: new Headers({ 'X-Content-Type-Options': 'nosniff', ...headers }), body };
}

/** A set of its own: a shared one has what `toResponse` wrote for the answer before. */
export function copySharedHeaders(shared: Headers): Headers {
  const copy = new Headers(shared);
  for (const name of ['ETag', 'Last-Modified', 'X-Request-Id']) copy.delete(name);
  return copy;
}

/** By name, for people to read. A cookie would open to every script what is hidden from scripts. */
export function headersForDisplay(
  headers: Headers,
  { etag, lastModified }: PreparedResponse,
): [name: string, value: string][] {
  const all = new Headers(headers);
  all.delete('Set-Cookie');
  if (etag !== undefined) all.set('ETag', etag);
  if (lastModified !== undefined) all.set('Last-Modified', lastModified);
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

/** Asks caches to check before they use what they keep, and gives them what to check with. */
export function withEtag(response: PreparedResponse): PreparedResponse {
  response.headers.set('Cache-Control', 'no-cache');
  return { ...response, etag: computeEtag(response.body) };
}

/** What an unchanged copy of the body is known by. */
export function computeEtag(body: string): string {
  return `"${Bun.hash(body).toString(36)}"`;
}

/** The version first, as `If-Match` asks for no more: it is the same in every rendering, and for every host. */
export function computeVersionedEtag(version: number, body: string): string {
  return `"${version.toString(36)}-${Bun.hash(body).toString(36)}"`;
}

/**
 * Whether `If-Match` names this version. A weak tag counts too: proxies weaken the tags of what they compress, and
 * the version is exact all the same.
 */
export function headerMatchesVersion(header: string, version: number): boolean {
  if (header.trim() === '*') return true;
  const prefix = `"${version.toString(36)}-`;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '').startsWith(prefix));
}

/** Microseconds, as a date of whole seconds: rounded down, as the clients' copies were made after it. */
export function formatHttpDate(microseconds: number): string {
  return new Date(Math.floor(microseconds / 1000)).toUTCString();
}

/**
 * What differs from answer to answer is written into the headers only here: a Response copies them, so that all
 * answers of a resource share one set. Ten thousand sets would not fit the processor's cache.
 */
export function toResponse(
  { status, headers, body, streamBody, etag, lastModified }: PreparedResponse,
  requestHeaders: Headers,
  requestId: string,
  /** What was asked only reads. */
  reader: boolean,
): Response {
  const notModified =
    reader && status === 200 && etag !== undefined && isNotModified(requestHeaders, etag, lastModified);
  const responseHeaders = notModified ? headersFor304(headers) : headers;
  responseHeaders.set('X-Request-Id', requestId);
  if (etag !== undefined) responseHeaders.set('ETag', etag);
  if (lastModified !== undefined) responseHeaders.set('Last-Modified', lastModified);
  return new Response(notModified || status === 204 ? null : (streamBody?.() ?? body), {
    status: notModified ? 304 : status,
    headers: responseHeaders,
  });
}

const notModifiedHeaders = new WeakMap<Headers, Headers>();

/** The headers that stay when an unchanged body is not sent again; shared as those are that they come from. */
function headersFor304(headers: Headers): Headers {
  let shared = notModifiedHeaders.get(headers);
  if (!shared) {
    shared = new Headers();
    for (const name of ['Allow', 'Cache-Control', 'Cross-Origin-Resource-Policy', 'Vary']) {
      const value = headers.get(name);
      if (value !== null) shared.set(name, value);
    }
    notModifiedHeaders.set(headers, shared);
  }
  return shared;
}

function isNotModified(requestHeaders: Headers, etag: string, lastModified: string | undefined): boolean {
  const tags = requestHeaders.get('If-None-Match');
  // A date has whole seconds and is weaker: RFC 9110 has it count only without tags.
  if (tags !== null) {
    return (
      tags === etag ||
      tags.trim() === '*' ||
      tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
    );
  }
  if (lastModified === undefined) return false;
  const since = requestHeaders.get('If-Modified-Since');
  return since !== null && Date.parse(lastModified) <= Date.parse(since);
}
