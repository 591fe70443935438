// /api/v1/projects/ and /api/v1/projects/<id>/.

import { z } from 'zod';
import type { Reader } from '../database/open.ts';
import { Invalid } from '../errors.ts';
import { readFields } from '../fields.ts';
import { insertFiles } from '../gallery/media/change.ts';
import { projectFileFields } from '../gallery/media/fields.ts';
import { prepareUploads } from '../gallery/media/prepare.ts';
import { authorize } from '../gallery/permissions.ts';
import { changeProject, createProject, moveToTrash } from '../gallery/projects/change.ts';
import { projectFields } from '../gallery/projects/fields.ts';
import { parseOrder, sortFields } from '../gallery/projects/order.ts';
import type { Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { pageParameters, pageSchema, paginate } from '../rest/pagination.ts';
import type { OperationContext, OperationResult, Parameters, Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './index.ts';
import { idParameter, parsePathId } from './path-id.ts';
import {
  createProjectSerializer,
  memberParameters,
  projectResponseSchema,
  withReadOnlyFields,
} from './project-serializer.ts';
import { requirePermission } from './require-permission.ts';
import { buildVersionCheck, idempotencyKeyHeader, ifMatchHeader, transactOnce } from './transact.ts';

export const projectPageSchema = pageSchema(projectResponseSchema).meta({
  id: 'ProjectPage',
  description: 'A page of projects.',
});

const orderingParameter: Parameters = {
  ordering: {
    description: `One or more of ${Object.keys(sortFields).join(', ')}, separated by commas, each with a - for descending. By default newest first, or in a search best match first.`,
    schema: z.string(),
  },
};

export const projectIdParameter = idParameter('project’s');

export function projectResources(deps: ApiDependencies): Resource<Viewer>[] {
  const { database, files, projects, timeZone, cursorSecret } = deps;
  const { filters } = projects;
  const fields = withReadOnlyFields(projectFields);
  const checkObjectPermission = checkCanChangeProject(deps);
  const updateOperation = (isPartial: boolean) => (context: OperationContext<Viewer>) =>
    transactOnce(database, context, async (write) => {
      const read = () => readFields(fields, context.body.data, { isPartial, isStrict: context.isStrict });
      return toProjectResult(
        deps,
        context,
        await changeProject(write, parsePathId(context), buildVersionCheck(context), read),
        write.transaction,
      );
    });

  return [
    {
      path: '/api/v1/projects/',
      name: 'Content List',
      description: 'The gallery’s projects, a page at a time.',
      operations: {
        GET: {
          summary: 'A page of projects.',
          parameters: { ...filters, ...orderingParameter, ...pageParameters, ...memberParameters },
          checkPermission: requirePermission('read'),
          responseSchema: projectPageSchema,
          async handle(context) {
            const { order, dropped } = parseOrder(context.parameters.get('ordering')?.text ?? '');
            if (context.isStrict && dropped.length) rejectUnknownSortFields(dropped);
            const listing = projects.list(
              context.viewer,
              projects.toAppliedFilters(context.parameters),
              order,
            );
            const serialize = createProjectSerializer(
              context.parameters,
              { origin: context.origin, timeZone },
              database,
            );
            return { data: await paginate(listing, context, cursorSecret, serialize) };
          },
        },
        POST: {
          summary: 'Creates a project.',
          parameters: memberParameters,
          headers: idempotencyKeyHeader,
          fields: { ...fields, ...projectFileFields },
          acceptsFiles: true,
          checkPermission: requirePermission('makeProject'),
          status: 201,
          responseSchema: projectResponseSchema,
          async handle(context) {
            const writableFields = { ...fields, ...projectFileFields };
            const {
              file = [],
              alt = [],
              ...values
            } = readFields(writableFields, context.body.data, { isStrict: context.isStrict });
            const prepared = await prepareUploads(files, file);
            return transactOnce(database, context, async (write) => {
              const project = await createProject(write, values);
              await insertFiles(write.transaction, project, prepared, alt);
              return toCreatedResult(deps, context, project, write.transaction);
            });
          },
        },
      },
    },
    {
      path: '/api/v1/projects/:id/',
      pathParameters: projectIdParameter,
      name: 'Content Instance',
      description: 'One of the gallery’s projects.',
      operations: {
        GET: {
          summary: 'The project.',
          parameters: { ...filters, ...memberParameters },
          checkPermission: requirePermission('read'),
          responseSchema: projectResponseSchema,
          async handle(context) {
            const choices = projects.toAppliedFilters(context.parameters);
            return toProjectResult(
              deps,
              context,
              await projects.find(context.viewer, parsePathId(context), choices),
            );
          },
        },
        PUT: {
          summary: 'Replaces the project’s writable members; those that are not sent keep their value.',
          parameters: memberParameters,
          headers: ifMatchHeader,
          fields,
          checkPermission: requirePermission('changeProject'),
          checkObjectPermission,
          responseSchema: projectResponseSchema,
          handle: updateOperation(false),
        },
        PATCH: {
          summary: 'Changes some of the project’s members.',
          parameters: memberParameters,
          headers: ifMatchHeader,
          fields,
          checkPermission: requirePermission('changeProject'),
          checkObjectPermission,
          responseSchema: projectResponseSchema,
          handle: updateOperation(true),
        },
        DELETE: {
          summary: 'Moves the project to the trash.',
          headers: ifMatchHeader,
          checkPermission: requirePermission('trashProject'),
          checkObjectPermission,
          status: 204,
          handle: (context) =>
            transactOnce(database, context, async (write) => {
              await moveToTrash(write, parsePathId(context), buildVersionCheck(context));
              return { status: 204 };
            }),
        },
      },
    },
  ];
}

/** The result for an operation that returns a project. */
export async function toProjectResult(
  { database, timeZone }: ApiDependencies,
  context: OperationContext<Viewer>,
  project: Project,
  reader: Reader = database,
): Promise<OperationResult> {
  const [data] = await createProjectSerializer(
    context.parameters,
    { origin: context.origin, timeZone },
    reader,
  )([project]);
  return { data, lastModified: project.touched, version: project.touched, subjectId: project.id };
}

/** The result for an operation that has created a project. */
export async function toCreatedResult(
  deps: ApiDependencies,
  context: OperationContext<Viewer>,
  project: Project,
  reader: Reader,
): Promise<OperationResult> {
  const headers = { Location: `${context.origin}/api/v1/projects/${project.id}/` };
  return { ...(await toProjectResult(deps, context, project, reader)), status: 201, headers };
}

/** Throws if the viewer may not change the project in the path. */
export const checkCanChangeProject =
  ({ projects }: ApiDependencies) =>
  async (context: OperationContext<Viewer>): Promise<void> => {
    const project = await projects.find(context.viewer, parsePathId(context));
    authorize(context.viewer, project.status === 3 ? 'removeProject' : 'changeProject', project.contributor);
  };

function rejectUnknownSortFields(dropped: string[]): never {
  throw new Invalid({
    ordering: [
      `Not used: ${dropped.join(', ')}. Known are: ${Object.keys(sortFields).join(', ')}, each with an optional -.`,
    ],
  });
}
