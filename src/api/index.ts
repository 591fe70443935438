// Every route of the API on one screen. A new resource is a file beside this one and a line here.

import { Hono } from 'hono';
import { version } from '../../package.json';
import type { ViewerAuthenticator } from '../authenticator.ts';
import type { Database } from '../database/open.ts';
import type { Files } from '../files/open.ts';
import type { SignUpParts } from '../gallery/accounts/sign-up.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { type OpenApiDocument, openApi } from '../rest/openapi.ts';
import type { RequestContext } from '../rest/request-context.ts';
import type { Resource } from '../rest/resource.ts';
import type { Site } from '../rest/site.ts';
import { View } from '../rest/view.ts';
import { accountAnswer, accountResource } from './accounts.ts';
import { authResources, authSchemas } from './auth/index.ts';
import { changesAnswer, changesResource } from './changes.ts';
import { commentsResource } from './comments.ts';
import { contributorAnswer, contributorPage, contributorResources } from './contributors.ts';
import { decisionAnswer, decisionPage, decisionResources } from './decisions.ts';
import { docsAnswer, docsResource } from './docs.tsx';
import { familyResources, lineageAnswer } from './family.ts';
import { meAnswer, meResources } from './me.ts';
import { mediaAnswer, mediaResources, mediaSchema } from './media.ts';
import { nothingHere } from './nothing-here.ts';
import { projectPage, projectResources } from './projects.ts';
import { ratingAnswer, ratingResource } from './ratings.ts';
import { partialRecordSchema, recordAnswer, recordSchema } from './record.ts';
import { reportAnswer, reportPage, reportResources, sentAnswer } from './reports.ts';
import { rootResource, rootSchema } from './root.ts';
import { schemaResource, schemaSchema } from './schema.ts';
import { tagPage, tagsResource } from './tags.ts';
import { trashResources } from './trash.ts';

export interface ApiParts {
  readonly database: Database;
  readonly files: Files;
  readonly projects: ProjectFinder;
  readonly accounts: SignUpParts;
  readonly authenticator: ViewerAuthenticator;
  readonly timeZone: string;
  /** Seals the cursors. */
  readonly secret: string;
}

const about = {
  title: 'Vitrine',
  version,
  description: 'The projects of a gallery.',
  licence: 'MIT',
};

const root = {
  path: '/api/v1/',
  name: 'Api Root',
  description: 'Where the gallery’s collections are.',
  links: '</api/v1/schema/>; rel="service-desc", </api/v1/docs/>; rel="service-doc"',
};

export function api(parts: ApiParts, site: Site): Hono<{ Bindings: RequestContext }> {
  const collections = {
    projects: '/api/v1/projects/',
    contributors: '/api/v1/contributors/',
    tags: '/api/v1/tags/',
    changes: '/api/v1/changes/',
  };
  const described: Resource<Viewer>[] = [
    rootResource(root, collections), //        /api/v1/
    ...projectResources(parts), //       /api/v1/projects/  and  /api/v1/projects/:id/
    ...familyResources(parts), //        /api/v1/projects/:id/  copy/  copies/  lineage/
    ratingResource(parts), //            /api/v1/projects/:id/rating/
    ...mediaResources(parts), //         /api/v1/projects/:id/media/  and  …/media/:number/
    commentsResource(parts), //          /api/v1/projects/:id/comments/
    ...trashResources(parts), //         /api/v1/trash/  and  /api/v1/projects/:id/restore/
    ...contributorResources(parts), //   /api/v1/contributors/  and  /api/v1/contributors/:id/
    accountResource(parts), //           /api/v1/contributors/:id/account/
    ...reportResources(parts), //        /api/v1/projects/:id/report/  and  /api/v1/reports/…
    ...decisionResources(parts), //      /api/v1/decisions/…
    ...meResources(parts), //            /api/v1/me/  and  /api/v1/me/dump/
    tagsResource(parts), //              /api/v1/tags/
    changesResource(parts), //           /api/v1/changes/
    ...authResources(parts), //          /api/v1/auth/…
  ];
  const named = [
    ...[rootSchema, schemaSchema, docsAnswer, recordSchema, partialRecordSchema, recordAnswer, projectPage],
    ...[lineageAnswer, ratingAnswer, contributorAnswer, contributorPage, meAnswer, tagPage, changesAnswer],
    ...[mediaSchema, mediaAnswer],
    ...[accountAnswer, sentAnswer, reportAnswer, reportPage, decisionAnswer, decisionPage],
    ...authSchemas,
  ];
  let made: OpenApiDocument | undefined;
  const document = () => {
    made ??= openApi(about, [...described, schema, docs], named);
    return made;
  };
  const schema = schemaResource(document); //   /api/v1/schema/
  const docs = docsResource(document); //       /api/v1/docs/

  const routes = new Hono<{ Bindings: RequestContext }>();
  for (const resource of [...described, schema, docs, nothingHere]) {
    const view = new View(resource, parts.authenticator, site);
    routes.all(resource.path, async ({ env, req }) => env.respond(await view.serve(env, req.param())));
  }
  return routes;
}
