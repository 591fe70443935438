// The routes of the API, the media files and the pages. Those of the API are found by themselves: most requests are for
// them, and the pages have three times as many.

import { Hono } from 'hono';
import type { ApiDependencies } from '../api/dependencies.ts';
import { apiPrefix, createApiRoutes, createProjectJsonRoutes } from '../api/index.ts';
import { RememberedRecords } from '../api/remembered-records.ts';
import type { ViewerAuthenticator } from '../authenticator.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import { SitemapRanges } from '../gallery/projects/reading/sitemap-ranges.ts';
import { Challenges } from '../gallery/sign-in/challenges.ts';
import { PendingSignIns } from '../gallery/sign-in/pending-sign-ins.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { siteFiles } from '../pages/assets.ts';
import { generateHandInArchive } from '../pages/hand-ins/archive.tsx';
import { createPageRoutes } from '../pages/index.ts';
import { FragmentCache } from '../pages/layout/fragment-cache.ts';
import { generateOwnArchive } from '../pages/own-data/archive.ts';
import type { PageDependencies } from '../pages/page.ts';
import { WritingOrigins } from '../rest/cors.ts';
import type { RequestContext } from '../rest/request-context.ts';
import { routePath } from '../rest/request-url.ts';
import type { ResponseCache } from '../rest/response-cache.ts';
import { respondWithError } from '../rest/serve-request.ts';
import type { appSettings, Settings } from '../settings/settings.ts';
import { createLearningPlatform, createSignInService } from './accounts.ts';
import { mediaRoutes } from './media-routes.ts';
import type { Transfers } from './transfers.ts';

type Router = Hono<{ Bindings: RequestContext }>;

interface RouteDependencies
  extends Pick<ApiDependencies, 'accounts' | 'changeSubscriptions' | 'projects' | 'webhookRules'>,
    Pick<PageDependencies, 'views'> {
  readonly database: Database;
  readonly files: FileStore;
  readonly secrets: Secrets;
  readonly settings: Settings<(typeof appSettings)[number]>;
  readonly authenticator: ViewerAuthenticator;
  readonly transfers: Transfers;
  readonly cache: ResponseCache;
}

/** The keys that sign what clients send back later. */
export interface Secrets {
  readonly cursors: string;
  readonly sessions: string;
}

export class Routes {
  readonly #api: Router;
  readonly #others: Router = new Hono({ getPath });

  constructor({ secrets, settings, transfers, cache, views, ...common }: RouteDependencies) {
    const { database, authenticator } = common;
    const { lists, ownData: ownDataDownloads, uploads, openResponses } = transfers;
    const { timeZone, playerHosts, filePlayers, strict: isStrict } = settings;
    const deps = {
      ...common,
      timeZone,
      offersPublicDump: settings.publicDump !== undefined,
      mediaUrl: settings.mediaUrl,
      importSecret: secrets.sessions,
      maxFileBytes: uploads.maxBytes,
      spendUpload: (viewer: Viewer, bytes: number) => uploads.spend(authenticator.idOf(viewer), bytes),
      ownDataDownloads,
    };
    const apiDeps: ApiDependencies = {
      ...deps,
      openResponses,
      records: new RememberedRecords(database, cache.memory),
      cursorSecret: secrets.cursors,
      generateOwnArchive: (...request) => generateOwnArchive(deps, ...request),
      generateHandInArchive: (archive) => generateHandInArchive(deps, archive),
    };
    const site = {
      isStrict,
      files: siteFiles,
      uploadLimiter: uploads,
      downloads: lists,
      writingOrigins: new WritingOrigins(settings.corsOrigins),
    };
    const pageDeps: PageDependencies = {
      ...deps,
      playerHosts,
      filePlayers,
      views,
      uploads,
      fragments: new FragmentCache(cache.memory),
      sitemap: new SitemapRanges(database),
      challenges: new Challenges(database, secrets.sessions),
      signInService: createSignInService(settings, common.webhookRules),
      learningPlatform: createLearningPlatform(settings, common.webhookRules),
      pendingSignIns: new PendingSignIns(secrets.sessions),
    };
    this.#api = createApiRoutes(apiDeps, site);
    this.#others.route('/', createProjectJsonRoutes(apiDeps, site));
    this.#others.route('/', mediaRoutes(deps));
    this.#others.route('/', createPageRoutes(pageDeps));
    for (const router of [this.#api, this.#others])
      router.onError((error, { env }) => respondWithError(env, error));
  }

  async fetch(context: RequestContext): Promise<Response> {
    return this.#routerFor(getPath(context.request)).fetch(context.request, context);
  }

  /** The pattern of the route that responds to a request; of one that no route takes, `*`. */
  findPattern(request: Request): string {
    const path = getPath(request);
    const router = this.#routerFor(path);
    const [matches] = router.router.match('ALL', path);
    const patterns = matches.map(([[, route]]) => route.path);
    return (
      patterns.find((pattern) => !pattern.startsWith('/*')) ?? (router === this.#api ? `${apiPrefix}*` : '*')
    );
  }

  #routerFor(path: string): Router {
    return path.startsWith(apiPrefix) ? this.#api : this.#others;
  }
}

function getPath(request: Request): string {
  return routePath(request, apiPrefix);
}
