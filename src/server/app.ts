// The whole server except its port and its environment: what is made at its start. The way of a request is in
// rest/serve.ts. A test passes a Request and gets the Response that a client would get.

import { AddressRules } from '#common/address-rules.ts';
import type { Log } from '#common/log.ts';
import type { RequestTrace } from '#common/request-trace.ts';
import { ownMemory, type SharedMemory } from '#common/shared-memory.ts';
import { timeLimits } from '#common/time-limits.ts';
import { type Connections, Hosts } from '#rest/hosts.ts';
import { isSafe } from '#rest/methods.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { ResponseCache } from '#rest/response-cache.ts';
import { type ForwardWrite, RequestServer } from '#rest/serve.ts';
import type { Database } from '#sql';
import { listenToAccountEvents } from '../core/accounts/account-events.ts';
import type { SignUpDependencies } from '../core/accounts/dependencies.ts';
import { ChangeFollower } from '../core/changes/follower.ts';
import type { FileStore } from '../core/files/store.ts';
import { callbackPath } from '../core/pages/page.ts';
import type { AppSettings } from '../core/settings/settings.ts';
import { chooseLanguage, getLanguageKey, toMailLanguage } from '../core/texts/languages.ts';
import type { ViewerAuthenticator } from '../core/viewer/authenticator.ts';
import type { Work } from '../projects/background-work.ts';
import { ChangeSubscriptions } from '../projects/changes/subscriptions.ts';
import { ProjectFinder } from '../projects/reading/find-projects.ts';
import type { SearchEngine } from '../projects/searching/search-engine.ts';
import { apiPrefix } from './api-routes.ts';
import { respondToProbe } from './health.ts';
import { RequestLimits } from './limits.ts';
import type { ServedFeatures } from './load-features.ts';
import { findMediaOrigin } from './media-routes.ts';
import { Routes, type Secrets } from './routes.ts';
import { createAccounts, createAuthenticator } from './sign-in-dependencies.ts';
import { createTransfers, hasLargeBody, megabyte } from './transfers.ts';

interface AppDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly secrets: Secrets;
  readonly settings: AppSettings;
  readonly log: Log;
  /** Milliseconds after which a request is answered with 503. */
  readonly timeoutMs?: number;
  /** By default people sign in with keys and sessions. */
  readonly authenticator?: ViewerAuthenticator;
  /** Called with every request that has its response, just before that is sent. Must not throw. */
  readonly observe?: (context: RequestContext, response: Response) => void;
  readonly startTrace?: ((context: RequestContext) => RequestTrace) | undefined;
  readonly memory?: SharedMemory | undefined;
  /** Lets another process respond to a request that writes. */
  readonly forwardWrite?: ForwardWrite | undefined;
  readonly searchEngine?: SearchEngine | undefined;
  readonly features: ServedFeatures;
}

export interface App {
  fetch(request: Request, connections?: Connections): Response | Promise<Response>;
  /**
   * From now on every response closes its connection, and long downloads and uploads break. Returns how many
   * milliseconds ago the last request came: after the server's idle timeout, all connections are closed already.
   */
  drain(): number;
  /** The pattern of the route that responds to a request; of one that no route takes, `*`. */
  findRoute(context: RequestContext): string;
  readonly cache: ResponseCache;
  /** How many streams are open, and requests that wait. */
  countOpenResponses(): number;
  /** The work of features beside requests. */
  readonly work: readonly Work[];
}

const noConnections: Connections = { peerAddress: () => undefined };

export function createApp(deps: AppDependencies): App {
  const { database, settings, log, memory = ownMemory() } = deps;
  const accounts = createAccounts(deps);
  const { authenticator = createAuthenticator(deps, accounts) } = deps;
  listenToAccountEvents(database, (event) => log.event(event));
  const transfers = createTransfers(settings, memory);
  const { work, ...following } = createFollowing(deps, accounts, authenticator);
  const cache = new ResponseCache(settings.cacheSize * megabyte, database);
  const parts = { ...following, accounts, authenticator, transfers, cache };
  const routes = new Routes({ ...deps, ...parts });
  const server = new RequestServer({
    log,
    cache,
    routes,
    limits: new RequestLimits(settings, authenticator, memory),
    hosts: new Hosts(settings.allowedHosts, settings.trustedProxies),
    sharedCaching: deps.features.createSharedCaching?.(settings),
    timeoutMs: deps.timeoutMs ?? timeLimits.request,
    apiPrefix,
    howToAllowHost: (host) => `If it is yours, allow it: --allowed-host ${host}`,
    forwardWrite: deps.forwardWrite,
    isWrite,
    startTrace: deps.startTrace,
    observe: deps.observe,
    respondToProbe: (context) => respondToProbe(context, database, deps.files),
    addHeaders: createHeaderWriter(deps),
    mailLanguageOf: (headers) => toMailLanguage(chooseLanguage(headers)),
    languageKeyOf: getLanguageKey,
  });
  return {
    fetch: (request, connections = noConnections) => server.fetch(request, connections),
    drain() {
      for (const limiter of Object.values(transfers)) limiter.end();
      return server.drain();
    },
    findRoute: (context) => routes.findPattern(context),
    cache,
    countOpenResponses: () => transfers.openResponses.count,
    work,
  };
}

/** A browser comes back from a sign-in service with GET, and begins a session. */
const isWrite = ({ method, target }: RequestContext) =>
  !isSafe(method) || target.startsWith(callbackPath.slice(0, -1));

/** The headers that depend on the settings. */
function createHeaderWriter({ settings, files }: AppDependencies) {
  const mediaOrigin = findMediaOrigin(settings.mediaUrl, files);
  return (context: RequestContext, response: Response): void => {
    if (settings.hsts && context.origin.startsWith('https:'))
      response.headers.set('Strict-Transport-Security', `max-age=${settings.hsts}`);
    if (mediaOrigin) allowMediaFrom(mediaOrigin, response.headers);
    if (response.status >= 400 && hasLargeBody(context, settings))
      response.headers.set('Connection', 'close');
  };
}

/** The pictures and films of our own pages may come from there too. */
function allowMediaFrom(origin: string, headers: Headers): void {
  const policy = headers.get('Content-Security-Policy');
  if (policy?.includes("img-src 'self'"))
    headers.set('Content-Security-Policy', policy.replace(/(img|media)-src 'self'/g, `$& ${origin}`));
}

/** Everything that follows the change log. */
function createFollowing(
  { database, settings, log, searchEngine, features }: AppDependencies,
  { attempts, sendsMail }: SignUpDependencies,
  authenticator: ViewerAuthenticator,
) {
  const { timeZone } = settings;
  const projects = new ProjectFinder(database, timeZone, searchEngine);
  const logError = (error: unknown) => log.error('-', error);
  const follower = new ChangeFollower(database, logError);
  const changeSubscriptions = new ChangeSubscriptions(database, follower, authenticator, logError);
  const addressRules = new AddressRules(settings.webhookNetworks);
  const deps = {
    database,
    settings,
    log,
    timeZone,
    follower,
    projects,
    addressRules,
    sendsMail,
    attempts,
    logError,
    subscriptions: changeSubscriptions,
    findViewer: (contributor: number) => authenticator.findByContributor(contributor),
  };
  return { projects, changeSubscriptions, addressRules, work: features.work.map((create) => create(deps)) };
}
