// A whole API: its resources with their routes, its documents, its limits, and the files of its pages.

import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { NotSignedIn } from '../../common/src/errors.ts';
import { createLog, type Log } from '../../common/src/log.ts';
import { ownMemory } from '../../common/src/shared-memory.ts';
import { timeLimits } from '../../common/src/time-limits.ts';
import { describeDocuments, describeRoot, docsPath, notFoundResource, schemaPath } from './api-resources.ts';
import type { Authenticator } from './authenticator.ts';
import { WritingOrigins } from './cors.ts';
import { findOpenedUrl } from './documentation/try-form.tsx';
import { DownloadLimiter } from './download-limiter.ts';
import { prepareJsonError } from './error-responses.ts';
import { type Connections, Hosts } from './hosts.ts';
import { isSafe } from './methods.ts';
import type { OpenApiDocument } from './openapi/document.ts';
import { buildOpenApi } from './openapi/openapi.ts';
import { PageFiles, shortenCss } from './page-files.ts';
import { prepareResponse } from './prepared-response.ts';
import type { RequestContext } from './request-context.ts';
import type { Resource } from './resource.ts';
import { ResponseCache } from './response-cache.ts';
import { RequestServer, respondWithError, serveRequest, View } from './serve.ts';
import type { Site } from './site.ts';
import { Throttle } from './throttling.ts';
import { UploadLimiter } from './upload-limiter.ts';

const megabyte = 1_000_000;

export interface ApiOptions<Viewer> {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The path below which all resources are, such as `/api/`. */
  readonly root: string;
  readonly resources: readonly Resource<Viewer>[];
  readonly authenticator: Authenticator<Viewer>;
  /** The names of the server, in lower case: names with a dot before them for all their subdomains too, or * for all. */
  readonly allowedHosts: readonly string[];
  /** Networks of proxies whose X-Forwarded headers count. */
  readonly trustedProxies?: readonly string[];
  /** Other origins whose pages may write with a key. */
  readonly writingOrigins?: readonly string[];
  /** Of one viewer, or of one address without a key; by default any number. */
  readonly requestsPerMinute?: number;
  readonly maxUploadMegabytes?: number;
  /** A number that is another one after each change of the data. With it, responses to visitors are cached. */
  readonly generation?: () => number;
  /** By default one line of JSON for each request on the standard error. */
  readonly log?: Log;
}

export interface Api {
  /** A server for Bun, and one for Node, call it: see the README. Without connections, addresses are not known. */
  fetch(request: Request, connections?: Connections): Response | Promise<Response>;
  /** From now on every response closes its connection, and long downloads and uploads break. */
  drain(): void;
}

export function createApi<Viewer>(options: ApiOptions<Viewer>): Api {
  const { root, authenticator, log = createLog(process.stderr) } = options;
  const memory = ownMemory();
  const maxBytes = (options.maxUploadMegabytes ?? 20) * megabyte;
  const uploads = new UploadLimiter(maxBytes, undefined, maxBytes, memory);
  const downloads = new DownloadLimiter();
  const files = new PageFiles(`${root}assets/`);
  const site = createSite(options, files, uploads, downloads);
  const router = createRoutes(options, site, files);
  const { requestsPerMinute: limit, generation = () => undefined } = options;
  const server = new RequestServer({
    log,
    hosts: new Hosts(options.allowedHosts, options.trustedProxies ?? []),
    cache: new ResponseCache(20 * megabyte, { generation, hasChanged: () => true }),
    sharedCaching: undefined,
    timeoutMs: timeLimits.request,
    apiPrefix: root,
    limits: createLimits(
      authenticator,
      files,
      limit === undefined ? undefined : new Throttle('request', limit, memory),
    ),
    routes: {
      fetch: async (context) => router.fetch(context.request, context),
      findPattern: ({ routePath }) => routePath,
    },
    isWrite: ({ method }) => !isSafe(method),
    howToAllowHost: () => 'If it is yours, add it to allowedHosts.',
    respondToProbe: () => undefined,
    addHeaders: () => {},
    mailLanguageOf: () => undefined,
    languageKeyOf: () => undefined,
  });
  return {
    fetch: (request, connections = { peerAddress: () => undefined }) => server.fetch(request, connections),
    drain() {
      uploads.end();
      downloads.end();
      server.drain();
    },
  };
}

function createLimits<Viewer>(
  authenticator: Authenticator<Viewer>,
  files: PageFiles,
  throttle: Throttle | undefined,
) {
  return {
    admitAnonymous(context: RequestContext): void {
      if (throttle && !context.hasCredentials && !files.has(context.target))
        throttle.admit(context.clientAddress);
    },
    /** With a wrong key the request counts by its address: otherwise a client could send a new one each time. */
    async admitByCredential(context: RequestContext): Promise<void> {
      if (!context.hasCredentials || files.has(context.target)) return;
      const viewer = await context
        .withinTimeLimit(() => authenticator.identify(context))
        .catch((error) => {
          if (error instanceof NotSignedIn) return authenticator.anonymous;
          throw error;
        });
      if (viewer === authenticator.anonymous) throttle?.admit(context.clientAddress);
      else {
        context.allowLongBody();
        throttle?.admit(`viewer ${authenticator.idOf(viewer)}`);
      }
    },
  };
}

const readAsset = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');

function createSite<Viewer>(
  { title, root, writingOrigins = [] }: ApiOptions<Viewer>,
  files: PageFiles,
  uploadLimiter: UploadLimiter,
  downloads: DownloadLimiter,
): Site {
  const addScript = (name: string) => files.add(readAsset(name), 'js');
  const addStylesheet = (...names: string[]) => files.add(shortenCss(names.map(readAsset).join('\n')), 'css');
  return {
    isStrict: false,
    readSettings: { timeZone: 'UTC' },
    files: {
      stylesheet: addStylesheet('base.css', 'api.css'),
      scripts: ['copy.js', 'lookup.js', 'omit-empty.js'].map(addScript),
      documentation: { stylesheet: addStylesheet('docs.css'), script: addScript('docs.js') },
    },
    uploadLimiter,
    downloads,
    writingOrigins: new WritingOrigins(writingOrigins),
    loadIdentity: async () => ({ name: title, rootAttributes: {}, stylesheet: undefined }),
    root,
    home: { label: title, href: root },
    links: [
      { label: 'Documentation', href: docsPath(root) },
      { label: 'OpenAPI', href: schemaPath(root) },
    ],
  };
}

function createRoutes<Viewer>(options: ApiOptions<Viewer>, site: Site, files: PageFiles) {
  const { title, version, description, root, authenticator } = options;
  let built: OpenApiDocument | undefined;
  const document = () => {
    built ??= buildOpenApi({ title, version, description, root, choices: {} }, resources);
    return built;
  };
  const resources: Resource<Viewer>[] = [
    describeRoot(root, description, options.resources),
    ...options.resources,
    ...describeDocuments(root, document),
  ];
  const router = new Hono<{ Bindings: RequestContext }>({
    getPath: (_, { env } = {}) => (env as RequestContext | undefined)?.routePath ?? '',
  });
  router.get(`${root}assets/*`, ({ env }) =>
    serveRequest(env, { respond: async () => files.serve(env.target), renderError: prepareJsonError }),
  );
  // Of the forms that try an operation without script.
  router.get(`${docsPath(root)}open/`, ({ env }, next) => {
    const url = env.refusal ? undefined : findOpenedUrl(document(), env.url.query);
    if (url === undefined) return next();
    return Promise.resolve(env.respond(prepareResponse(302, { Location: url, 'Cache-Control': 'no-store' })));
  });
  for (const resource of resources) {
    const view = new View(resource, authenticator, site);
    router.all(resource.path, ({ env, req }) => view.serve(env, req.param()));
  }
  const notFound = new View<Viewer>(notFoundResource, authenticator, site);
  router.notFound(({ env }) => notFound.serve(env, {}));
  router.onError((error, { env }) => respondWithError(env, error));
  return router;
}
