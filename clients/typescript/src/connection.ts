// Requests to a gallery: its address, the key, and when a request is sent again.

import { ConnectionLost, createError, GalleryError } from './errors.ts';
import { wait } from './wait.ts';

export interface ConnectionOptions {
  /** A key of `/account/keys/`. Without it, you read what visitors see. */
  readonly key?: string | undefined;
  /** How often a request is sent again; 4 by default. */
  readonly retries?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

export interface GalleryRequest extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1/`, such as `projects/12/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** A value that is sent as JSON, or a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as it is sent. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | FormData | undefined;
  readonly signal: AbortSignal | undefined;
}

export type Send = (url: URL, outgoing: Outgoing) => Promise<Response>;

export interface Answer<Result> {
  readonly result: Result;
  readonly headers: Headers;
}

/** A longer wait is an error: the caller decides. */
const maxWaitSeconds = 60;

export class Connection {
  readonly #root: URL;
  readonly #key: string | undefined;
  readonly #retries: number;

  constructor(address: string | URL, { key, retries = 4 }: ConnectionOptions) {
    this.#root = new URL('/api/v1/', address);
    this.#key = key;
    this.#retries = retries;
  }

  /** Sends a request, again if that is needed and harmless, and reads the JSON of the response. */
  async request<Result>(request: GalleryRequest, send: Send = sendByFetch): Promise<Answer<Result>> {
    let wasLost = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#sendOnce<Result>(request, send);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof GalleryError)) throw error;
        // The response to the first DELETE was lost.
        if (wasLost && request.method === 'DELETE' && error.status === 404)
          return { result: undefined as Result, headers: new Headers() };
        const seconds = attempt < this.#retries ? findWait(request, error, attempt) : undefined;
        if (seconds === undefined) throw error;
        wasLost ||= error instanceof ConnectionLost;
        await wait(seconds, request.signal);
      }
    }
  }

  /** A response of which the body is not read. */
  async open(
    { method = 'GET', path, query, body, headers, signal }: GalleryRequest,
    send: Send = sendByFetch,
  ) {
    const url = this.urlOf(path, query);
    const all = new Headers({ Accept: 'application/json', ...headers });
    if (this.#key !== undefined) all.set('Authorization', `Bearer ${this.#key}`);
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) all.set('Content-Type', 'application/json');
    const content = body === undefined || isForm ? body : JSON.stringify(body);
    try {
      return await send(url, { method, headers: all, body: content, signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof GalleryError ? error : new ConnectionLost(error);
    }
  }

  urlOf(path: string, query: GalleryRequest['query'] = {}): URL {
    const url = new URL(path, this.#root);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined)
        url.searchParams.set(name, Array.isArray(value) ? value.join() : String(value));
    return url;
  }

  async #sendOnce<Result>(request: GalleryRequest, send: Send): Promise<Answer<Result>> {
    const response = await this.open(request, send);
    const { status, headers } = response;
    // A redirected POST would become a GET.
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
      throw new GalleryError({ status, detail: 'The gallery has another address: it redirects.' });
    const text = await readText(response);
    if (!response.ok) throw createError(status, headers, text);
    return { result: parse<Result>(status, text), headers };
  }
}

async function sendByFetch(url: URL, { method, headers, body, signal }: Outgoing): Promise<Response> {
  return fetch(url, {
    method,
    headers,
    redirect: method === 'GET' ? 'follow' : 'manual',
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new ConnectionLost(error);
  }
}

/** The document promises the type. A proxy may send a page instead. */
function parse<Result>(status: number, text: string): Result {
  try {
    return (text === '' ? undefined : JSON.parse(text)) as Result;
  } catch (cause) {
    throw new GalleryError({ status, detail: 'The response is not JSON.' }, { cause });
  }
}

/** The number of seconds after which the request is sent again; undefined if it is not. */
function findWait(request: GalleryRequest, error: GalleryError, attempt: number): number | undefined {
  // Not all clients at the same time.
  const seconds = 2 ** attempt * (0.25 + Math.random() / 4);
  if (error instanceof ConnectionLost) return isRepeatable(request) ? seconds : undefined;
  if (error.status !== 429 && error.status !== 503) return undefined;
  const { retryAfter = 0 } = error;
  return retryAfter <= maxWaitSeconds ? retryAfter + seconds : undefined;
}

/** A second time changes nothing. With If-Match it would be refused, although the first was carried out. */
function isRepeatable({ method = 'GET', headers = {} }: GalleryRequest): boolean {
  if (method === 'POST') return 'Idempotency-Key' in headers;
  return method === 'GET' || method === 'DELETE' || !('If-Match' in headers);
}
