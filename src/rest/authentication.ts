// What a request shows to be known by: a key in the Authorization header, as Django REST framework reads it, or the
// cookie of a session. The header wins. Other schemes are another program's business.

import { NotSignedIn } from '../errors.ts';

export interface PresentedCredential {
  readonly kind: 'key' | 'session';
  readonly secret: string;
}

export const sessionCookieName = 'vitrine_session';
/** Readable for scripts of our pages, as Django's clients expect. */
const csrfCookieName = 'csrftoken';

/** Whether there is anything to look at: most requests bring nothing. */
export function hasCredentials(headers: Headers): boolean {
  return headers.has('Authorization') || headers.has('Cookie');
}

export function readCredential(headers: Headers): PresentedCredential | undefined {
  const [scheme = '', secret, ...more] = (headers.get('Authorization') ?? '').trim().split(/\s+/);
  if (/^(token|bearer)$/i.test(scheme)) {
    if (secret === undefined) throw new NotSignedIn('Invalid token header. No credentials provided.');
    if (more.length) throw new NotSignedIn('Invalid token header. Token string should not contain spaces.');
    return { kind: 'key', secret };
  }
  const session = readCookie(headers, sessionCookieName);
  return session ? { kind: 'session', secret: session } : undefined;
}

/** What a browser is told at sign-in; without a session, what it is told at sign-out. */
export function buildSessionCookies(
  base: string,
  session?: { readonly secret: string; readonly csrfToken: string; readonly seconds: number },
): string[] {
  const { secret = '', csrfToken = '', seconds = 0 } = session ?? {};
  const rules = `Path=/; Max-Age=${seconds}; SameSite=Lax${base.startsWith('https:') ? '; Secure' : ''}`;
  return [`${sessionCookieName}=${secret}; ${rules}; HttpOnly`, `${csrfCookieName}=${csrfToken}; ${rules}`];
}

export function readCookie(headers: Headers, name: string): string | undefined {
  for (const part of (headers.get('Cookie') ?? '').split(';')) {
    const [key = '', value = ''] = part.split('=', 2);
    if (key.trim() === name) return value.trim();
  }
  return undefined;
}
