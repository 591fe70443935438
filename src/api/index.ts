// All routes of the API. A new resource is a file in this folder and a line here.

import { Hono } from 'hono';
import { version } from '../../package.json';
import { sessionCookieName } from '../authenticator.ts';
import { NotFound } from '../common/errors.ts';
import { publicDumpPath, publicDumpType } from '../gallery/public-dump.ts';
import { accentPath } from '../gallery/site/accent.ts';
import { lookAttributes, type SiteSettings } from '../gallery/site/fields.ts';
import { loadSite } from '../gallery/site/settings.ts';
import type { OpenApiDocument } from '../rest/openapi/document.ts';
import { buildOpenApi } from '../rest/openapi/openapi.ts';
import type { RequestContext } from '../rest/request-context.ts';
import { parseRequestUrl, routePath } from '../rest/request-url.ts';
import type { Site, SiteIdentity } from '../rest/site.ts';
import { View } from '../rest/view.ts';
import { accountResource } from './accounts.ts';
import { answerResource } from './answers.ts';
import { keyResources } from './auth/keys.ts';
import { sessionResource, tokenResource } from './auth/session.ts';
import { passwordResource, sessionsResources } from './auth/sessions.ts';
import { invitationsResource, signUpResource } from './auth/sign-up.ts';
import { bookmarkResources } from './bookmarks.ts';
import { changeStreamResource } from './change-stream.ts';
import { changeHeadResource, changesResource } from './changes.ts';
import { collectionResources } from './collections.ts';
import { commentsResource } from './comments.ts';
import { contributorResources, nameReportResource } from './contributors.ts';
import { decisionResources } from './decisions.ts';
import type { ApiDependencies } from './dependencies.ts';
import { docsResources, openPath, respondWithOpenedUrl } from './docs.tsx';
import { featuredResource } from './featured.ts';
import { followingResources } from './following.ts';
import { handInResources } from './hand-ins.ts';
import { historyResources } from './history.ts';
import { lineageResources } from './lineage.ts';
import { meResource } from './me.ts';
import { mediaResources } from './media.ts';
import { notificationResources } from './notifications.ts';
import { type ApiResource, createResource, operation } from './operation.ts';
import { ownDataResources } from './own-data.ts';
import { projectByUuidResource, projectResources } from './projects.ts';
import { ratingResource } from './ratings.ts';
import { reportResources } from './reports.ts';
import { reviewResource } from './review.ts';
import { rootResource } from './root.ts';
import { choices, schemaResource } from './schema.ts';
import { tagsResource } from './tags.ts';
import { trashResources } from './trash.ts';
import { webhookResources } from './webhooks.ts';

const apiInfo = {
  title: 'Vitrine',
  version,
  description:
    'The projects of a gallery. Bodies may also be forms, and every address is also a page for browsers. `OPTIONS` describes each resource.',
  license: 'MIT',
  root: '/api/v1/',
  sessionCookie: sessionCookieName,
  choices,
};

const pageInfo = {
  root: apiInfo.root,
  home: { label: 'Gallery', href: '/' },
  links: [
    { label: 'Documentation', href: '/api/v1/docs/' },
    { label: 'OpenAPI', href: '/api/v1/schema/' },
  ],
  session: { label: 'Sign in', href: '/api/v1/auth/session/' },
};

const describeRoot = ({ offersPublicDump }: Pick<ApiDependencies, 'offersPublicDump'>) => ({
  path: apiInfo.root,
  operationId: 'getRoot',
  name: 'Api Root',
  heading: 'API',
  description: 'The collections of the gallery.',
  links: [
    '</api/v1/schema/>; rel="service-desc"',
    '</api/v1/docs/>; rel="service-doc"',
    '</.well-known/api-catalog>; rel="api-catalog"',
    ...(offersPublicDump ? [`<${publicDumpPath}>; rel="alternate"; type="${publicDumpType}"`] : []),
  ].join(', '),
});

const collections = {
  projects: '/api/v1/projects/',
  contributors: '/api/v1/contributors/',
  tags: '/api/v1/tags/',
  changes: '/api/v1/changes/',
};

const authRoot = {
  path: '/api/v1/auth/',
  operationId: 'getAuthRoot',
  name: 'Auth Root',
  description: 'The resources for signing in.',
};

const authPaths = Object.fromEntries(
  ['token', 'session', 'sessions', 'sign-up', 'password', 'keys', 'invitations'].map((name) => [
    name,
    `${authRoot.path}${name}/`,
  ]),
);

const toIdentity = (settings: SiteSettings): SiteIdentity => ({
  name: `${settings.name} API`,
  rootAttributes: lookAttributes(settings),
  stylesheet: accentPath(settings),
});

export const apiPrefix = '/api/';

type Routes = Hono<{ Bindings: RequestContext }>;
type SiteOptions = Omit<Site, keyof typeof pageInfo | 'loadIdentity'>;

const createView = (resource: ApiResource, deps: ApiDependencies, site: SiteOptions) =>
  new View(createResource(resource, deps), deps.authenticator, {
    ...site,
    ...pageInfo,
    loadIdentity: async (hostname) => toIdentity(await loadSite(deps.database, hostname)),
  });

/** The routes below /api/: by themselves they are found faster than among those of all pages. */
export function createApiRoutes(deps: ApiDependencies, site: SiteOptions): Routes {
  let cachedDocument: OpenApiDocument | undefined;
  const document = () => {
    cachedDocument ??= buildOpenApi(
      apiInfo,
      views.map(({ resource }) => resource),
    );
    return cachedDocument;
  };
  const views = [
    rootResource(describeRoot(deps), collections), //        /api/v1/
    ...projectResources, //       /api/v1/projects/  and  /api/v1/projects/:id/
    ...lineageResources, //        /api/v1/projects/:id/  copy/  copies/  lineage/
    ...historyResources, //       /api/v1/projects/:id/history/  and  …/:number/redact/
    ...[ratingResource, answerResource, featuredResource], //  /api/v1/projects/:id/  rating/,  answer/  and  featured/
    ...collectionResources, //    /api/v1/projects/:id/  items/…  and  people/…
    ...handInResources, //        /api/v1/projects/:id/  hand-ins/  and  hand-ins/archive/
    ...mediaResources, //         /api/v1/projects/:id/media/  and  …/media/:number/
    commentsResource, //          /api/v1/projects/:id/comments/
    ...trashResources,
    reviewResource, //         /api/v1/trash/  and  /api/v1/projects/:id/restore/
    ...contributorResources, //   /api/v1/contributors/  and  /api/v1/contributors/:id/
    nameReportResource, //        /api/v1/contributors/:id/report/
    accountResource, //           /api/v1/contributors/:id/account/
    ...reportResources, //        /api/v1/projects/:id/report/  and  /api/v1/reports/…
    ...decisionResources, //      /api/v1/decisions/…
    meResource, //                /api/v1/me/
    ...ownDataResources, //       /api/v1/me/dump/  and  /api/v1/me/import/
    ...notificationResources, //  /api/v1/me/notifications/  and  …/mark-read/  and  …/:id/
    ...[followingResources, bookmarkResources].flat(), //  /api/v1/me/following/…  and  …/bookmarks/
    tagsResource, //              /api/v1/tags/
    changesResource, //           /api/v1/changes/
    changeHeadResource, //        /api/v1/changes/head/
    changeStreamResource, //      /api/v1/changes/stream/
    ...webhookResources, //       /api/v1/webhooks/…
    rootResource(authRoot, authPaths), //  /api/v1/auth/
    tokenResource, //             /api/v1/auth/token/
    sessionResource, //           /api/v1/auth/session/
    ...sessionsResources, //      /api/v1/auth/sessions/  and  /api/v1/auth/sessions/:id/
    signUpResource, //            /api/v1/auth/sign-up/
    passwordResource, //          /api/v1/auth/password/
    ...keyResources, //           /api/v1/auth/keys/  and  /api/v1/auth/keys/:id/
    invitationsResource, //       /api/v1/auth/invitations/
    schemaResource(document), //  /api/v1/schema/
    ...docsResources(document), //  /api/v1/docs/  and  /api/v1/docs/:resource/
  ].map((resource) => createView(resource, deps, site));
  const routes: Routes = new Hono({ getPath: (request) => routePath(request, apiPrefix) });
  const notFound = createView(notFoundResource, deps, site);
  routes.notFound(({ env }) => notFound.serve(env, {}));
  routes.get(openPath, ({ env }, next) => {
    const response = respondWithOpenedUrl(env, document());
    return response ? Promise.resolve(response) : next();
  });
  for (const view of views) routes.all(view.resource.path, ({ env, req }) => view.serve(env, req.param()));
  return routes;
}

/** /content/:uuid/:slug/?format=json */
export function createProjectJsonRoutes(deps: ApiDependencies, site: SiteOptions): Routes {
  const view = createView(projectByUuidResource, deps, site);
  const routes: Routes = new Hono();
  return routes.all(view.resource.path, ({ env, req }, next) =>
    parseRequestUrl(env.path).query.get('format') === 'json' ? view.serve(env, req.param()) : next(),
  );
}

/** For all URLs that no other resource has. */
const notFoundResource: ApiResource = {
  path: '/api/*',
  name: 'Not Found',
  description: 'There is nothing at this address.',
  GET: operation({
    operationId: 'getNothing',
    summary: 'Nothing.',
    permission: 'read',
    async handle() {
      throw new NotFound();
    },
  }),
};
