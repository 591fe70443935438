// What a view says, before it becomes a Response: the text is still at hand, for its ETag and to be remembered.

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export function answer(status: number, headers: Record<string, string>, body = ''): Answer {
  return { status, headers: new Headers({ 'X-Content-Type-Options': 'nosniff', ...headers }), body };
}

/** Asks caches to check before they use what they keep, and gives them what to check with. */
export function validated(given: Answer, lastModified?: number): Answer {
  given.headers.set('Cache-Control', 'no-cache');
  given.headers.set('ETag', `"${Bun.hash(given.body).toString(36)}"`);
  if (lastModified !== undefined) given.headers.set('Last-Modified', httpDate(lastModified));
  return given;
}

/** Microseconds, as a date of whole seconds: rounded down, as the clients' copies were made after it. */
function httpDate(microseconds: number): string {
  return new Date(Math.floor(microseconds / 1000)).toUTCString();
}

/** The headers that stay when an unchanged body is not sent again. */
const keptOn304 = ['Allow', 'Cache-Control', 'ETag', 'Last-Modified', 'Vary'];

export function toResponse({ status, headers, body }: Answer, request: Request): Response {
  if (status === 200 && isUnchanged(request.headers, headers)) {
    const kept = new Headers();
    for (const name of keptOn304) {
      const value = headers.get(name);
      if (value !== null) kept.set(name, value);
    }
    return new Response(null, { status: 304, headers: kept });
  }
  return new Response(status === 204 ? null : body, { status, headers });
}

function isUnchanged(asked: Headers, given: Headers): boolean {
  const etag = given.get('ETag');
  if (etag === null) return false;
  const tags = asked.get('If-None-Match');
  // A date has whole seconds and is weaker: RFC 9110 has it count only without tags.
  if (tags !== null)
    return (
      tags === etag ||
      tags.trim() === '*' ||
      tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
    );
  const since = asked.get('If-Modified-Since');
  const modified = given.get('Last-Modified');
  return since !== null && modified !== null && Date.parse(modified) <= Date.parse(since);
}
