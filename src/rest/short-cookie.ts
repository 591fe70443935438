// Cookies that last some minutes, for a form that a visitor fills in. Scripts cannot read them, and requests that come
// from other sites do not have them.

import { cookieNameFor, isSecure, readCookie } from './authentication.ts';

/** Without a value the cookie is deleted. */
export function buildShortCookie(
  name: string,
  origin: string,
  cookie?: { readonly value: string; readonly seconds: number },
): string {
  const { value = '', seconds = 0 } = cookie ?? {};
  const secure = isSecure(origin) ? '; Secure' : '';
  return `${cookieNameFor(name, origin)}=${value}; Path=/; Max-Age=${seconds}; SameSite=Strict; HttpOnly${secure}`;
}

export function readShortCookie(name: string, origin: string, headers: Headers): string | undefined {
  return readCookie(headers, cookieNameFor(name, origin));
}
