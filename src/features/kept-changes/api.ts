// /api/v1/projects/<id>/edits/: the changes of a project that its maker keeps for later.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import type { Reader } from '#sql';
import type { ApiDependencies } from '../../core/api/dependencies.ts';
import {
  type ApiContext,
  type ApiResource,
  idempotencyKeyHeader,
  ifMatchHeader,
  operation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { transactOnce, type WriteContext } from '../../core/changes/write.ts';
import { prepareUploads } from '../../core/files/prepare.ts';
import { fileParameters, parseFileNumber } from '../../projects/api/media.ts';
import {
  mediaSchema,
  memberParameters,
  projectSchema,
  serializeMedia,
  withReadOnlyFields,
} from '../../projects/api/project-serializer.ts';
import {
  changesProject,
  projectIdParameter,
  requireChangeable,
  toProjectResult,
} from '../../projects/api/projects.ts';
import { mediaFields, newFileFields } from '../../projects/media/file-fields.ts';
import type { Project, ProjectRow } from '../../projects/project.ts';
import { aspectOf, isAsStored } from '../../projects/project-fields.ts';
import { withChange, withoutFile } from '../../projects/writing/files.ts';
import {
  discardChanges,
  findKeptChanges,
  type KeptChanges,
  keepChanges,
  keptFields,
  publishKeptChanges,
  toMembers,
} from './kept-changes.ts';
import { addToPlan, type FilePlan, loadKeptFiles, planFiles } from './kept-files.ts';

const { parent, ...schemas } = aspectOf('schema');

const editsSchema = z.object(schemas).partial().meta({
  id: 'ProjectEdits',
  description: 'The members that are changed, as PATCH of the project takes them.',
});

const keptFilesSchema = z.array(mediaSchema).meta({
  id: 'KeptFiles',
  description: 'The files of a project as they will be, in order.',
});

/** With the ETag of the project for `If-Match`, unless that has changed since they were begun. */
const toResult = (
  { members, since }: KeptChanges,
  { modified, record_modified }: Pick<Project, 'modified' | 'record_modified'>,
) => ({ data: members, version: since === modified ? record_modified : since });

async function findKept(context: ApiContext, { database, projects }: ApiDependencies) {
  const project = await projects.find(context.viewer, parsePathId(context));
  const kept = await findKeptChanges(database, context.viewer, project.id);
  if (!kept) throw new NotFound();
  return { kept, project };
}

export const resources: readonly ApiResource[] = [
  {
    path: '/api/v1/projects/:id/edits/',
    pathParameters: projectIdParameter,
    name: 'Project Edits',
    heading: 'Kept changes',
    description: 'Changes of your project that you keep for later: nobody else sees them.',
    GET: operation({
      operationId: 'getProjectEdits',
      summary: 'The changes that are kept.',
      permission: 'seeAccount',
      responseSchema: editsSchema,
      async handle(context, deps) {
        const { kept, project } = await findKept(context, deps);
        return toResult(kept, project);
      },
    }),
    PUT: writeOperation({
      operationId: 'keepProjectEdits',
      summary: 'Keeps these changes, in place of those that were kept.',
      ...changesProject,
      fields: withReadOnlyFields(keptFields),
      isPartial: true,
      responseSchema: editsSchema,
      async write(write, context) {
        const { kept, project } = await keepChanges(write, parsePathId(context), (before) => ({
          members: toMembers(context.readValues((name, value) => isAsStored(before, name, value))),
          // The sender has seen the project as it is.
          ...(context.headers.has('If-Match') && { since: before.modified }),
        }));
        return toResult(kept, project);
      },
    }),
    POST: writeOperation({
      operationId: 'publishProjectEdits',
      summary: 'Changes the project as a PATCH with the kept changes would.',
      parameters: memberParameters,
      ...changesProject,
      headers: { ...ifMatchHeader, ...idempotencyKeyHeader },
      responseSchema: projectSchema,
      async write(write, context, deps) {
        const project = await publishKeptChanges(write, parsePathId(context));
        return toProjectResult(deps, context, project, write.transaction);
      },
    }),
    DELETE: writeOperation({
      operationId: 'discardProjectEdits',
      summary: 'Throws the kept changes away.',
      permission: 'changeProject',
      status: 204,
      write: (write, context) => discardChanges(write, parsePathId(context)),
    }),
  },
  {
    path: '/api/v1/projects/:id/edits/media/',
    pathParameters: projectIdParameter,
    name: 'Project Edits Media',
    heading: 'Kept files',
    description: 'The files that the project has once the kept changes are published, in order.',
    GET: operation({
      operationId: 'listKeptFiles',
      summary: 'The files as they will be.',
      permission: 'seeAccount',
      responseSchema: keptFilesSchema,
      async handle(context, deps) {
        const { kept, project } = await findKept(context, deps);
        return toFilesResult(deps.database, context, kept, project);
      },
    }),
    POST: operation({
      operationId: 'keepProjectFiles',
      summary: 'Keeps new files, after the others.',
      ...changesProject,
      headers: { ...idempotencyKeyHeader, ...ifMatchHeader },
      fields: newFileFields,
      acceptsFiles: true,
      status: 201,
      responseSchema: keptFilesSchema,
      async handle(context, deps) {
        await requireChangeable(context, deps);
        const { file, alt = [] } = context.readValues();
        const prepared = await prepareUploads(deps, context.viewer, file);
        return transactOnce(deps.database, context, async (write) => ({
          ...(await planAnew(write, context, (project, kept) =>
            addToPlan(write, project, kept?.files, prepared, alt),
          )),
          status: 201,
        }));
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/edits/media/:number/',
    pathParameters: fileParameters,
    name: 'Project Edits File',
    heading: 'Kept file',
    description: 'A file as it will be.',
    PATCH: writeOperation({
      operationId: 'changeKeptFile',
      summary: 'Changes the alternative text, the position or the focus that it will have.',
      ...changesProject,
      fields: mediaFields,
      responseSchema: keptFilesSchema,
      write: (write, context) =>
        planAnew(write, context, (project, kept) =>
          planFiles(write, project, kept?.files, (files) =>
            withChange(files, parseFileNumber(context), context.readValues()),
          ),
        ),
    }),
    DELETE: writeOperation({
      operationId: 'removeKeptFile',
      summary: 'Leaves the file out. A new one is deleted.',
      ...changesProject,
      responseSchema: keptFilesSchema,
      write: (write, context) =>
        planAnew(write, context, (project, kept) =>
          planFiles(write, project, kept?.files, (files) => withoutFile(files, parseFileNumber(context))),
        ),
    }),
  },
];

/** With the files that the project has from then on. */
async function planAnew(
  write: WriteContext,
  context: ApiContext,
  plan: (project: ProjectRow, kept: KeptChanges | undefined) => Promise<FilePlan>,
) {
  const { kept, project } = await keepChanges(write, parsePathId(context), async (before, kept) => ({
    files: await plan(before, kept),
  }));
  return toFilesResult(write.transaction, context, kept, project);
}

/** Their addresses are below the kept changes. */
async function toFilesResult(
  reader: Reader,
  { origin }: ApiContext,
  kept: KeptChanges,
  project: Pick<Project, 'id' | 'modified' | 'record_modified'>,
) {
  const files = await loadKeptFiles(reader, project.id, kept.files);
  const data = files.map((file) => ({
    ...serializeMedia(file, origin),
    api_url: `${origin}/api/v1/projects/${project.id}/edits/media/${file.number}/`,
  }));
  return { ...toResult(kept, project), data };
}
