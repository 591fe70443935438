// The rate limits: how many requests a viewer may send, or a network address without valid credentials.

import { NotSignedIn } from '#common/errors.ts';
import type { SharedMemory } from '#common/shared-memory.ts';
import { isSafe } from '#rest/methods.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { Throttle } from '#rest/throttling.ts';
import { isAsset } from '../core/pages/assets.ts';
import type { Settings } from '../core/settings/settings.ts';
import type { ViewerAuthenticator } from '../core/viewer/authenticator.ts';
import type { Viewer } from '../core/viewer/viewer.ts';

const createThrottle = (policy: string, limit: number | undefined, memory: SharedMemory) =>
  limit === undefined ? undefined : new Throttle(policy, limit, memory);

export class RequestLimits {
  readonly #reads: Throttle | undefined;
  readonly #writes: Throttle | undefined;

  constructor(
    { readLimit, writeLimit }: Settings<'readLimit' | 'writeLimit'>,
    private readonly authenticator: ViewerAuthenticator,
    memory: SharedMemory,
  ) {
    this.#reads = createThrottle('read', readLimit, memory);
    this.#writes = createThrottle('write', writeLimit, memory);
  }

  /** Counts a request without credentials by its network address, or throws. The page of a refusal needs its stylesheet. */
  admitAnonymous(context: RequestContext): void {
    if (this.#reads && !context.hasCredentials && !isAsset(context.target))
      this.#reads.admit(context.clientAddress);
  }

  /**
   * Counts a request that has a key or a cookie, or throws, and lets its sender send long bodies. If the key or cookie is
   * not valid, the request counts by its network address: otherwise a client could avoid the limit by sending a new
   * invalid key each time.
   */
  async admitByCredential(context: RequestContext): Promise<void> {
    if (!context.hasCredentials || isAsset(context.target)) return;
    try {
      this.#admitViewer(context, await context.withinTimeLimit(() => this.authenticator.identify(context)));
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      this.#reads?.admit(context.clientAddress);
    }
  }

  /** All keys and sessions of a contributor count together: anybody can create more of them. */
  #admitViewer(context: RequestContext, { contributor }: Viewer): void {
    if (contributor === null) {
      this.#reads?.admit(context.clientAddress);
      return;
    }
    context.allowLongBody();
    (isSafe(context.method) ? this.#reads : this.#writes)?.admit(`contributor ${contributor}`);
  }
}
