// The whole server except its port and its environment: the steps that every request passes, then the routes of the
// API, the media files and the pages. A test passes a Request and gets the Response that a client would get.

import { Hono } from 'hono';
import { serializeChange } from '../api/changes.ts';
import type { ApiDependencies } from '../api/dependencies.ts';
import { apiPrefix, createApiRoutes, createProjectJsonRoutes } from '../api/index.ts';
import { RememberedRecords } from '../api/remembered-records.ts';
import type { ViewerAuthenticator } from '../authenticator.ts';
import { apiText } from '../common/api-text.ts';
import { type Log, toLoggedPath } from '../common/log.ts';
import type { RequestTrace } from '../common/request-trace.ts';
import { ownMemory, type SharedMemory } from '../common/shared-memory.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import { listenToAccountEvents } from '../gallery/account-events.ts';
import { ChangeFollower } from '../gallery/change-stream/follower.ts';
import { ChangeSubscriptions } from '../gallery/change-stream/subscriptions.ts';
import { ProjectFinder } from '../gallery/projects/reading/find.ts';
import { SitemapRanges } from '../gallery/projects/reading/sitemap-ranges.ts';
import { Challenges } from '../gallery/sign-in/challenges.ts';
import { PendingSignIns } from '../gallery/sign-in/second-factor-sign-in.ts';
import type { SignUpDependencies } from '../gallery/sign-in/sign-up.ts';
import { PageViews } from '../gallery/statistics/weekly-counts.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { AddressRules } from '../gallery/webhooks/address-rules.ts';
import { siteFiles } from '../pages/assets.ts';
import { generateHandInArchive } from '../pages/hand-ins/archive.tsx';
import { createPageRoutes } from '../pages/index.ts';
import { FragmentCache } from '../pages/layout/fragment-cache.ts';
import { chooseLanguage, getLanguageKey, toMailLanguage } from '../pages/messages/languages.ts';
import { generateOwnArchive } from '../pages/own-data/archive.ts';
import type { PageDependencies } from '../pages/page.ts';
import { WritingOrigins } from '../rest/cors.ts';
import { BadRequest } from '../rest/exceptions.ts';
import { type Connections, Hosts, RefusedHosts } from '../rest/hosts.ts';
import { isSafe } from '../rest/methods.ts';
import type { SentResponse } from '../rest/prepared-response.ts';
import { RequestContext, RequestIds } from '../rest/request-context.ts';
import { routePath } from '../rest/request-url.ts';
import { ResponseCache } from '../rest/response-cache.ts';
import { respondWithError } from '../rest/serve-request.ts';
import { SharedCaching } from '../rest/shared-caching.ts';
import type { appSettings, Settings } from '../settings/settings.ts';
import { findCacheTags } from '../shared-caches/tags.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { createAccounts, createAuthenticator } from './accounts.ts';
import { respondToProbe } from './health.ts';
import { RequestLimits } from './limits.ts';
import { mediaRoutes } from './media-routes.ts';
import { createTransfers, hasLargeBody, megabyte, type Transfers } from './transfers.ts';

interface AppDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly secrets: Secrets;
  readonly settings: Settings<(typeof appSettings)[number]>;
  readonly log: Log;
  /** Milliseconds after which a request is answered with 503; less than the server's own timeout. */
  readonly timeoutMs?: number;
  /** By default people sign in with keys and sessions. */
  readonly authenticator?: ViewerAuthenticator;
  /** Called with every request that has its response, just before that is sent. Must not throw. */
  readonly observe?: (context: RequestContext, response: Response) => void;
  readonly startTrace?: ((context: RequestContext) => RequestTrace) | undefined;
  readonly memory?: SharedMemory | undefined;
  /** Lets another process respond to a request that writes. */
  readonly forwardWrite?: ForwardWrite | undefined;
}

export type ForwardWrite = (
  request: Request,
  connections: Connections,
  trace?: RequestTrace,
) => Promise<Response>;

/** The keys that sign what clients send back later. */
interface Secrets {
  readonly cursors: string;
  readonly sessions: string;
}

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

type Router = Hono<{ Bindings: RequestContext }>;
/** The router that knows the path of a request. */
type FindRouter = (request: Request) => Router;

const noConnections: Connections = { peerAddress: () => undefined };

export function createApp(deps: AppDependencies): App {
  const { database, settings, log, memory = ownMemory(), forwardWrite } = deps;
  const accounts = createAccounts(deps);
  const { authenticator = createAuthenticator(deps, accounts) } = deps;
  const limits = new RequestLimits(settings, authenticator, memory);
  listenToAccountEvents(database, (event) => log.event(event));
  const requestDeps = createRequestDependencies(deps);
  const views = new PageViews(database);
  const fragments = new FragmentCache(requestDeps.cache.memory);
  const transfers = createTransfers(settings, memory);
  const { webhooks, ...following } = createFollowing(deps, authenticator);
  const records = new RememberedRecords(database, requestDeps.cache.memory);
  const routerFor = createRouters({ ...deps, accounts }, authenticator, following, transfers, {
    views,
    fragments,
    records,
  });
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
    return routerFor(context.request).fetch(context.request, context);
  }

  const report = createReporter(deps, routerFor);
  const finish = (context: RequestContext, response: Response) => closeIfDraining(report(context, response));
  const respond = async (context: RequestContext) =>
    finish(context, await context.lifetime.run(() => route(context)));

  return {
    fetch(request, connections = noConnections) {
      const context = new RequestContext(request, requestIds.next(), requestDeps, connections);
      lastRequestAt = context.startedAt;
      if (forwardWrite && !isSafe(context.method)) {
        const refuse = (error: unknown) => respond(Object.assign(context, { refusal: error }));
        const forward = () => forwardWrite(request, connections, context.trace);
        return context
          .measure('forward', forward)
          .then((response) => closeIfDraining(endTrace(context, response, routerFor)), refuse);
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
    findRoute: (request) => findRoute(routerFor(request), request),
    cache: requestDeps.cache,
    countOpenResponses: () => transfers.openResponses.count,
    webhooks,
  };
}

const createRequestDependencies = ({ database, settings, log, ...deps }: AppDependencies) => ({
  hosts: new Hosts(settings.allowedHosts, settings.trustedProxies),
  cache: new ResponseCache(settings.cacheSize * megabyte, database),
  log,
  timeoutMs: deps.timeoutMs ?? 8000,
  startTrace: deps.startTrace,
  mailLanguageOf: (headers: Headers) => toMailLanguage(chooseLanguage(headers)),
  languageKeyOf: getLanguageKey,
  sharedCaching: settings.publicMaxAge ? new SharedCaching(settings.publicMaxAge, findCacheTags) : undefined,
});

/** Tells everybody who observes requests of a response, just before it is sent. */
function createReporter({ settings, log, observe }: AppDependencies, routerFor: FindRouter) {
  return (context: RequestContext, response: Response): Response => {
    const { id, method, path, startedAt, actor, origin, trace } = context;
    if (settings.hsts && origin.startsWith('https:'))
      response.headers.set('Strict-Transport-Security', `max-age=${settings.hsts}`);
    if (response.status >= 400 && hasLargeBody(context, settings))
      response.headers.set('Connection', 'close');
    const ms = performance.now() - startedAt;
    log.request(id, method, toLoggedPath(path), response.status, ms, actor, trace?.id);
    observe?.(context, response);
    return trace ? endTrace(context, response, routerFor) : response;
  };
}

function endTrace(
  { trace, path, request }: RequestContext,
  response: Response,
  routerFor: FindRouter,
): Response {
  trace?.finish(response, toLoggedPath(path), () => findRoute(routerFor(request), request));
  return response;
}

/** The steps before the routes. A cached response is returned at once and needs no route. */
function admit(context: RequestContext, limits: RequestLimits): SentResponse | undefined {
  if (context.origin === '') throw new BadRequest('Invalid Host header.');
  limits.admitAnonymous(context);
  const cached = context.findCachedResponse();
  if (!cached && context.path.includes('%00')) throw new BadRequest(apiText('nulInAddress'));
  return cached;
}

/** Everything that follows the change log. */
function createFollowing({ database, settings, log }: AppDependencies, authenticator: ViewerAuthenticator) {
  const { timeZone } = settings;
  const projects = new ProjectFinder(database, timeZone);
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

function createRouters(
  { accounts, ...app }: AppDependencies & { readonly accounts: SignUpDependencies },
  authenticator: ViewerAuthenticator,
  following: Omit<ReturnType<typeof createFollowing>, 'webhooks'>,
  { lists, ownData, uploads, openResponses }: Transfers,
  { records, ...pages }: Pick<PageDependencies, 'views' | 'fragments'> & Pick<ApiDependencies, 'records'>,
): FindRouter {
  const { database, files, secrets, settings } = app;
  const { timeZone, playerHosts, strict: isStrict } = settings;
  const deps = {
    ...following,
    database,
    files,
    accounts,
    authenticator,
    timeZone,
    offersPublicDump: settings.publicDump !== undefined,
    importSecret: secrets.sessions,
    maxFileBytes: uploads.maxBytes,
    spendUpload: (viewer: Viewer, bytes: number) => uploads.spend(authenticator.idOf(viewer), bytes),
  };
  const site = {
    isStrict,
    files: siteFiles,
    uploadLimiter: uploads,
    downloads: lists,
    writingOrigins: new WritingOrigins(settings.corsOrigins),
  };
  const getPath = (request: Request) => routePath(request, apiPrefix);
  const apiDeps: ApiDependencies = {
    ...deps,
    openResponses,
    records,
    cursorSecret: secrets.cursors,
    ownDataDownloads: ownData,
    generateOwnArchive: (...request) => generateOwnArchive(deps, ...request),
    generateHandInArchive: (archive) => generateHandInArchive(deps, archive),
  };
  const apiRouter = createApiRoutes(apiDeps, site);
  const router: Router = new Hono({ getPath });
  router.route('/', createProjectJsonRoutes(apiDeps, site));
  router.route('/', mediaRoutes(deps));
  const pageDeps = {
    sitemap: new SitemapRanges(database),
    challenges: new Challenges(database, secrets.sessions),
    pendingSignIns: new PendingSignIns(secrets.sessions),
  };
  router.route(
    '/',
    createPageRoutes({ playerHosts, ...deps, ...pageDeps, uploads, ownDataDownloads: ownData, ...pages }),
  );
  for (const each of [apiRouter, router]) each.onError((error, { env }) => respondWithError(env, error));
  return (request) => (getPath(request).startsWith(apiPrefix) ? apiRouter : router);
}

function findRoute({ router, getPath }: Router, request: Request): string {
  const path = getPath(request);
  const [matches] = router.match('ALL', path);
  const patterns = matches.map(([[, route]]) => route.path);
  return (
    patterns.find((pattern) => !pattern.startsWith('/*')) ??
    (path.startsWith(apiPrefix) ? `${apiPrefix}*` : '*')
  );
}
