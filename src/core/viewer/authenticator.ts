// Finds the viewer of a request, once for each request: the API, the pages and the limits all use the same result.

import { NotSignedIn } from '#common/errors.ts';
import type { Secret } from '#common/signature.ts';
import {
  buildSessionCookies,
  cookieNameFor,
  type PresentedCredential,
  readCookie,
  readCredential,
} from '#rest/authentication.ts';
import type { Authenticator } from '#rest/authenticator.ts';
import { Csrf, requireOwnOrigin } from '#rest/csrf.ts';
import { isSafe } from '#rest/methods.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { buildDeviceCookies, readDeviceCookie } from '#rest/server-cookie.ts';
import type { Database } from '#sql';
import { findAccount } from '../accounts/account.ts';
import type { SecondFactorPolicy, SignInDependencies } from '../accounts/dependencies.ts';
import { keyPrefix } from '../accounts/keys.ts';
import { createSession, type SignedInAccount, sessionSeconds } from '../accounts/sessions.ts';
import { type Client, KnownDevices } from '../accounts/sign-in-attempts.ts';
import type { Quotas } from '../changes/usage.ts';
import { usernameKey } from '../contributors/contributor.ts';
import { findReviewPolicy, reviewOfEverything } from '../site/review-policy.ts';
import { allHosts, loadSite } from '../site/site-settings.ts';
import { Credentials } from './credentials.ts';
import { anonymous, type Viewer } from './viewer.ts';

export const sessionCookieName = 'vitrine_session';

const nobody = Promise.resolve(anonymous);

export interface PasswordChecker {
  /** The hash of the account's password. Throws unless the password is right, and enough: an account may need more. */
  verify(username: string, password: string, client: Client): Promise<string>;
}

export type CreatePasswordChecker = (accounts: SignInDependencies) => PasswordChecker;

declare module '../feature.ts' {
  interface Feature {
    /** Checks the passwords of accounts for HTTP Basic. Loaded when the server starts. */
    passwordChecker?(): Promise<CreatePasswordChecker>;
  }
}

export class ViewerAuthenticator implements Authenticator<Viewer> {
  readonly anonymous = anonymous;
  readonly csrf: Csrf;
  readonly #credentials: Credentials;
  readonly #devices: KnownDevices;
  readonly #viewers = new WeakMap<RequestContext, Promise<Viewer>>();

  constructor(
    private readonly database: Database,
    secret: Secret,
    /** Of accounts that are not moderators. */
    private readonly quotas: Quotas,
    policy: SecondFactorPolicy,
    /** Of accounts, for HTTP Basic; undefined if that takes keys only. */
    private readonly basicPasswords?: PasswordChecker,
  ) {
    this.#credentials = new Credentials(database, policy);
    this.csrf = new Csrf(secret);
    this.#devices = new KnownDevices(secret);
  }

  /** Returns the viewer, or throws if the key is not valid. With an expired session the viewer is anonymous. */
  identify(context: RequestContext): Promise<Viewer> {
    if (!context.hasCredentials) return nobody;
    let viewer = this.#viewers.get(context);
    if (!viewer) {
      viewer = this.#findViewer(context);
      this.#viewers.set(context, viewer);
    }
    return viewer;
  }

  /** The viewer of a request that takes long may have been signed out meanwhile. */
  identifyAgain(context: RequestContext): Promise<Viewer> {
    return this.#findByCredential(context);
  }

  /** The viewer for an account whose owner makes no request; undefined if the account is disabled. */
  findByContributor(contributor: number): Promise<Viewer | undefined> {
    return this.#credentials.findByContributor(contributor);
  }

  /** Of viewers who were identified, those whose credential has ended, or allows something else now. */
  findChanged(viewers: readonly Viewer[]): Promise<readonly Viewer[]> {
    return this.#credentials.findChanged(viewers);
  }

  /** As `identify`, and checks the CSRF token of a write in a session. */
  async identifyAndCheckCsrf(context: RequestContext): Promise<Viewer> {
    const viewer = await this.identify(context);
    const { kind, id } = viewer.credential ?? {};
    if (isSafe(context.method)) return viewer;
    if (kind === 'session') await this.csrf.verify(context, String(id));
    // A browser sends the password of a proxy in front by itself, also for another site.
    if (kind === 'password') requireOwnOrigin(context.headers, context.origin);
    return viewer;
  }

  /** Starts a session: the new cookies replace the ones that the browser sent. */
  async startSession(
    headers: Headers,
    origin: string,
    account: SignedInAccount,
  ): Promise<{ cookies: string[]; csrfToken: string }> {
    const session = await createSession(this.database, account, {
      browser: describeBrowser(headers),
      previousSecret: readCookie(headers, cookieNameFor(sessionCookieName, origin)),
    });
    const csrfToken = this.csrf.tokenFor(session.id);
    const cookies = buildSessionCookies(sessionCookieName, origin, {
      secret: session.secret,
      csrfToken,
      seconds: sessionSeconds,
    });
    const device = this.#devices.add(readDeviceCookie(headers), account.id);
    return { cookies: [...cookies, ...buildDeviceCookies(device, origin)], csrfToken };
  }

  /** The cookies that end the session in the browser. */
  buildSignOutCookies(origin: string): string[] {
    return buildSessionCookies(sessionCookieName, origin);
  }

  csrfTokenFor({ credential }: Viewer): string | undefined {
    return credential?.kind === 'session' ? this.csrf.tokenFor(credential.id) : undefined;
  }

  async nameOf({ contributor }: Viewer): Promise<string | undefined> {
    if (contributor === null) return undefined;
    return (await findAccount(this.database, contributor))?.username;
  }

  idOf({ contributor }: Viewer): string {
    return String(contributor);
  }

  async #findViewer(context: RequestContext): Promise<Viewer> {
    const viewer = await this.#findByCredential(context);
    context.actor = viewer.contributor ?? undefined;
    return viewer;
  }

  async #findByCredential(context: RequestContext): Promise<Viewer> {
    const credential = readCredential(context, {
      sessionCookie: sessionCookieName,
      keyPrefix,
      allowsPasswords: this.basicPasswords !== undefined,
    });
    if (!credential) return anonymous;
    const viewer = await this.#findOwner(credential, context);
    if (!viewer) return anonymous;
    const { username } = credential;
    if (username !== undefined && usernameKey((await this.nameOf(viewer)) ?? '') !== usernameKey(username))
      throw new NotSignedIn('Invalid username/token.');
    const { types, licenses, license, descriptions } = await loadSite(this.database, context.hostname);
    const siteRules = {
      mustDescribe: descriptions === 'required',
      offeredTypes: types,
      offeredLicenses: licenses,
      license: viewer.license ?? license,
    };
    if (viewer.isModerator) return { ...viewer, ...siteRules };
    const review =
      viewer.lookedAfterBy === undefined
        ? findReviewPolicy(await loadSite(this.database, allHosts))
        : reviewOfEverything;
    return { ...viewer, ...siteRules, quotas: this.quotas, review };
  }

  async #findOwner(
    { kind, secret, username = '' }: PresentedCredential,
    context: RequestContext,
  ): Promise<Viewer | undefined> {
    if (kind === 'key') return this.#credentials.findByKey(secret);
    if (kind === 'session') return this.#credentials.findBySession(secret);
    const hash = await this.basicPasswords?.verify(username, secret, context.client);
    return hash === undefined ? undefined : this.#credentials.findByPassword(hash);
  }
}

// A short description of a browser, by which its owner recognizes it. Versions are left out: they would identify people.

const browsers: readonly [pattern: RegExp, name: string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Empty for an unknown program. */
function describeBrowser(headers: Headers): string {
  const agent = headers.get('User-Agent') ?? '';
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(agent))?.[1];
  return [find(browsers), find(systems)].filter(Boolean).join(' on ');
}
