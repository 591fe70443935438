// Every route of the API on one screen. A new resource is a file beside this one and a line here.

import { Hono } from 'hono';
import { version } from '../../package.json';
import type { SignUpParts } from '../gallery/accounts/sign-up.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import type { Reader } from '../gallery/readers.ts';
import { openApi } from '../rest/openapi.ts';
import type { Resource } from '../rest/resource.ts';
import { type Site, View } from '../rest/view.ts';
import type { Visit } from '../rest/visit.ts';
import { authResources, authSchemas } from './auth/index.ts';
import { nothingHere } from './nothing-here.ts';
import { projectPage, projectResources } from './projects.ts';
import type { Readers } from './readers.ts';
import { partialRecordSchema, recordAnswer, recordSchema } from './record.ts';
import { rootResource, rootSchema } from './root.ts';
import { schemaResource, schemaSchema } from './schema.ts';

export interface ApiParts {
  readonly projects: ProjectFinder;
  readonly accounts: SignUpParts;
  readonly readers: Readers;
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

export function api(
  { projects, accounts, readers, timeZone, secret }: ApiParts,
  site: Site,
): Hono<{ Bindings: Visit }> {
  const described: Resource<Reader>[] = [
    rootResource({ projects: '/api/v1/projects/' }), //   GET  /api/v1/
    ...projectResources(projects, timeZone, secret), //   GET  /api/v1/projects/  and  /api/v1/projects/:id/
    ...authResources({ accounts, readers, timeZone }), //      /api/v1/auth/…
  ];
  const named = [
    ...[rootSchema, schemaSchema, recordSchema, partialRecordSchema, recordAnswer, projectPage],
    ...authSchemas,
  ];
  const document = () => openApi(about, [...described, schema], named);
  const schema = schemaResource(document); //             GET  /api/v1/schema/

  const routes = new Hono<{ Bindings: Visit }>();
  for (const resource of [...described, schema, nothingHere]) {
    const view = new View(resource, readers, site);
    routes.all(resource.path, async ({ env, req }) => env.respond(await view.serve(env, req.param())));
  }
  return routes;
}
