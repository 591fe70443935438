// Signing in with keys alone: `Authorization: Token KEY`, or Bearer, as in Django REST framework. So no request has the
// rights of somebody by itself, and none needs a CSRF token.

import { NotSignedIn } from '../../common/src/errors.ts';
import { readKey } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import type { RequestContext } from './request-context.ts';

interface KeyOwners<Viewer> {
  /** The viewer of requests without a key. */
  readonly anonymous: Viewer;
  /** Undefined if nobody has the key. */
  findByKey(key: string): Viewer | undefined | Promise<Viewer | undefined>;
  /** Differs for each viewer. */
  nameOf(viewer: Viewer): string;
}

export function createKeyAuthenticator<Viewer>({
  anonymous,
  findByKey,
  nameOf,
}: KeyOwners<Viewer>): Authenticator<Viewer> {
  const viewers = new WeakMap<RequestContext, Promise<Viewer>>();
  async function identifyAgain({ headers }: RequestContext): Promise<Viewer> {
    const key = readKey(headers);
    if (key === undefined) return anonymous;
    const viewer = await findByKey(key);
    if (viewer === undefined) throw new NotSignedIn('Invalid token.');
    return viewer;
  }
  function identify(context: RequestContext): Promise<Viewer> {
    const viewer = viewers.get(context) ?? identifyAgain(context);
    viewers.set(context, viewer);
    return viewer;
  }
  return {
    anonymous,
    identify,
    identifyAgain,
    identifyAndCheckCsrf: identify,
    csrfTokenFor: () => undefined,
    nameOf: async (viewer) => (viewer === anonymous ? undefined : nameOf(viewer)),
    idOf: nameOf,
  };
}
