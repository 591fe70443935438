// What the frame around every page says of whoever reads it.

import { personOf } from '../gallery/accounts/account.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { openReports } from '../gallery/moderation/reports.ts';
import { type Reader, visitor } from '../gallery/readers.ts';
import { type Look, lookOf } from '../rest/look.ts';
import type { Visit } from '../rest/visit.ts';
import type { PageParts } from './serve.ts';

export interface Frame {
  readonly reader: Reader;
  /** What somebody who is signed in is called. */
  readonly name?: string;
  /** What their forms bring against forgery. */
  readonly token?: string;
  /** None: as the reader's system has it. */
  readonly look?: Look;
  /** Anybody may make an account by themselves. */
  readonly open?: boolean;
  /** How many reports wait for a moderator; for them alone. */
  readonly reports?: number;
}

export const visitorsFrame: Frame = { reader: visitor };

export async function frameOf(
  { database, readers, accounts }: PageParts,
  visit: Visit,
  reader: Reader,
): Promise<Frame> {
  const person = reader.contributor === null ? undefined : await personOf(database, reader.contributor);
  return {
    reader,
    name: person && displayName(person),
    token: readers.formToken(reader),
    look: lookOf(visit.headers),
    open: accounts.signUp === 'open',
    reports: reader.moderates ? await openReports(database, reader) : undefined,
  };
}

/** Where somebody came from within the site, to go back there. */
export function cameFrom({ headers, base }: Visit): string {
  const from = URL.parse(headers.get('Referer') ?? '');
  return from?.origin === base ? localPath(from.pathname + from.search) : '/';
}

/** An address of ours, or the home page: nobody is led elsewhere. */
export function localPath(path: unknown): string {
  const here = 'http://here';
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, here) : null;
  // Without its dots /.//there is //there: to a browser that is another site.
  return url?.origin === here && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
