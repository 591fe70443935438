// The whole server except its port and its environment: the steps that every request passes, then the routes of the
// API, the media files and the pages. A test passes a Request and gets the Response that a client would get.

import { Hono } from 'hono';
import { createApiRoutes } from './api/index.ts';
import { ViewerAuthenticator } from './authenticator.ts';
import type { Database } from './database/open.ts';
import { NotSignedIn } from './errors.ts';
import type { FileStore } from './files/open.ts';
import { Passwords } from './gallery/accounts/passwords.ts';
import { SignInAttempts } from './gallery/accounts/sign-in-attempts.ts';
import type { SignUpDependencies } from './gallery/accounts/sign-up.ts';
import { ProjectFinder } from './gallery/projects/find.ts';
import { ListedIdRanges } from './gallery/projects/id-ranges.ts';
import type { Viewer } from './gallery/viewer.ts';
import { respondToProbe } from './health.ts';
import { toJson } from './json.ts';
import type { Log } from './log.ts';
import { mediaRoutes } from './media.ts';
import { siteFiles } from './pages/assets.ts';
import { createPageRoutes } from './pages/index.ts';
import { hasCredentials } from './rest/authentication.ts';
import { isSafe } from './rest/csrf.ts';
import { BadRequest, toErrorResponse } from './rest/exceptions.ts';
import { type Connections, Hosts } from './rest/hosts.ts';
import { type PreparedResponse, prepareResponse, toResponse } from './rest/prepared-response.ts';
import { RequestContext } from './rest/request-context.ts';
import { routePath } from './rest/request-url.ts';
import { allowsSharedResponse, ResponseCache } from './rest/response-cache.ts';
import { Throttle } from './rest/throttling.ts';
import { withTimeout } from './rest/timeout.ts';
import { UploadLimiter } from './rest/upload-limiter.ts';
import type { Settings } from './settings.ts';

interface AppDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly secrets: Secrets;
  readonly settings: Settings<
    | 'allowedHosts'
    | 'trustedProxies'
    | 'timeZone'
    | 'strict'
    | 'readLimit'
    | 'writeLimit'
    | 'signInLimit'
    | 'signUp'
    | 'uploadLimit'
  >;
  readonly log: Log;
  /** Milliseconds after which a request is answered with 503; less than the server's own timeout. */
  readonly timeoutMs?: number;
}

/** The keys that sign what clients send back later. */
interface Secrets {
  readonly cursors: string;
  readonly sessions: string;
}

export interface App {
  fetch(request: Request, connections?: Connections): Response | Promise<Response>;
  /**
   * From now on every response closes its connection. Returns how many milliseconds ago the last request came:
   * after the server's idle timeout, all connections are closed already.
   */
  drain(): number;
}

export const megabyte = 1024 * 1024;
const responseCacheBytes = 40 * megabyte;
const noConnections: Connections = { peerAddress: () => undefined };

export function createApp({
  database,
  files,
  secrets,
  settings,
  log,
  timeoutMs = 8000,
}: AppDependencies): App {
  const hosts = new Hosts(settings.allowedHosts, settings.trustedProxies);
  const throttles = {
    read: settings.readLimit === undefined ? undefined : new Throttle('read', settings.readLimit),
    write: settings.writeLimit === undefined ? undefined : new Throttle('write', settings.writeLimit),
  };
  const responseCache = new ResponseCache(responseCacheBytes, database);
  const requestIds = new RequestIds();
  let draining = false;
  let lastRequestAt = Number.NEGATIVE_INFINITY;

  const projects = new ProjectFinder(database, settings.timeZone);
  const { timeZone, strict: isStrict } = settings;
  const router = new Hono<{ Bindings: RequestContext }>({ getPath: routePath });
  const authenticator = new ViewerAuthenticator(database, secrets.sessions);
  const accounts: SignUpDependencies = {
    database,
    passwords: new Passwords(),
    signUp: settings.signUp,
    attempts: new SignInAttempts(database, secrets.sessions, settings.signInLimit),
  };
  const deps = { database, files, projects, accounts, authenticator, timeZone };
  const uploadLimiter = new UploadLimiter(settings.uploadLimit * megabyte);
  router.route(
    '/',
    createApiRoutes(
      { ...deps, cursorSecret: secrets.cursors },
      { isStrict, files: siteFiles, uploadLimiter },
    ),
  );
  router.route('/', mediaRoutes({ database, files, authenticator }));
  router.route(
    '/',
    createPageRoutes({ ...deps, uploads: uploadLimiter, idRanges: new ListedIdRanges(database) }),
  );

  /** The steps before the routes. A cached response is returned at once and needs no route. */
  function admit(context: RequestContext, connections: Connections): PreparedResponse | undefined {
    const { request, headers, method, path } = context;
    const origin = hosts.findOrigin(request, headers, connections);
    if (origin === undefined) throw new BadRequest('Invalid Host header.');
    context.extendIdleTimeout = (seconds) => connections.extendIdleTimeout?.(request, seconds);
    context.findClientAddress = () => hosts.findClientAddress(request, headers, connections);
    // A request with credentials is counted once its viewer is known: see `throttleByCredential`.
    const anonymous = allowsSharedResponse(headers);
    if (throttles.read && (anonymous || !hasCredentials(headers)))
      throttles.read.admit(context.clientAddress);

    const accept = headers.get('Accept') ?? '';
    const cache = anonymous && (method === 'GET' || method === 'HEAD') ? responseCache : undefined;
    const generation = cache && database.generation();
    const cached = cache?.find(origin, accept, path);
    if (cached) return cached;

    if (path.includes('%00')) throw new BadRequest('The address holds a NUL character.');
    context.origin = origin;
    if (generation !== undefined)
      context.storeInCache = (response) => cache?.store(origin, accept, path, response, generation);
    return undefined;
  }

  /**
   * Counts a request that has a key or a cookie. If that is not valid, the request counts by its network address:
   * otherwise a client could avoid the limit by sending a new invalid key each time.
   */
  async function throttleByCredential(context: RequestContext): Promise<void> {
    try {
      throttleViewer(context, await withTimeout(context.remainingMs, authenticator.identify(context)));
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      throttles.read?.admit(context.clientAddress);
    }
  }

  function throttleViewer(context: RequestContext, { credential }: Viewer): void {
    if (!credential) throttles.read?.admit(context.clientAddress);
    else throttles[isSafe(context.method) ? 'read' : 'write']?.admit(`${credential.kind} ${credential.id}`);
  }

  /** The routes respond to early failures too: they know the format of the response. */
  async function route(context: RequestContext): Promise<Response> {
    try {
      const probe = respondToProbe(context.method, context.path, database);
      if (probe) return context.respond(await probe);
      if (!context.earlyFailure && hasCredentials(context.headers)) {
        await throttleByCredential(context).catch((error) => {
          context.earlyFailure = error;
        });
      }
      return await router.fetch(context.request, context);
    } catch (error) {
      context.report(error);
      const { status, data } = toErrorResponse(error);
      return context.respond(prepareResponse(status, { 'Content-Type': 'application/json' }, toJson(data)));
    }
  }

  function finish(context: RequestContext, response: Response): Response {
    if (draining) response.headers.set('Connection', 'close');
    log.request(
      context.id,
      context.method,
      context.path,
      response.status,
      performance.now() - context.startedAt,
    );
    return response;
  }

  return {
    fetch(request, connections = noConnections) {
      const context = new RequestContext(request, requestIds.next(), timeoutMs, log);
      lastRequestAt = context.startedAt;
      try {
        const cached = admit(context, connections);
        if (cached) return finish(context, toResponse(cached, context.headers, context.id, true));
      } catch (error) {
        context.earlyFailure = error;
      }
      return route(context).then((response) => finish(context, response));
    },
    drain() {
      draining = true;
      return performance.now() - lastRequestAt;
    },
  };
}

/** Short ids that are unique across requests and processes, and cheap to make. */
class RequestIds {
  readonly #process = crypto.randomUUID().slice(0, 8);
  #count = 0;

  next(): string {
    return `${this.#process}-${++this.#count}`;
  }
}
