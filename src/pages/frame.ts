// What the frame around every page says of whoever reads it.

import { personOf } from '../gallery/accounts/account.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { openReports } from '../gallery/moderation/reports.ts';
import { anonymous, type Viewer } from '../gallery/viewer.ts';
import { type Look, lookOf } from '../rest/look.ts';
import type { RequestContext } from '../rest/request-context.ts';
import type { PageParts } from './serve.ts';

export interface Frame {
  readonly viewer: Viewer;
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

export const visitorsFrame: Frame = { viewer: anonymous };

export async function frameOf(
  { database, authenticator, accounts }: PageParts,
  context: RequestContext,
  viewer: Viewer,
): Promise<Frame> {
  const person = viewer.contributor === null ? undefined : await personOf(database, viewer.contributor);
  return {
    viewer,
    name: person && displayName(person),
    token: authenticator.formToken(viewer),
    look: lookOf(context.headers),
    open: accounts.signUp === 'open',
    reports: viewer.moderates ? await openReports(database, viewer) : undefined,
  };
}

/** Where somebody came from within the site, to go back there. */
export function cameFrom({ headers, base }: RequestContext): string {
  const from = URL.parse(headers.get('Referer') ?? '');
  return from?.origin === base ? localPath(from.pathname + from.search) : '/';
}

/** An address of ours, or the home page: nobody is led elsewhere. */
export function localPath(path: unknown): string {
  const here = 'http://here';
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, here) : null;
  // What is left of `/.//elsewhere` would name another host.
  return url?.origin === here && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
