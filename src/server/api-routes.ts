// All routes of the API. A new resource is a file in this folder and a line here.

import { Hono, type NotFoundHandler } from 'hono';
import { NotFound } from '#common/errors.ts';
import type { OpenApiDocument } from '#rest/openapi/document.ts';
import { buildOpenApi } from '#rest/openapi/openapi.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { View } from '#rest/serve.ts';
import type { Site, SiteIdentity } from '#rest/site.ts';
import { version } from '../../package.json';
import type { ApiDependencies } from '../core/api/dependencies.ts';
import { docsResources, openPath, respondWithOpenedUrl } from '../core/api/docs.ts';
import { type ApiResource, createResource, operation } from '../core/api/operation.ts';
import { rootResource } from '../core/api/root.ts';
import { type Feature, type Place, withAdded } from '../core/feature.ts';
import type { AppSettings } from '../core/settings/settings.ts';
import { accentPath } from '../core/site/accent.ts';
import { lookAttributes, type SiteSettings } from '../core/site/site-fields.ts';
import { loadSite } from '../core/site/site-settings.ts';
import { sessionCookieName } from '../core/viewer/authenticator.ts';
import type { Viewer } from '../core/viewer/viewer.ts';
import { answerResource } from '../projects/api/answers.ts';
import { commentsResource } from '../projects/api/comments.ts';
import { copyResources } from '../projects/api/copies.ts';
import { mediaResources } from '../projects/api/media.ts';
import { projectByUuidResource, projectResources } from '../projects/api/projects.ts';
import { ratingResource } from '../projects/api/ratings.ts';
import { tagsResource } from '../projects/api/tags.ts';
import { trashResources } from '../projects/api/trash.ts';
import { listChoices, schemaResource } from './api-schema.ts';

const apiInfo = {
  title: 'Vitrine',
  version,
  description:
    'The projects of a gallery. Bodies may also be forms, and every address is also a page for browsers. `OPTIONS` describes each resource.',
  license: 'MIT',
  root: '/api/v1/',
  sessionCookie: sessionCookieName,
  get choices() {
    return listChoices();
  },
};

const pageInfo = {
  root: apiInfo.root,
  links: [
    { label: 'Documentation', href: '/api/v1/docs/' },
    { label: 'OpenAPI', href: '/api/v1/schema/' },
  ],
  session: { label: 'Sign in', href: '/api/v1/auth/session/' },
};

const describeRoot = (links: readonly string[]) => ({
  path: apiInfo.root,
  operationId: 'getRoot',
  name: 'Api Root',
  heading: 'API',
  description: 'The collections of the gallery.',
  links: ['</api/v1/schema/>; rel="service-desc"', '</api/v1/docs/>; rel="service-doc"', ...links].join(', '),
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

/** By the names in them. */
const findPathsBelow = (root: string, views: readonly View<Viewer>[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    views.flatMap(({ resource: { path } }) => {
      const [name = '', rest] = path.startsWith(root) ? path.slice(root.length).split('/') : [];
      return name !== '' && rest === '' ? [[name, path]] : [];
    }),
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

type AddedResources = Place & { load(): Promise<{ readonly resources: readonly ApiResource[] }> };

declare module '../core/feature.ts' {
  interface Feature {
    /** Loaded when the server starts. In the OpenAPI document they stand before this path, or behind it. */
    readonly resources?: AddedResources | readonly AddedResources[];
    /** Links in the header of the root of the API. */
    readonly rootLinks?: ListRootLinks;
  }
}

export type ListRootLinks = (settings: AppSettings) => readonly string[];

export type LoadedResources = readonly (Place & { readonly entries: readonly ApiResource[] })[];

export const loadResources = (features: readonly Feature[]): Promise<LoadedResources> =>
  Promise.all(
    features
      .flatMap(({ resources = [] }) => resources)
      .map(async (added) => ({ ...added, entries: (await added.load()).resources })),
  );

/** The routes below /api/: by themselves they are found faster than among those of all pages. */
export function createApiRoutes(
  deps: ApiDependencies,
  site: SiteOptions,
  routes: Routes,
  {
    resources: added,
    rootLinks,
  }: { readonly resources: LoadedResources; readonly rootLinks: readonly string[] },
): Routes {
  let cachedDocument: OpenApiDocument | undefined;
  const document = () => {
    cachedDocument ??= buildOpenApi(
      apiInfo,
      views.map(({ resource }) => resource),
    );
    return cachedDocument;
  };
  const resources = [
    rootResource(describeRoot(rootLinks), () => collections), //        /api/v1/
    ...projectResources, //       /api/v1/projects/  and  /api/v1/projects/:id/
    ...copyResources, //          /api/v1/projects/:id/  copy/  and  copies/
    ...[ratingResource, answerResource], //  /api/v1/projects/:id/  rating/  and  answer/
    ...mediaResources, //         /api/v1/projects/:id/media/  and  …/media/:number/
    commentsResource, //          /api/v1/projects/:id/comments/
    ...trashResources, //         /api/v1/trash/  and  /api/v1/projects/:id/restore/
    tagsResource, //              /api/v1/tags/
    rootResource(authRoot, () => findPathsBelow(authRoot.path, views)), //  /api/v1/auth/
    schemaResource(document), //  /api/v1/schema/
    ...docsResources(document), //  /api/v1/docs/  and  /api/v1/docs/:resource/
  ];
  const views: readonly View<Viewer>[] = withAdded(resources, ({ path }) => path, added).map((resource) =>
    createView(resource, deps, site),
  );
  routes.notFound(createNotFoundHandler(deps, site));
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
    env.url.query.get('format') === 'json' ? view.serve(env, req.param()) : next(),
  );
}

/** For all URLs that nothing else has. */
export function createNotFoundHandler(
  deps: ApiDependencies,
  site: SiteOptions,
): NotFoundHandler<{ Bindings: RequestContext }> {
  const view = createView(notFoundResource, deps, site);
  return ({ env }) => view.serve(env, {});
}

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
