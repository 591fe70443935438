// Who makes a request, as the views of the API need to know it; who that may be, the site says.

import type { RequestContext } from './request-context.ts';

export interface Authenticator<Who> {
  /** Who makes the request, or the failure to say so. */
  identify(context: RequestContext): Promise<Who>;
  /** The same, and that it was they who sent it. */
  authenticate(context: RequestContext): Promise<Who>;
  /** What a form must bring so that it was they who sent it; undefined where none is needed. */
  formToken(who: Who): string | undefined;
  /** Tells one from another. */
  nameOf(who: Who): string;
  /** For those who are not asked who they are. */
  readonly anonymous: Who;
}
