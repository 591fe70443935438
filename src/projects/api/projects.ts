// /api/v1/projects/ and /api/v1/projects/<id>/.

import { toJson } from '#common/json.ts';
import {
  createRecordListing,
  pageParameters,
  pageSchema,
  paginateJson,
  type RecordListing,
} from '#rest/pagination.ts';
import type { Operation, OperationResult, Query } from '#rest/resource.ts';
import type { Phrase, Reader } from '#sql';
import { isLookedAfter, noIndexHeaders } from '../../core/accounts/looked-after.ts';
import type { ApiDependencies } from '../../core/api/dependencies.ts';
import {
  type ApiContext,
  type ApiOperation,
  type ApiResource,
  idempotencyKeyHeader,
  idParameter,
  ifMatchHeader,
  listOperation,
  operation,
  orderingParameter,
  parsePathId,
} from '../../core/api/operation.ts';
import { transactOnce, type WriteContext } from '../../core/changes/write.ts';
import { prepareUploads } from '../../core/files/prepare.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { projectFileFields } from '../media/file-fields.ts';
import type { Project } from '../project.ts';
import { isAsStored, projectFields } from '../project-fields.ts';
import { oldestFirst, projectSorting } from '../project-order.ts';
import { projectFilters } from '../reading/filters.ts';
import type { ProjectList } from '../reading/find-projects.ts';
import { idColumn, type ListedRow } from '../reading/listing.ts';
import { changeProject, moveToTrash } from '../writing/change-project.ts';
import { authorizeChange } from '../writing/changeable.ts';
import { createProject, findProblems, isIndependentProject } from '../writing/create.ts';
import { newProjectExample } from './examples.ts';
import {
  createProjectSerializer,
  hasDefaultMembers,
  memberNames,
  memberParameters,
  projectSchema,
  withReadOnlyFields,
} from './project-serializer.ts';

export const projectPageSchema = pageSchema(projectSchema, {
  id: 'ProjectPage',
  description: 'A page of projects.',
});

const ordering = orderingParameter(
  projectSorting,
  'By default newest first, or in a search best match first.',
);

export const projectIdParameter = idParameter('project’s');

/** Of an operation that changes the project in the path. */
export const changesProject = {
  headers: ifMatchHeader,
  permission: 'changeProject',
  precheck: requireChangeable,
} as const;

const fields = withReadOnlyFields(projectFields);

export const publicDumpMembers = ['content_type', 'contributor', 'parent', 'media', 'link'];

export const projectResources: ApiResource[] = [
  {
    path: '/api/v1/projects/',
    name: 'Content List',
    heading: 'Projects',
    description: 'The gallery’s projects, a page at a time.',
    GET: listOperation({
      operationId: 'listProjects',
      summary: 'A page of projects.',
      parameters: { ...projectFilters, ...ordering, ...pageParameters, ...memberParameters },
      permission: 'read',
      responseSchema: projectPageSchema,
      responseHeaders: ['Results-Truncated'],
      findListing(context, deps) {
        const { viewer, parameters, query } = context;
        const filters = deps.projects.toAppliedFilters(parameters, query);
        const listing = deps.projects.list(viewer, filters, parameters.ordering);
        return listRecords(deps, context, listing);
      },
    }),
    POST: operation({
      operationId: 'createProject',
      summary: 'Creates a project.',
      parameters: memberParameters,
      headers: idempotencyKeyHeader,
      fields: { ...fields, ...projectFileFields },
      exampleBody: newProjectExample,
      findProblems,
      acceptsFiles: true,
      permission: 'makeProject',
      status: 201,
      responseSchema: projectSchema,
      responseHeaders: ['Location'],
      async handle(context, deps) {
        const { file = [], alt, ...values } = context.readValues();
        const prepared = await prepareUploads(deps, context.viewer, file);
        const create = async (write: WriteContext) => {
          const project = await createProject(write, values, prepared, alt);
          // In the transaction, which stores the response of a request with an Idempotency-Key.
          return toCreatedResult(deps, context, project, write.transaction);
        };
        const isIndependent = prepared.length === 0 && isIndependentProject(values);
        return transactOnce(deps.database, context, create, { isIndependent });
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/',
    pathParameters: projectIdParameter,
    name: 'Content Instance',
    heading: 'Project',
    description: 'One of the gallery’s projects.',
    GET: operation({
      operationId: 'getProject',
      summary: 'The project.',
      parameters: { ...projectFilters, ...memberParameters },
      permission: 'read',
      responseSchema: projectSchema,
      responseHeaders: ['Last-Modified'],
      async handle(context, deps) {
        const filters = deps.projects.toAppliedFilters(context.parameters, context.query);
        const project = await deps.projects.find(context.viewer, parsePathId(context), filters);
        return toProjectResult(deps, context, project);
      },
    }),
    PUT: changeOperation({
      operationId: 'replaceProject',
      summary: 'Replaces the project’s writable members; those that are not sent keep their value.',
      isPartial: false,
    }),
    PATCH: changeOperation({
      operationId: 'updateProject',
      summary: 'Changes some of the project’s members.',
      isPartial: true,
    }),
    DELETE: operation({
      operationId: 'deleteProject',
      summary: 'Moves the project to the trash.',
      parameters: projectFilters,
      headers: ifMatchHeader,
      permission: 'trashProject',
      precheck: requireChangeable,
      status: 204,
      async handle(context, deps) {
        await requireMatch(deps, context);
        await transactOnce(deps.database, context, (write) => moveToTrash(write, parsePathId(context)));
      },
    }),
  },
];

/**
 * The page of a project as JSON, for everybody who has its address: an unlisted project is not found by its id. Other
 * formats are served by the pages.
 */
export const projectByUuidResource: ApiResource = {
  path: '/content/:uuid/:slug/',
  name: 'Content Instance',
  heading: 'Project',
  description: 'One of the gallery’s projects, by its uuid.',
  GET: operation({
    operationId: 'getProjectByUuid',
    summary: 'The project.',
    parameters: memberParameters,
    permission: 'read',
    responseSchema: projectSchema,
    async handle(context, deps) {
      const project = await deps.projects.findByUuid(context.viewer, context.pathParameters.uuid ?? '');
      const result = await toProjectResult(deps, context, project);
      // It is the address of a page, which says so too.
      return (await isLookedAfter(deps.database, project.contributor))
        ? { ...result, headers: noIndexHeaders }
        : result;
    },
  }),
};

function changeOperation(
  about: Pick<Operation<Viewer>, 'operationId' | 'summary' | 'isPartial'>,
): ApiOperation {
  return operation({
    ...about,
    parameters: { ...projectFilters, ...memberParameters },
    ...changesProject,
    fields,
    responseSchema: projectSchema,
    async handle(context, deps) {
      await requireMatch(deps, context);
      return transactOnce(deps.database, context, async (write) => {
        const project = await changeProject(write, parsePathId(context), (before) =>
          context.readValues((name, value) => isAsStored(before, name, value)),
        );
        return toProjectResult(deps, context, project, write.transaction);
      });
    },
  });
}

interface ProjectContext {
  readonly origin: string;
  readonly parameters: Query<typeof memberParameters> & { readonly search?: unknown };
  readonly isShared?: boolean;
}

const phrasesOf = ({ search }: ProjectContext['parameters']) => search as readonly Phrase[] | undefined;

/** The listing for an operation whose response is a list of projects. */
export function listRecords(
  { database, records, timeZone }: Pick<ApiDependencies, 'database' | 'timeZone'> & Partial<ApiDependencies>,
  { origin, parameters, isShared }: ProjectContext,
  listing: ProjectList,
): RecordListing {
  const serialize = createProjectSerializer(
    parameters,
    { origin, timeZone, phrases: phrasesOf(parameters) },
    database,
  );
  const list = createRecordListing(listing, projectSchema, serialize, memberNames(parameters));
  if (!records || !isShared || !hasDefaultMembers(parameters)) return list;
  const load = async (ids: readonly number[]) => {
    const found = await serialize(await listing.load(ids));
    return new Map(
      found.map((record) => {
        const value = Buffer.from(toJson(record));
        return [Number(record.id), { value, bytes: value.length, alsoShows: [] }];
      }),
    );
  };
  const render = (rows: readonly ListedRow[]) =>
    records.find(
      () => origin,
      rows.map(({ id }) => id),
      load,
    );
  return {
    ...list,
    paginate: (request, secret) => paginateJson(listing.select(idColumn), request, secret, render),
  };
}

/**
 * The content of the public dump: the records of all public projects as they are listed for visitors, the oldest first. Its
 * URLs have no origin: one gallery may have several hosts.
 */
export const generatePublicDump = (deps: Pick<ApiDependencies, 'database' | 'projects' | 'timeZone'>) =>
  listRecords(
    deps,
    { origin: '', parameters: { include: publicDumpMembers, fields: undefined } },
    deps.projects.list(anonymous, new Map(), oldestFirst),
  ).wholeList().batches;

/** The result for an operation whose response is one project. */
export async function toProjectResult(
  { database, timeZone }: ApiDependencies,
  { origin, parameters }: ProjectContext,
  project: Project,
  reader: Reader = database,
): Promise<OperationResult> {
  const serialize = createProjectSerializer(
    parameters,
    { origin, timeZone, phrases: phrasesOf(parameters) },
    reader,
  );
  const [data] = await serialize([project]);
  return {
    data,
    lastModified: project.record_modified,
    version: project.record_modified,
    subjectId: project.id,
  };
}

/** The result for an operation that has created a project. */
export async function toCreatedResult(
  deps: ApiDependencies,
  context: ProjectContext,
  project: Project,
  reader: Reader,
): Promise<OperationResult> {
  const headers = { Location: `${context.origin}/api/v1/projects/${project.id}/` };
  return { ...(await toProjectResult(deps, context, project, reader)), status: 201, headers };
}

/** The filters of the listing hold for writes too, as in Django REST framework. */
async function requireMatch(
  { projects }: ApiDependencies,
  context: Pick<ApiContext, 'viewer' | 'parameters' | 'query' | 'pathParameters'>,
): Promise<void> {
  const filters = projects.toAppliedFilters(context.parameters, context.query);
  if (filters.size > 0) await projects.find(context.viewer, parsePathId(context), filters);
}

/** Throws if the viewer may not change the project in the path. */
export async function requireChangeable(
  { viewer, pathParameters }: Pick<ApiContext, 'viewer' | 'pathParameters'>,
  { projects }: Pick<ApiDependencies, 'projects'>,
): Promise<void> {
  authorizeChange(viewer, await projects.find(viewer, parsePathId({ pathParameters })));
}
