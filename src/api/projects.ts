// /api/v1/projects/ and /api/v1/projects/<id>/.

import { z } from 'zod';
import type { Reads } from '../database/open.ts';
import { Invalid } from '../errors.ts';
import { readFields } from '../fields.ts';
import { add } from '../gallery/media/change.ts';
import { filesOfProject } from '../gallery/media/fields.ts';
import { prepareUploads } from '../gallery/media/prepare.ts';
import { authorize } from '../gallery/permissions.ts';
import { change, make, trash } from '../gallery/projects/change.ts';
import { projectFields } from '../gallery/projects/fields.ts';
import { parseOrder, sortFields } from '../gallery/projects/order.ts';
import type { Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { envelope, pageParameters, paginate } from '../rest/pagination.ts';
import type { Call, Parameters, Resource, Success } from '../rest/resource.ts';
import { identifier, idParameter } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { asFields, recordAnswer, recordParameters, recordRenderer } from './record.ts';
import { countsOnce, fits, ifUnchanged, transactOnce } from './transact.ts';

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

export const projectId = idParameter('project’s');

export function projectResources(parts: ApiParts): Resource<Viewer>[] {
  const { database, files, projects, timeZone: zone, secret } = parts;
  const { filters } = projects;
  const fields = asFields(projectFields);
  const allowed = mayChange(parts);
  const changeBy = (partial: boolean) => (call: Call<Viewer>) =>
    transactOnce(database, call, async (act) => {
      const read = () => readFields(fields, call.body.data, { partial, strict: call.strict });
      return told(parts, call, await change(act, identifier(call), fits(call), read), act.transaction);
    });

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
            const listing = projects.listing(call.viewer, projects.choicesOf(call.given), order);
            const render = recordRenderer(call.given, { base: call.base, zone }, database);
            return { data: await paginate(listing, call, secret, render) };
          },
        },
        POST: {
          summary: 'Makes a project.',
          parameters: recordParameters,
          headers: countsOnce,
          fields: { ...fields, ...filesOfProject },
          takesFiles: true,
          permission: needs('makeProject'),
          status: 201,
          answer: recordAnswer,
          async handle(call) {
            const known = { ...fields, ...filesOfProject };
            const {
              file = [],
              alt = [],
              ...values
            } = readFields(known, call.body.data, { strict: call.strict });
            const prepared = await prepareUploads(files, file);
            return transactOnce(database, call, async (act) => {
              const project = await make(act, values);
              await add(act.transaction, project, prepared, alt);
              return made(parts, call, project, act.transaction);
            });
          },
        },
      },
    },
    {
      path: '/api/v1/projects/:id/',
      pathParameters: projectId,
      name: 'Content Instance',
      description: 'One of the gallery’s projects.',
      operations: {
        GET: {
          summary: 'The project.',
          parameters: { ...filters, ...recordParameters },
          permission: needs('read'),
          answer: recordAnswer,
          async handle(call) {
            const choices = projects.choicesOf(call.given);
            return told(parts, call, await projects.one(call.viewer, identifier(call), choices));
          },
        },
        PUT: {
          summary: 'Replaces the project’s writable members; those that are not sent keep their value.',
          parameters: recordParameters,
          headers: ifUnchanged,
          fields,
          permission: needs('changeProject'),
          allowed,
          answer: recordAnswer,
          handle: changeBy(false),
        },
        PATCH: {
          summary: 'Changes some of the project’s members.',
          parameters: recordParameters,
          headers: ifUnchanged,
          fields,
          permission: needs('changeProject'),
          allowed,
          answer: recordAnswer,
          handle: changeBy(true),
        },
        DELETE: {
          summary: 'Puts the project into the trash.',
          headers: ifUnchanged,
          permission: needs('trashProject'),
          allowed,
          status: 204,
          handle: (call) =>
            transactOnce(database, call, async (act) => {
              await trash(act, identifier(call), fits(call));
              return { status: 204 };
            }),
        },
      },
    },
  ];
}

/** The record of a project. */
export async function told(
  { database, timeZone: zone }: ApiParts,
  call: Call<Viewer>,
  project: Project,
  reads: Reads = database,
): Promise<Success> {
  const [data] = await recordRenderer(call.given, { base: call.base, zone }, reads)([project]);
  return { data, lastModified: project.touched, version: project.touched, about: project.id };
}

/** The record of a project that was not there before. */
export async function made(
  parts: ApiParts,
  call: Call<Viewer>,
  project: Project,
  reads: Reads,
): Promise<Success> {
  const headers = { Location: `${call.base}/api/v1/projects/${project.id}/` };
  return { ...(await told(parts, call, project, reads)), status: 201, headers };
}

/** Throws what keeps the caller from changing the project that is named in the path. */
export const mayChange =
  ({ projects }: ApiParts) =>
  async (call: Call<Viewer>): Promise<void> => {
    const project = await projects.one(call.viewer, identifier(call));
    authorize(call.viewer, project.status === 3 ? 'removeProject' : 'changeProject', project.contributor);
  };

function refuseTerms(dropped: string[]): never {
  throw new Invalid({
    ordering: [
      `Not used: ${dropped.join(', ')}. Known are: ${Object.keys(sortFields).join(', ')}, each with an optional -.`,
    ],
  });
}
