// Who makes a request, found out once for each, whichever room serves it and whatever it counts against.

import type { Database } from './database/open.ts';
import { Identities } from './gallery/accounts/identify.ts';
import { beginSession, sessionSeconds } from './gallery/accounts/sessions.ts';
import { type Reader, visitor } from './gallery/readers.ts';
import { cookieOf, sessionCookie, sessionCookies, shownBy } from './rest/authentication.ts';
import type { Caller } from './rest/caller.ts';
import { Csrf, isSafe } from './rest/csrf.ts';
import type { Visit } from './rest/visit.ts';

export class Readers implements Caller<Reader> {
  readonly stranger = visitor;
  readonly csrf: Csrf;
  readonly #identities: Identities;
  readonly #known = new WeakMap<Visit, Promise<Reader>>();

  constructor(
    private readonly database: Database,
    csrfSecret: string,
  ) {
    this.#identities = new Identities(database);
    this.csrf = new Csrf(csrfSecret);
  }

  /** The reader, or the failure to say who it is; a session that is over is a visitor's. */
  identify(visit: Visit): Promise<Reader> {
    let known = this.#known.get(visit);
    if (!known) {
      known = this.#lookUp(visit);
      this.#known.set(visit, known);
    }
    return known;
  }

  /** The same, and in a session what changes something was sent by a page of ours. */
  async authenticate(visit: Visit): Promise<Reader> {
    const reader = await this.identify(visit);
    if (reader.credential?.kind === 'session' && !isSafe(visit.method))
      await this.csrf.demand(visit, reader.credential.id);
    return reader;
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

  formToken({ credential }: Reader): string | undefined {
    return credential?.kind === 'session' ? this.csrf.tokenOf(credential.id) : undefined;
  }

  nameOf({ contributor }: Reader): string {
    return String(contributor);
  }

  async #lookUp({ headers }: Visit): Promise<Reader> {
    const shown = shownBy(headers);
    if (!shown) return visitor;
    if (shown.kind === 'key') return this.#identities.withKey(shown.secret);
    return (await this.#identities.inSession(shown.secret)) ?? visitor;
  }
}
