// /api/v1/contributors/ and /api/v1/contributors/<id>/.

import { z } from 'zod';
import {
  contributorLimits,
  displayName,
  type VisibleContributor,
} from '../gallery/contributors/contributor.ts';
import { contributorOrders, findContributor, listContributors } from '../gallery/contributors/find.ts';
import { formatInstant } from '../gallery/instant.ts';
import { contributorPath } from '../gallery/paths.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { pageParameters, pageSchema, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './index.ts';
import { operation } from './operation.ts';
import { idParameter, idSchema, parsePathId } from './path-id.ts';

const shape = {
  id: idSchema,
  url: z.url().describe('The API’s URL of this contributor.'),
  html_url: z.url().describe('The contributor’s page.'),
  projects_url: z.url().describe('The contributor’s projects.'),
  username: z.string(),
  name: z.string().describe('The name that everybody sees: first and last name, or the username.'),
  first_name: z.string().describe('Empty if only the contributor and moderators see it.'),
  last_name: z.string().describe('Empty if only the contributor and moderators see it.'),
  created: z.string().describe('When the contributor joined.'),
};

export const contributorSchema = z
  .object(shape)
  .meta({ id: 'Contributor', description: 'A contributor of the gallery.' });

export const contributorPageSchema = pageSchema(contributorSchema).meta({
  id: 'ContributorPage',
  description: 'A page of contributors.',
});

/** By the value of `ordering`. */
const orders = new Map(
  Object.entries(contributorOrders).flatMap(
    ([name, column]) =>
      [
        [name, toOrder(column, false)],
        [`-${name}`, toOrder(column, true)],
      ] as const,
  ),
);

function toOrder(column: string, descending: boolean) {
  const id = { column: 'id', descending };
  return column === 'id' ? [id] : [{ column, descending }, id];
}

export function contributorResources({
  database,
  timeZone,
  cursorSecret,
}: ApiDependencies): Resource<Viewer>[] {
  return [
    {
      path: '/api/v1/contributors/',
      name: 'Contributor List',
      description: 'The contributors of the gallery, a page at a time.',
      operations: {
        GET: operation({
          summary: 'A page of contributors.',
          parameters: {
            username: {
              description: 'Only the contributor with this username.',
              schema: z.string().max(contributorLimits.username),
            },
            ordering: { description: 'By default `id`.', schema: z.enum([...orders.keys()]) },
            ...pageParameters,
          },
          permission: 'read',
          responseSchema: contributorPageSchema,
          async handle(context) {
            const order = orders.get(context.parameters.ordering ?? 'id') ?? [];
            const listing = listContributors(database, context.viewer, context.parameters.username, order);
            const serialize = (contributor: VisibleContributor) =>
              serializeContributor(contributor, context.origin, timeZone);
            return { data: await paginate(listing, context, cursorSecret, (page) => page.map(serialize)) };
          },
        }),
      },
    },
    {
      path: '/api/v1/contributors/:id/',
      pathParameters: idParameter('contributor’s'),
      name: 'Contributor Instance',
      description: 'A contributor of the gallery.',
      operations: {
        GET: operation({
          summary: 'The contributor.',
          permission: 'read',
          responseSchema: contributorSchema,
          async handle(context) {
            const contributor = await findContributor(database, context.viewer, parsePathId(context));
            return { data: serializeContributor(contributor, context.origin, timeZone) };
          },
        }),
      },
    },
  ];
}

export function serializeContributor(
  contributor: VisibleContributor,
  origin: string,
  timeZone: string,
): z.input<typeof contributorSchema> {
  const { id, username, first_name, last_name, created } = contributor;
  const { full_first_name = first_name, full_last_name = last_name } = contributor;
  return {
    id,
    url: `${origin}/api/v1/contributors/${id}/`,
    html_url: `${origin}${contributorPath(id, username)}`,
    projects_url: `${origin}/api/v1/projects/?contributor=${id}`,
    username,
    name: displayName(contributor),
    first_name: full_first_name,
    last_name: full_last_name,
    created: formatInstant(created, timeZone),
  };
}
