// What a view says, before it becomes a Response: the text is still at hand, for its ETag and to be remembered.

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** What is sent instead of the body, and read only then. Its headers say how long it is; it is not remembered. */
  readonly bytes?: () => Blob | ReadableStream;
  /** What an unchanged copy is known by. Without an etag nothing can be checked, nor remembered. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** The one thing that it tells of: see `Success`. */
  readonly about?: number;
}

export function answer(status: number, headers: Record<string, string>, body = ''): Answer {
  return { status, headers: new Headers({ 'X-Content-Type-Options': 'nosniff', ...headers }), body };
}

/** A set of its own: a shared one has what `toResponse` wrote for the answer before. */
export function withoutLast(shared: Headers): Headers {
  const own = new Headers(shared);
  for (const name of ['ETag', 'Last-Modified', 'X-Request-Id']) own.delete(name);
  return own;
}

/** By name, for people to read. A cookie would open to every script what is hidden from scripts. */
export function shownHeaders(
  headers: Headers,
  { etag, lastModified }: Answer,
): [name: string, value: string][] {
  const all = new Headers(headers);
  all.delete('Set-Cookie');
  if (etag !== undefined) all.set('ETag', etag);
  if (lastModified !== undefined) all.set('Last-Modified', lastModified);
  return [...all].map(([name, value]): [string, string] => [spelled(name), value]).sort();
}

const odd: Record<string, string> = {
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
  ratelimit: 'RateLimit',
  'ratelimit-policy': 'RateLimit-Policy',
};
const spelled = (name: string) =>
  odd[name.toLowerCase()] ?? name.toLowerCase().replace(/(^|-)[a-z]/g, (first) => first.toUpperCase());

/** Asks caches to check before they use what they keep, and gives them what to check with. */
export function validated(given: Answer): Answer {
  given.headers.set('Cache-Control', 'no-cache');
  return { ...given, etag: etagOf(given.body) };
}

/** What an unchanged copy of the body is known by. */
export function etagOf(body: string): string {
  return `"${Bun.hash(body).toString(36)}"`;
}

/** The version first, as `If-Match` asks for no more: it is the same in every rendering, and for every host. */
export function versionedEtag(version: number, body: string): string {
  return `"${version.toString(36)}-${Bun.hash(body).toString(36)}"`;
}

/**
 * Whether `If-Match` names this version. A weak tag counts too: proxies weaken the tags of what they compress, and
 * the version is exact all the same.
 */
export function namesVersion(ifMatch: string, version: number): boolean {
  if (ifMatch.trim() === '*') return true;
  const wanted = `"${version.toString(36)}-`;
  return ifMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '').startsWith(wanted));
}

/** Microseconds, as a date of whole seconds: rounded down, as the clients' copies were made after it. */
export function httpDate(microseconds: number): string {
  return new Date(Math.floor(microseconds / 1000)).toUTCString();
}

/**
 * What differs from answer to answer is written into the headers only here: a Response copies them, so that all
 * answers of a resource share one set. Ten thousand sets would not fit the processor's cache.
 */
export function toResponse(
  { status, headers, body, bytes, etag, lastModified }: Answer,
  asked: Headers,
  id: string,
  /** What was asked only reads. */
  reads: boolean,
): Response {
  const unchanged = reads && status === 200 && etag !== undefined && isUnchanged(asked, etag, lastModified);
  const given = unchanged ? keptOn304(headers) : headers;
  given.set('X-Request-Id', id);
  if (etag !== undefined) given.set('ETag', etag);
  if (lastModified !== undefined) given.set('Last-Modified', lastModified);
  return new Response(unchanged || status === 204 ? null : (bytes?.() ?? body), {
    status: unchanged ? 304 : status,
    headers: given,
  });
}

const kept = new WeakMap<Headers, Headers>();

/** The headers that stay when an unchanged body is not sent again; shared as those are that they come from. */
function keptOn304(headers: Headers): Headers {
  let shared = kept.get(headers);
  if (!shared) {
    shared = new Headers();
    for (const name of ['Allow', 'Cache-Control', 'Cross-Origin-Resource-Policy', 'Vary']) {
      const value = headers.get(name);
      if (value !== null) shared.set(name, value);
    }
    kept.set(headers, shared);
  }
  return shared;
}

function isUnchanged(asked: Headers, etag: string, lastModified: string | undefined): boolean {
  const tags = asked.get('If-None-Match');
  // A date has whole seconds and is weaker: RFC 9110 has it count only without tags.
  if (tags !== null) {
    return (
      tags === etag ||
      tags.trim() === '*' ||
      tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
    );
  }
  if (lastModified === undefined) return false;
  const since = asked.get('If-Modified-Since');
  return since !== null && Date.parse(lastModified) <= Date.parse(since);
}
