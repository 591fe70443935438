// A request's address, taken apart as Django REST framework's routers do: a final slash belongs to it, and a
// suffix such as `.json` in its place names the rendering.

export interface RequestUrl {
  /** As it was asked for, still encoded. */
  readonly path: string;
  readonly search: string;
  readonly query: URLSearchParams;
  /** The address is complete as it stands. */
  readonly hasFinalSlash: boolean;
  /** What the suffix names. */
  readonly format?: string;
}

const formatSuffix = /\.([a-z0-9]+)$/;

const emptyQuery = new URLSearchParams();

/** Of a request's path and query. */
export function parseRequestUrl(target: string): RequestUrl {
  const { path, search } = splitTarget(target);
  const query = search ? new URLSearchParams(search) : emptyQuery;
  const format = formatSuffix.exec(path)?.[1];
  return {
    path,
    search,
    query,
    hasFinalSlash: format !== undefined || path.endsWith('/'),
    format,
  };
}

/** The same without a `format`, be it a suffix or in the query. */
export function withoutFormat({ path, search }: RequestUrl): RequestUrl {
  const query = search
    .slice(1)
    .split('&')
    .filter((pair) => !/^format(=|$)/.test(pair))
    .join('&');
  return parseRequestUrl(`${path.replace(formatSuffix, '/')}${query && `?${query}`}`);
}

/** The path that the routes are written for: with its slash, without a suffix. */
export function routePath(request: Request): string {
  const { path } = splitTarget(pathAndQuery(request.url));
  if (path.endsWith('/')) return path;
  return `${path.startsWith('/api/') ? path.replace(formatSuffix, '') : path}/`;
}

function splitTarget(target: string): { path: string; search: string } {
  const query = target.indexOf('?');
  return query < 0
    ? { path: target, search: '' }
    : { path: target.slice(0, query), search: target.slice(query) };
}

/**
 * Path and query of a request's address. Cheaper than URL, and it never throws: with a Host that is none, Bun
 * gives the path alone.
 */
export function pathAndQuery(url: string): string {
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start < 0 ? '/' : url.slice(start);
}
