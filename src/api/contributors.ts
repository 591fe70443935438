// /api/v1/contributors/ and /api/v1/contributors/<id>/: who makes things here.

import { z } from 'zod';
import { contributorPath } from '../gallery/addresses.ts';
import { type Contributor, displayName } from '../gallery/contributors/contributor.ts';
import { contributorOrders, contributors, findContributor } from '../gallery/contributors/find.ts';
import { formatInstant } from '../gallery/instant.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { envelope, pageParameters, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier, idParameter } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';

const person = {
  id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  url: z.url().describe('The API’s address of this contributor.'),
  html_url: z.url().describe('The contributor’s page.'),
  projects_url: z.url().describe('What they made.'),
  username: z.string(),
  name: z.string().describe('First and last name, else the username.'),
  first_name: z.string(),
  last_name: z.string(),
  created: z.string().describe('Since when they are here.'),
};

export const contributorAnswer = z
  .object(person)
  .meta({ id: 'Contributor', description: 'Somebody who makes things here.' });

export const contributorPage = envelope(contributorAnswer).meta({
  id: 'ContributorPage',
  description: 'A page of contributors.',
});

const orderings = Object.keys(contributorOrders).flatMap((name) => [name, `-${name}`]);

export function contributorResources({ database, timeZone, secret }: ApiParts): Resource<Viewer>[] {
  return [
    {
      path: '/api/v1/contributors/',
      name: 'Contributor List',
      description: 'Who makes things here, a page at a time.',
      operations: {
        GET: {
          summary: 'A page of contributors.',
          parameters: {
            username: { description: 'Only the one of this name.', schema: z.string().max(150) },
            ordering: { description: 'By `id` unless given.', schema: z.enum(orderings) },
            ...pageParameters,
          },
          permission: needs('read'),
          answer: contributorPage,
          async handle(call) {
            const order = orderOf(call.given.get('ordering')?.text ?? 'id');
            const people = contributors(database, call.given.get('username')?.text, order);
            const render = (one: Contributor) => shown(one, call.base, timeZone);
            return { data: await paginate(people, call, secret, (some) => some.map(render)) };
          },
        },
      },
    },
    {
      path: '/api/v1/contributors/:id/',
      pathParameters: idParameter('contributor’s'),
      name: 'Contributor Instance',
      description: 'Somebody who makes things here.',
      operations: {
        GET: {
          summary: 'The contributor.',
          permission: needs('read'),
          answer: contributorAnswer,
          async handle(call) {
            const found = await findContributor(database, identifier(call));
            return { data: shown(found, call.base, timeZone) };
          },
        },
      },
    },
  ];
}

function orderOf(text: string) {
  const descending = text.startsWith('-');
  const column = contributorOrders[text.replace('-', '') as keyof typeof contributorOrders];
  return column === 'id'
    ? [{ column, descending }]
    : [
        { column, descending },
        { column: 'id', descending },
      ];
}

export function shown(one: Contributor, base: string, zone: string): z.input<typeof contributorAnswer> {
  const { id, username, first_name, last_name, created } = one;
  return {
    id,
    url: `${base}/api/v1/contributors/${id}/`,
    html_url: `${base}${contributorPath(id, username)}`,
    projects_url: `${base}/api/v1/projects/?contributor=${id}`,
    ...{ username, name: displayName(one), first_name, last_name, created: formatInstant(created, zone) },
  };
}
