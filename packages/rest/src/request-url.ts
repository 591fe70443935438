// The parts of a request's URL, as in Django REST framework: a path ends with a slash, or with a suffix such as
// `.json` that names the rendering.

export interface RequestUrl {
  /** Still encoded. */
  readonly path: string;
  readonly search: string;
  readonly query: URLSearchParams;
  /** False if the path needs a slash at its end. */
  readonly hasFinalSlash: boolean;
  /** The suffix of the path. */
  readonly format?: string;
}

const formatSuffix = /\.([a-z0-9]+)$/;

const emptyQuery = new URLSearchParams();

export function parseRequestUrl(target: string): RequestUrl {
  const end = target.indexOf('?');
  const [path, search] = end < 0 ? [target, ''] : [target.slice(0, end), target.slice(end)];
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

/** Removes the format, both the suffix and the query parameter. */
export function withoutFormat({ path, search }: RequestUrl): RequestUrl {
  const query = search
    .slice(1)
    .split('&')
    .filter((pair) => !/^format(=|$)/.test(pair))
    .join('&');
  return parseRequestUrl(`${path.replace(formatSuffix, '/')}${query && `?${query}`}`);
}

/** The path that routes match: with a slash at its end, in the API without a suffix. */
export function toRoutePath({ path }: RequestUrl, apiPrefix: string): string {
  if (path.endsWith('/')) return path;
  return `${path.startsWith(apiPrefix) ? path.replace(formatSuffix, '') : path}/`;
}

/** Sets some parameters of a query and sorts all by name, as Django does; an empty value deletes one. */
export function urlWithParameters(
  path: string,
  query: URLSearchParams,
  changes: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  parameters.sort();
  const text = parameters.toString();
  return `${path}${text && '?'}${text}`;
}

/** Faster than `new URL`, and never throws: if the Host header is invalid, Bun's `request.url` is only the path. */
export function pathAndQuery(url: string): string {
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start < 0 ? '/' : url.slice(start);
}

/** The host of an origin, without scheme, port, and the dot that may end a name. */
export const hostnameOf = (origin: string): string => origin.replace(/^https?:\/\/|\.?(:\d+)?$/g, '');
