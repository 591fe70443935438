// The whole server except its port and its environment: the steps that every request passes before its route. A test
// passes a Request and gets the Response that a client would get.

import { serializeChange } from '../api/changes.ts';
import type { ViewerAuthenticator } from '../authenticator.ts';
import { apiText } from '../common/api-text.ts';
import { NotFound } from '../common/errors.ts';
import { type Log, toLoggedPath } from '../common/log.ts';
import type { RequestTrace } from '../common/request-trace.ts';
import { ownMemory, type SharedMemory } from '../common/shared-memory.ts';
import { timeLimits } from '../common/time-limits.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import { listenToAccountEvents } from '../gallery/account-events.ts';
import { ChangeFollower } from '../gallery/change-stream/follower.ts';
import { ChangeSubscriptions } from '../gallery/change-stream/subscriptions.ts';
import { ProjectFinder } from '../gallery/projects/reading/find.ts';
import type { SearchEngine } from '../gallery/projects/searching/search-engine.ts';
import { PageViews } from '../gallery/statistics/weekly-counts.ts';
import { AddressRules } from '../gallery/webhooks/address-rules.ts';
import { chooseLanguage, getLanguageKey, toMailLanguage } from '../pages/messages/languages.ts';
import { callbackPath } from '../pages/page.ts';
import { BadRequest } from '../rest/exceptions.ts';
import { type Connections, Hosts, RefusedHosts } from '../rest/hosts.ts';
import { isSafe } from '../rest/methods.ts';
import type { PreparedResponse } from '../rest/prepared-response.ts';
import { RequestContext, RequestIds } from '../rest/request-context.ts';
import { ResponseCache } from '../rest/response-cache.ts';
import { SharedCaching } from '../rest/shared-caching.ts';
import type { appSettings, Settings } from '../settings/settings.ts';
import { findCacheTags } from '../shared-caches/tags.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { createAccounts, createAuthenticator } from './accounts.ts';
import { respondToProbe } from './health.ts';
import { RequestLimits } from './limits.ts';
import { findMediaOrigin } from './media-routes.ts';
import { Routes, type Secrets } from './routes.ts';
import { createTransfers, hasLargeBody, megabyte } from './transfers.ts';

interface AppDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly secrets: Secrets;
  readonly settings: Settings<(typeof appSettings)[number]>;
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
}

export type ForwardWrite = (
  request: Request,
  connections: Connections,
  trace?: RequestTrace,
) => Promise<Response>;

export interface App {
  fetch(request: Request, connections?: Connections): Response | Promise<Response>;
  /**
   * From now on every response closes its connection, and long downloads and uploads break. Returns how many
   * milliseconds ago the last request came: after the server's idle timeout, all connections are closed already.
   */
  drain(): number;
  /** Saves the counts of views that are in memory. */
  saveViews(): Promise<void>;
  /** The pattern of the route that responds to a request; of one that no route takes, `*`. */
  findRoute(request: Request): string;
  readonly cache: ResponseCache;
  /** How many streams are open, and requests that wait. */
  countOpenResponses(): number;
  readonly webhooks: Webhooks;
}

const noConnections: Connections = { peerAddress: () => undefined };

export function createApp(deps: AppDependencies): App {
  const { database, settings, log, memory = ownMemory(), forwardWrite } = deps;
  const accounts = createAccounts(deps);
  const { authenticator = createAuthenticator(deps, accounts) } = deps;
  const limits = new RequestLimits(settings, authenticator, memory);
  listenToAccountEvents(database, (event) => log.event(event));
  const requestDeps = createRequestDependencies(deps);
  const views = new PageViews(database);
  const transfers = createTransfers(settings, memory);
  const { webhooks, ...following } = createFollowing(deps, authenticator);
  const parts = { ...following, accounts, authenticator, transfers, views };
  const routes = new Routes({ ...deps, ...parts, cache: requestDeps.cache });
  const requestIds = new RequestIds();
  const refusedHosts = new RefusedHosts(log.info);
  let draining = false;
  let lastRequestAt = Number.NEGATIVE_INFINITY;
  const closeIfDraining = (response: Response) => {
    if (draining) response.headers.set('Connection', 'close');
    return response;
  };

  /** The routes respond to refused requests too: they know the format of the response. */
  async function route(context: RequestContext): Promise<Response> {
    const probe = respondToProbe(context, database);
    if (probe) return context.respond(await probe);
    if (!context.refusal)
      await limits.admitByCredential(context).catch((error) => {
        context.refusal = error;
      });
    return routes.fetch(context);
  }

  const report = createReporter(deps, routes);
  const finish = (context: RequestContext, response: Response) => closeIfDraining(report(context, response));
  const respond = async (context: RequestContext) =>
    finish(context, await context.lifetime.run(() => route(context)));

  return {
    fetch(request, connections = noConnections) {
      const context = new RequestContext(request, requestIds.next(), requestDeps, connections);
      lastRequestAt = context.startedAt;
      if (forwardWrite && writes(context)) {
        const refuse = (error: unknown) => respond(Object.assign(context, { refusal: error }));
        const forward = () => forwardWrite(request, connections, context.trace);
        return context
          .measure('forward', forward)
          .then((response) => closeIfDraining(endTrace(context, response, routes)), refuse);
      }
      try {
        const cached = admit(context, limits);
        if (cached) return finish(context, context.send(cached));
      } catch (error) {
        context.refusal = error;
        if (context.origin === '') refusedHosts.add(context.headers);
      }
      return respond(context);
    },
    drain() {
      draining = true;
      for (const limiter of Object.values(transfers)) limiter.end();
      return performance.now() - lastRequestAt;
    },
    saveViews: () => views.save(),
    findRoute: (request) => routes.findPattern(request),
    cache: requestDeps.cache,
    countOpenResponses: () => transfers.openResponses.count,
    webhooks,
  };
}

/** A browser comes back from a sign-in service with GET, and begins a session. */
const writes = ({ method, path }: RequestContext) =>
  !isSafe(method) || path.startsWith(callbackPath.slice(0, -1));

const createRequestDependencies = ({ database, settings, log, ...deps }: AppDependencies) => ({
  hosts: new Hosts(settings.allowedHosts, settings.trustedProxies),
  cache: new ResponseCache(settings.cacheSize * megabyte, database),
  log,
  timeoutMs: deps.timeoutMs ?? timeLimits.request,
  startTrace: deps.startTrace,
  mailLanguageOf: (headers: Headers) => toMailLanguage(chooseLanguage(headers)),
  languageKeyOf: getLanguageKey,
  sharedCaching: settings.publicMaxAge ? new SharedCaching(settings.publicMaxAge, findCacheTags) : undefined,
});

/** Tells everybody who observes requests of a response, just before it is sent. */
function createReporter({ settings, files, log, observe }: AppDependencies, routes: Routes) {
  const mediaOrigin = findMediaOrigin(settings.mediaUrl, files);
  return (context: RequestContext, response: Response): Response => {
    const { id, method, path, startedAt, actor, origin, trace } = context;
    if (settings.hsts && origin.startsWith('https:'))
      response.headers.set('Strict-Transport-Security', `max-age=${settings.hsts}`);
    if (mediaOrigin) allowMediaFrom(mediaOrigin, response.headers);
    if (response.status >= 400 && hasLargeBody(context, settings))
      response.headers.set('Connection', 'close');
    const ms = performance.now() - startedAt;
    log.request(id, method, toLoggedPath(path), response.status, ms, actor, trace?.id);
    observe?.(context, response);
    return trace ? endTrace(context, response, routes) : response;
  };
}

/** Responses may share their headers, which have it already then. */
function allowMediaFrom(origin: string, headers: Headers): void {
  const policy = headers.get('Content-Security-Policy');
  if (policy?.includes("img-src 'self'") && !policy.includes(origin))
    headers.set('Content-Security-Policy', policy.replace(/(img|media)-src 'self'/g, `$& ${origin}`));
}

function endTrace({ trace, path, request }: RequestContext, response: Response, routes: Routes): Response {
  trace?.finish(response, toLoggedPath(path), () => routes.findPattern(request));
  return response;
}

/** The steps before the routes. A cached response is returned at once and needs no route. */
function admit(context: RequestContext, limits: RequestLimits): PreparedResponse | undefined {
  if (context.origin === '') throw new BadRequest('Invalid Host header.');
  limits.admitAnonymous(context);
  const cached = context.findCachedResponse();
  if (!cached && context.path.includes('%00'))
    // As any format that there is not.
    throw /[?&]format=[^&]*%00/.test(context.path) ? new NotFound() : new BadRequest(apiText('nulInAddress'));
  return cached;
}

/** Everything that follows the change log. */
function createFollowing(
  { database, settings, log, searchEngine }: AppDependencies,
  authenticator: ViewerAuthenticator,
) {
  const { timeZone } = settings;
  const projects = new ProjectFinder(database, timeZone, searchEngine);
  const logError = (error: unknown) => log.error('-', error);
  const follower = new ChangeFollower(database, logError);
  const changeSubscriptions = new ChangeSubscriptions(database, follower, authenticator, logError);
  const webhookRules = new AddressRules(settings.webhookNetworks);
  const webhooks = new Webhooks({
    database,
    follower,
    subscriptions: changeSubscriptions,
    projects,
    rules: webhookRules,
    findViewer: (contributor) => authenticator.findByContributor(contributor),
    serialize: (entry, origin) => serializeChange(entry, origin, timeZone),
    logError,
  });
  return { projects, changeSubscriptions, webhookRules, webhooks };
}
