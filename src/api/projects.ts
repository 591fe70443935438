// /api/v1/projects/ and /api/v1/projects/<id>/.

import { z } from 'zod';
import { Invalid, NotFound, Unavailable } from '../errors.ts';
import { parseId } from '../gallery/ids.ts';
import type { Act } from '../gallery/permissions.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import { parseOrder, sortFields } from '../gallery/projects/order.ts';
import type { Reader } from '../gallery/readers.ts';
import { envelope, pageParameters, paginate } from '../rest/pagination.ts';
import type { Operation, Parameters, Resource } from '../rest/resource.ts';
import { needs } from './readers.ts';
import { recordAnswer, recordParameters, recordRenderer } from './record.ts';

export const projectPage = envelope(recordAnswer).meta({
  id: 'ProjectPage',
  description: 'A page of projects.',
});

const ordering: Parameters = {
  ordering: {
    description: `One or more of ${Object.keys(sortFields).join(', ')}, parted by commas, each with a - for descending. Unless given, newest first, and of a search best first.`,
    schema: z.string(),
  },
};

const write = (act: Act, summary: string): Operation<Reader> => ({
  summary,
  permission: needs(act),
  async handle() {
    throw new Unavailable();
  },
});

export function projectResources(projects: ProjectFinder, zone: string, secret: string): Resource<Reader>[] {
  const { filters } = projects;

  return [
    {
      path: '/api/v1/projects/',
      name: 'Content List',
      description: 'The gallery’s projects, a page at a time.',
      operations: {
        GET: {
          summary: 'A page of projects.',
          parameters: { ...filters, ...ordering, ...pageParameters, ...recordParameters },
          permission: needs('read'),
          answer: projectPage,
          async handle(call) {
            const { order, dropped } = parseOrder(call.given.get('ordering')?.text ?? '');
            if (call.strict && dropped.length) refuseTerms(dropped);
            const listing = projects.listing(call.caller, projects.choicesOf(call.given), order);
            const render = recordRenderer(call.given, { base: call.base, zone });
            return { data: await paginate(listing, call, secret, render) };
          },
        },
        POST: write('makeProject', 'Makes a project.'),
      },
    },
    {
      path: '/api/v1/projects/:id/',
      pathParameters: {
        id: { description: 'The project’s identifier.', schema: z.string().regex(/^[1-9][0-9]{0,15}$/) },
      },
      name: 'Content Instance',
      description: 'One of the gallery’s projects.',
      operations: {
        GET: {
          summary: 'The project.',
          parameters: { ...filters, ...recordParameters },
          permission: needs('read'),
          answer: recordAnswer,
          async handle(call) {
            const project = await projects.one(
              call.caller,
              identifier(call.params.id),
              projects.choicesOf(call.given),
            );
            const render = recordRenderer(call.given, { base: call.base, zone });
            return { data: render(project), lastModified: project.touched };
          },
        },
        PUT: write('changeProject', 'Replaces the project’s writable members.'),
        PATCH: write('changeProject', 'Changes some of the project’s members.'),
        DELETE: write('trashProject', 'Takes the project away.'),
      },
    },
  ];
}

function identifier(text = ''): number {
  const id = parseId(text);
  if (id === undefined) throw new NotFound();
  return id;
}

function refuseTerms(dropped: string[]): never {
  throw new Invalid({
    ordering: [
      `Not used: ${dropped.join(', ')}. Known are: ${Object.keys(sortFields).join(', ')}, each with an optional -.`,
    ],
  });
}
