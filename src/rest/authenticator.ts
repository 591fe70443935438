// Who makes a request, as the views of the API need to know it; who that may be, the site says.

import type { RequestContext } from './request-context.ts';

export interface Authenticator<Viewer> {
  /** Who makes the request, or the failure to say so. */
  identify(context: RequestContext): Promise<Viewer>;
  /** The same, and that it was they who sent it. */
  authenticate(context: RequestContext): Promise<Viewer>;
  /** What a form must bring so that it was they who sent it; undefined where none is needed. */
  csrfTokenFor(viewer: Viewer): string | undefined;
  /** Tells one from another. */
  idOf(viewer: Viewer): string;
  /** For those who are not asked who they are. */
  readonly anonymous: Viewer;
}
