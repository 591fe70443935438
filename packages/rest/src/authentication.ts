// The credential of a request: a key in the Authorization header, as in Django REST framework, or else the cookie of a
// session. HTTP Basic is for clients that know nothing else: the password is a key, or that of an account if the operator
// allows it. Pages, and browsers with a session, ignore it, as it may be the login of a proxy in front.

import { parse } from 'hono/utils/cookie';
import { NotSignedIn } from '../../common/src/errors.ts';

export interface PresentedCredential {
  readonly kind: 'key' | 'session' | 'password';
  readonly secret: string;
  /** The key must be theirs; undefined if the client did not name anybody. */
  readonly username?: string;
}

interface CredentialRules {
  readonly sessionCookie: string;
  /** All keys begin with it. */
  readonly keyPrefix: string;
  /** HTTP Basic takes the password of an account too, and works without https. */
  readonly allowsPasswords: boolean;
}

/** Scripts of our pages can read it, as clients of Django expect. */
const csrfCookieName = 'csrftoken';

/** A browser empties its cache and deletes what scripts stored, such as drafts, for the next person at the same screen. */
export const signOutHeaders = { 'Clear-Site-Data': '"cache", "storage"' };

/** Of a page whose script has deleted that itself, because something encrypted waits there for somebody else. */
export const chooseSignOutHeaders = (form: Readonly<Record<string, unknown>>) =>
  'keeps_storage' in form ? { 'Clear-Site-Data': '"cache"' } : signOutHeaders;

/**
 * The name of a cookie for this origin. Under https, browsers accept the prefix only from this very host: a page of another
 * host of the same domain, or somebody in the network, cannot plant such a cookie.
 */
export const cookieNameFor = (name: string, origin: string): string =>
  isSecure(origin) ? `__Host-${name}` : name;

export const isSecure = (origin: string) => origin.startsWith('https:');

/** Of the words Token or Bearer, as in Django REST framework; undefined if the request has none of them. */
export function readKey(headers: Headers): string | undefined {
  const [scheme = '', key, ...more] = (headers.get('Authorization') ?? '').trim().split(/\s+/);
  if (!/^(token|bearer)$/i.test(scheme)) return undefined;
  if (key === undefined) throw new NotSignedIn('Invalid token header. No credentials provided.');
  if (more.length) throw new NotSignedIn('Invalid token header. Token string should not contain spaces.');
  return key;
}

export function readCredential(
  {
    headers,
    origin,
    target,
  }: { readonly headers: Headers; readonly origin: string; readonly target: string },
  { sessionCookie, keyPrefix, allowsPasswords }: CredentialRules,
): PresentedCredential | undefined {
  const key = readKey(headers);
  if (key !== undefined) return { kind: 'key', secret: key };
  const [scheme = '', secret] = (headers.get('Authorization') ?? '').trim().split(/\s+/);
  const isBasic = /^basic$/i.test(scheme);
  const basic = isBasic ? parseBasic(secret ?? '') : undefined;
  if (basic?.secret.startsWith(keyPrefix)) {
    if (allowsPasswords || isSecure(origin)) return { kind: 'key', ...basic };
    throw new NotSignedIn('HTTP Basic works with https only. Send the key as Authorization: Token.');
  }
  const session = readCookie(headers, cookieNameFor(sessionCookie, origin));
  if (session) return { kind: 'session', secret: session };
  if (!isBasic || !target.startsWith('/api/')) return undefined;
  if (secret === undefined) throw new NotSignedIn('Invalid basic header. No credentials provided.');
  if (allowsPasswords && basic) return { kind: 'password', ...basic };
  throw new NotSignedIn('Invalid username/password.');
}

function parseBasic(encoded: string): { username: string; secret: string } {
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  return { username, secret: rest.join(':') };
}

/** The Set-Cookie headers for sign-in; without a session, those for sign-out. */
export function buildSessionCookies(
  sessionCookie: string,
  origin: string,
  session?: { readonly secret: string; readonly csrfToken: string; readonly seconds: number },
): string[] {
  const { secret = '', csrfToken = '', seconds = 0 } = session ?? {};
  const attributes = `Path=/; Max-Age=${seconds}; SameSite=Lax${isSecure(origin) ? '; Secure' : ''}`;
  return [
    `${cookieNameFor(sessionCookie, origin)}=${secret}; ${attributes}; HttpOnly`,
    `${cookieNameFor(csrfCookieName, origin)}=${csrfToken}; ${attributes}`,
  ];
}

/**
 * Undefined as well if there are two of the name: without https, another host of the same domain can have planted one. A
 * browser never keeps two of one host.
 */
export function readCookie(headers: Headers, name: string): string | undefined {
  const text = headers.get('Cookie') ?? '';
  const pairs = text.split(';').filter((pair) => pair.trimStart().startsWith(`${name}=`));
  return pairs.length === 1 ? parse(pairs[0] ?? '', name)[name] : undefined;
}
