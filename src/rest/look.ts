// Light or dark, as somebody chose: kept in a cookie, so that pages come as they are to look.

import { cookieOf } from './authentication.ts';

export const looks = ['light', 'dark'] as const;
export type Look = (typeof looks)[number];

const name = 'look';
const year = 365 * 24 * 60 * 60;

/** None: as the reader's system has it. */
export function lookOf(headers: Headers): Look | undefined {
  const chosen = cookieOf(headers, name);
  return looks.find((look) => look === chosen);
}

/** What a browser keeps, or forgets. */
export function lookSet(look: Look | undefined): string {
  return `${name}=${look ?? ''}; Path=/; Max-Age=${look ? year : 0}; SameSite=Lax`;
}
