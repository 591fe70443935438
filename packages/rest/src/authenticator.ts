// The interface by which views authenticate requests. The application decides what a viewer is.

import type { RequestContext } from './request-context.ts';

export interface Authenticator<Viewer> {
  /** Returns the viewer, or throws if the credentials are not valid. */
  identify(context: RequestContext): Promise<Viewer>;
  /** The same, even if this was asked for the request before. */
  identifyAgain(context: RequestContext): Promise<Viewer>;
  /** As `identify`, and checks the CSRF token of a write in a session. */
  identifyAndCheckCsrf(context: RequestContext): Promise<Viewer>;
  /** The CSRF token for forms; undefined if the viewer needs none. */
  csrfTokenFor(viewer: Viewer): string | undefined;
  /** The name by which the viewer signs in; undefined for the anonymous viewer. */
  nameOf(viewer: Viewer): Promise<string | undefined>;
  /** Differs for each viewer. */
  idOf(viewer: Viewer): string;
  /** The viewer of operations that ignore credentials. */
  readonly anonymous: Viewer;
}
