// The colour scheme that somebody chose, stored in a cookie so that the server can render it.

import { readCookie } from './authentication.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const cookieName = 'look';
const secondsPerYear = 365 * 24 * 60 * 60;

/** Undefined: the pages follow the setting of the viewer's system. */
export function readTheme(headers: Headers): Theme | undefined {
  const chosen = readCookie(headers, cookieName);
  return themes.find((theme) => theme === chosen);
}

/** Sets the cookie, or deletes it if there is no theme. */
export const buildThemeCookie = (theme: Theme | undefined): string =>
  `${cookieName}=${theme ?? ''}; Path=/; Max-Age=${theme ? secondsPerYear : 0}; SameSite=Lax`;
