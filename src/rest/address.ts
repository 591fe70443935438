// A request's address, taken apart as Django REST framework's routers do: a final slash belongs to it, and a
// suffix such as `.json` in its place names the rendering.

export interface Address {
  /** As it was asked for, still encoded. */
  readonly path: string;
  readonly search: string;
  readonly query: URLSearchParams;
  /** The address is complete as it stands. */
  readonly slash: boolean;
  /** What the suffix names. */
  readonly format?: string;
}

const suffix = /\.([a-z0-9]+)$/;

export function addressOf(request: Request): Address {
  const { path, search } = splitUrl(request.url);
  const format = suffix.exec(path)?.[1];
  return {
    path,
    search,
    query: new URLSearchParams(search),
    slash: format !== undefined || path.endsWith('/'),
    format,
  };
}

/** The path that the routes are written for: with its slash, without a suffix. */
export function routedPath(request: Request): string {
  const { path } = splitUrl(request.url);
  if (path.endsWith('/')) return path;
  return `${path.startsWith('/api/') ? path.replace(suffix, '') : path}/`;
}

/** Cheaper than URL, and never throws: Bun has made the address whole already. */
function splitUrl(url: string): { path: string; search: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const query = url.indexOf('?', start);
  return query < 0
    ? { path: url.slice(start), search: '' }
    : { path: url.slice(start, query), search: url.slice(query) };
}
