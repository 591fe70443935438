// Shared caches (nginx, Varnish, a CDN) may keep responses to visitors' reads, for a time that the operator sets.

import { copyHeaders, type PreparedResponse, type SharedHeaders } from './prepared-response.ts';
import type { RequestUrl } from './request-url.ts';

/** How long a shared cache may send a response again while it asks for a new one. */
const maxRenewalSeconds = 10;

export class SharedCaching {
  readonly #cacheControl: string;
  /** Responses of a resource share one set of headers, before and after. */
  readonly #headers = new WeakMap<SharedHeaders, SharedHeaders>();

  constructor(
    maxAgeSeconds: number,
    /** The tags by which the response is purged, separated by spaces; undefined if no shared cache may keep it. */
    private readonly findTags: (url: RequestUrl, response: PreparedResponse) => string | undefined,
  ) {
    const renewal = Math.min(maxAgeSeconds, maxRenewalSeconds);
    // Browsers ask again each time: after signing in or out, people must not see the response from before.
    this.#cacheControl = `public, max-age=0, s-maxage=${maxAgeSeconds}, stale-while-revalidate=${renewal}`;
  }

  /** The response with the headers for shared caches, if they may keep it. */
  allow(
    request: { readonly isRead: boolean; readonly canShareResponse: boolean; readonly url: RequestUrl },
    response: PreparedResponse,
  ): PreparedResponse {
    const cacheControl = response.headers.get('Cache-Control') ?? '';
    const isOpen = cacheControl === 'no-cache' && request.canShareResponse;
    if (!request.isRead || response.status >= 400 || response.headers.has('Set-Cookie')) return response;
    if (!isOpen && !cacheControl.startsWith('public')) return response;
    const cacheTags = this.findTags(request.url, response);
    if (cacheTags === undefined) return response;
    return { ...response, cacheTags, headers: isOpen ? this.#open(response.headers) : response.headers };
  }

  #open(headers: SharedHeaders): SharedHeaders {
    const known = this.#headers.get(headers);
    if (known) return known;
    const opened = copyHeaders(headers);
    opened.set('Cache-Control', this.#cacheControl);
    const varies = opened.get('Vary')?.split(', ') ?? [];
    opened.set('Vary', [...new Set([...varies, 'Authorization', 'Cookie', 'Prefer'])].join(', '));
    this.#headers.set(headers, opened);
    return opened;
  }
}

/**
 * The headers of every HTML page: it loads and runs only our own files, cannot be framed, shares no window with pages of
 * other sites, and uses no device.
 */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Of a page that may be shown within pages of other sites. */
export const framedPageHeaders = {
  ...pageHeaders,
  'Content-Security-Policy': pageHeaders['Content-Security-Policy'].replace(
    "frame-ancestors 'none'",
    'frame-ancestors *',
  ),
};
