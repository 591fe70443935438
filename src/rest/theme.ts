// Light or dark, as somebody chose: kept in a cookie, so that pages come as they are to look.

import { readCookie } from './authentication.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const cookieName = 'look';
const secondsPerYear = 365 * 24 * 60 * 60;

/** None: as the reader's system has it. */
export function readTheme(headers: Headers): Theme | undefined {
  const chosen = readCookie(headers, cookieName);
  return themes.find((look) => look === chosen);
}

/** What a browser keeps, or forgets. */
export function buildThemeCookie(look: Theme | undefined): string {
  return `${cookieName}=${look ?? ''}; Path=/; Max-Age=${look ? secondsPerYear : 0}; SameSite=Lax`;
}
