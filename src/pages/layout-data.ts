// The viewer's data that the layout of every page shows.

import { findAccount } from '../gallery/accounts/account.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { countOpenReports } from '../gallery/moderation/reports.ts';
import { anonymous, type Viewer } from '../gallery/viewer.ts';
import type { RequestContext } from '../rest/request-context.ts';
import { readTheme, type Theme } from '../rest/theme.ts';
import type { PageDependencies } from './serve.ts';

export interface LayoutData {
  readonly viewer: Viewer;
  /** The display name of a signed-in viewer. */
  readonly name?: string;
  /** Only signed-in viewers have one. */
  readonly csrfToken?: string;
  /** Undefined: the operating system's colour scheme. */
  readonly theme?: Theme;
  /** Anybody may create an account. */
  readonly canSignUp?: boolean;
  /** Set for moderators only. */
  readonly openReportCount?: number;
}

export const anonymousLayout: LayoutData = { viewer: anonymous };

export async function loadLayoutData(
  { database, authenticator, accounts }: PageDependencies,
  request: RequestContext,
  viewer: Viewer,
): Promise<LayoutData> {
  const account = viewer.contributor === null ? undefined : await findAccount(database, viewer.contributor);
  return {
    viewer,
    name: account && displayName(account),
    csrfToken: authenticator.csrfTokenFor(viewer),
    theme: readTheme(request.headers),
    canSignUp: accounts.signUp === 'open',
    openReportCount: viewer.isModerator ? await countOpenReports(database, viewer) : undefined,
  };
}

/** Where somebody came from within the site, to go back there. */
export function refererPath({ headers, origin }: RequestContext): string {
  const referer = URL.parse(headers.get('Referer') ?? '');
  return referer?.origin === origin ? toLocalPath(referer.pathname + referer.search) : '/';
}

/** An address of ours, or the home page: nobody is led elsewhere. */
export function toLocalPath(path: unknown): string {
  const here = 'http://here';
  const url = typeof path === 'string' && path.startsWith('/') ? URL.parse(path, here) : null;
  // What is left of `/.//elsewhere` would name another host.
  return url?.origin === here && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
