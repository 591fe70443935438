// Who makes a request, found out once for each, whichever room serves it and whatever it counts against.

import type { Database } from './database/open.ts';
import { Identities } from './gallery/accounts/identify.ts';
import { beginSession, sessionSeconds } from './gallery/accounts/sessions.ts';
import { anonymous, type Viewer } from './gallery/viewer.ts';
import { cookieOf, sessionCookie, sessionCookies, shownBy } from './rest/authentication.ts';
import type { Authenticator } from './rest/authenticator.ts';
import { Csrf, isSafe } from './rest/csrf.ts';
import type { RequestContext } from './rest/request-context.ts';

export class ViewerAuthenticator implements Authenticator<Viewer> {
  readonly anonymous = anonymous;
  readonly csrf: Csrf;
  readonly #identities: Identities;
  readonly #known = new WeakMap<RequestContext, Promise<Viewer>>();

  constructor(
    private readonly database: Database,
    csrfSecret: string,
  ) {
    this.#identities = new Identities(database);
    this.csrf = new Csrf(csrfSecret);
  }

  /** The reader, or the failure to say who it is; a session that is over is a visitor's. */
  identify(context: RequestContext): Promise<Viewer> {
    let known = this.#known.get(context);
    if (!known) {
      known = this.#lookUp(context);
      this.#known.set(context, known);
    }
    return known;
  }

  /** The same, and in a session what changes something was sent by a page of ours. */
  async authenticate(context: RequestContext): Promise<Viewer> {
    const viewer = await this.identify(context);
    if (viewer.credential?.kind === 'session' && !isSafe(context.method))
      await this.csrf.demand(context, viewer.credential.id);
    return viewer;
  }

  /** Signs somebody in: what the browser is to keep, in the place of what it showed. */
  async begin(
    headers: Headers,
    base: string,
    contributor: number,
  ): Promise<{ cookies: string[]; csrfToken: string }> {
    const session = await beginSession(this.database, contributor, cookieOf(headers, sessionCookie));
    const csrfToken = this.csrf.tokenOf(session.id);
    const cookies = sessionCookies(base, { secret: session.secret, csrfToken, seconds: sessionSeconds });
    return { cookies, csrfToken };
  }

  formToken({ credential }: Viewer): string | undefined {
    return credential?.kind === 'session' ? this.csrf.tokenOf(credential.id) : undefined;
  }

  nameOf({ contributor }: Viewer): string {
    return String(contributor);
  }

  async #lookUp({ headers }: RequestContext): Promise<Viewer> {
    const shown = shownBy(headers);
    if (!shown) return anonymous;
    if (shown.kind === 'key') return this.#identities.withKey(shown.secret);
    return (await this.#identities.inSession(shown.secret)) ?? anonymous;
  }
}
