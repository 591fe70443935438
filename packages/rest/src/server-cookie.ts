// Cookies for the server alone, such as that of a form in several steps. Scripts cannot read them, and requests that come
// from other sites do not have them, unless they are Lax.

import { cookieNameFor, isSecure, readCookie } from './authentication.ts';

/** Without a value the cookie is deleted. */
export function buildServerCookie(
  name: string,
  origin: string,
  cookie?: { readonly value: string; readonly seconds: number },
  /** Lax: browsers send it, too, when they come back from another site. */
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string {
  const { value = '', seconds = 0 } = cookie ?? {};
  const secure = isSecure(origin) ? '; Secure' : '';
  return `${cookieNameFor(name, origin)}=${value}; Path=/; Max-Age=${seconds}; SameSite=${sameSite}; HttpOnly${secure}`;
}

export const readServerCookie = (name: string, origin: string, headers: Headers): string | undefined =>
  readCookie(headers, cookieNameFor(name, origin));

/**
 * Marks a browser in which somebody has signed in, and opens nothing by itself. It is sent to these paths only: elsewhere a
 * cookie would keep responses out of shared caches.
 */
const deviceCookie = 'known_device';
const devicePaths = ['/sign-in/', '/api/v1/auth/'];
const deviceSeconds = 365 * 24 * 60 * 60;

export const readDeviceCookie = (headers: Headers): string | undefined => readCookie(headers, deviceCookie);

export function buildDeviceCookies(value: string, origin: string): string[] {
  const attributes = `Max-Age=${deviceSeconds}; SameSite=Strict; HttpOnly${isSecure(origin) ? '; Secure' : ''}`;
  return devicePaths.map((path) => `${deviceCookie}=${value}; Path=${path}; ${attributes}`);
}
