// The routes of the API, the media files and the pages. Those of the API are found by themselves: most requests are for
// them, and the pages have three times as many.

import { type Context, Hono } from 'hono';
import type { ReadSettings } from '#common/inputs.ts';
import { mapValues } from '#common/json.ts';
import type { Secret } from '#common/signature.ts';
import { WritingOrigins } from '#rest/cors.ts';
import { prepareJsonError } from '#rest/error-responses.ts';
import type { PreparedResponse } from '#rest/prepared-response.ts';
import type { RequestContext } from '#rest/request-context.ts';
import type { ResponseCache } from '#rest/response-cache.ts';
import { respondWithError, serveRequest } from '#rest/serve.ts';
import { SubjectCache } from '#rest/subject-cache.ts';
import type { Database } from '#sql';
import type { ApiDependencies } from '../core/api/dependencies.ts';
import type { FileStore } from '../core/files/store.ts';
import { serveAsset, siteFiles } from '../core/pages/assets.ts';
import { serveAccent } from '../core/pages/layout/accent.tsx';
import { FragmentCache } from '../core/pages/layout/fragment-cache.ts';
import type { PageDependencies } from '../core/pages/page.ts';
import type { AppSettings } from '../core/settings/settings.ts';
import type { ViewerAuthenticator } from '../core/viewer/authenticator.ts';
import type { Viewer } from '../core/viewer/viewer.ts';
import { apiPrefix, createApiRoutes, createNotFoundHandler, createProjectJsonRoutes } from './api-routes.ts';
import type { ServedFeatures } from './load-features.ts';
import { mediaRoutes } from './media-routes.ts';

import type { Transfers } from './transfers.ts';

type Router = Hono<{ Bindings: RequestContext }>;

interface RouteDependencies
  extends Pick<ApiDependencies, 'accounts' | 'changeSubscriptions' | 'projects' | 'addressRules'> {
  readonly database: Database;
  readonly files: FileStore;
  readonly secrets: Secrets;
  readonly settings: AppSettings;
  readonly authenticator: ViewerAuthenticator;
  readonly transfers: Transfers;
  readonly cache: ResponseCache;
  readonly features: ServedFeatures;
}

/** The keys that sign what clients send back later. */
export interface Secrets {
  readonly cursors: Secret;
  /** Derives what an import is recognized by. */
  readonly imports: string;
  readonly sessions: Secret;
}

/** The path by which Hono finds a route. */
const getRoutePath = (_: Request, options?: { readonly env?: RequestContext }): string =>
  options?.env?.routePath ?? '';

/** The files that the pages of the API load, where there are no others. */
function createAssetRoutes(): Router {
  const routes: Router = new Hono();
  const add = (path: string, serve: (path: string, file: string | undefined) => PreparedResponse) =>
    routes.get(path, ({ env, req }: Context<{ Bindings: RequestContext }>) =>
      serveRequest(env, {
        respond: async () => serve(env.url.path, req.param('file')),
        renderError: prepareJsonError,
      }),
    );
  add('/assets/:file/', serveAsset);
  add('/accents/:file/', (_, file) => serveAccent(file));
  return routes;
}

export class Routes {
  readonly #api: Router;
  readonly #others: Router = new Hono({ getPath: getRoutePath });

  constructor({ secrets, settings, transfers, cache, features, ...common }: RouteDependencies) {
    const { database, authenticator } = common;
    const { lists, archives: archiveDownloads, uploads, openResponses } = transfers;
    const { timeZone, playerHosts, filePlayers, strict: isStrict } = settings;
    const readSettings: ReadSettings = { timeZone, readUrl: (url) => common.addressRules.readUrl(url) };
    const deps = {
      ...common,
      timeZone,
      mediaUrl: settings.mediaUrl,
      importSecret: secrets.imports,
      maxFileBytes: uploads.maxBytes,
      spendUpload: (viewer: Viewer, bytes: number) => uploads.spend(authenticator.idOf(viewer), bytes),
      archiveDownloads,
    };
    const apiDeps: ApiDependencies = {
      ...deps,
      openResponses,
      records: new SubjectCache(database, cache.memory),
      cursorSecret: secrets.cursors,
    };
    const site = {
      isStrict,
      readSettings,
      files: siteFiles,
      home: { label: 'Gallery', href: features.pages ? '/' : '/api/v1/' },
      uploadLimiter: uploads,
      downloads: lists,
      writingOrigins: new WritingOrigins(settings.corsOrigins),
    };
    const rootLinks = features.rootLinks.flatMap((list) => list(settings));
    this.#api = createApiRoutes(apiDeps, site, new Hono({ getPath: getRoutePath }), {
      resources: features.resources,
      rootLinks,
    });
    this.#others.route('/', createProjectJsonRoutes(apiDeps, site));
    if (features.pages) {
      const ofFeatures = features.pages.createDependencies({
        database,
        settings,
        policy: common.addressRules,
        secret: secrets.sessions,
      });
      const pageDeps: PageDependencies = {
        ...deps,
        ...ofFeatures,
        features: features.pages.createParts(settings),
        readSettings,
        playerHosts,
        filePlayers,
        uploads,
        fragments: new FragmentCache(cache.memory),
        cards: new SubjectCache(database, cache.memory),
      };
      const offered = mapValues(features.pages.files, (find) => () => find(database, ofFeatures));
      this.#others.route('/', mediaRoutes(deps, offered));
      this.#others.route('/', features.pages.createRoutes(pageDeps));
    } else {
      this.#others.route('/', mediaRoutes(deps));
      this.#others.route('/', createAssetRoutes());
      this.#others.notFound(createNotFoundHandler(apiDeps, site));
    }
    for (const router of [this.#api, this.#others])
      router.onError((error, { env }) => respondWithError(env, error));
  }

  async fetch(context: RequestContext): Promise<Response> {
    return this.#routerFor(context).fetch(context.request, context);
  }

  /** The pattern of the route that responds to a request; of one that no route takes, `*`. */
  findPattern(context: RequestContext): string {
    const router = this.#routerFor(context);
    const [matches] = router.router.match('ALL', context.routePath);
    const patterns = matches.map(([[, route]]) => route.path);
    return (
      patterns.find((pattern) => !pattern.startsWith('/*')) ?? (router === this.#api ? `${apiPrefix}*` : '*')
    );
  }

  #routerFor({ routePath }: RequestContext): Router {
    return routePath.startsWith(apiPrefix) ? this.#api : this.#others;
  }
}
