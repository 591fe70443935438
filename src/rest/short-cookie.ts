// Cookies that last some minutes, for a form that a visitor fills in. Scripts cannot read them, and requests that come
// from other sites do not have them.

import { readCookie } from './authentication.ts';

/** Without a value the cookie is deleted. */
export function buildShortCookie(
  name: string,
  origin: string,
  cookie?: { readonly value: string; readonly seconds: number },
): string {
  const { value = '', seconds = 0 } = cookie ?? {};
  const secure = isHttps(origin) ? '; Secure' : '';
  return `${fullName(name, origin)}=${value}; Path=/; Max-Age=${seconds}; SameSite=Strict; HttpOnly${secure}`;
}

export function readShortCookie(name: string, origin: string, headers: Headers): string | undefined {
  return readCookie(headers, fullName(name, origin));
}

/** With this prefix, browsers accept the cookie from this host only, and not from another one of the same domain. */
const fullName = (name: string, origin: string) => (isHttps(origin) ? `__Host-${name}` : name);

const isHttps = (origin: string) => origin.startsWith('https:');
