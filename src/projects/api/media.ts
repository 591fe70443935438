// /api/v1/projects/<id>/media/ and …/media/<number>/: the files of a project.

import { z } from 'zod';
import type { PartialValues } from '#rest/fields.ts';
import {
  type ApiContext,
  type ApiResource,
  idempotencyKeyHeader,
  ifMatchHeader,
  operation,
  parsePathId,
  pathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { transactOnce } from '../../core/changes/write.ts';
import { prepareUploads } from '../../core/files/prepare.ts';
import { requireId } from '../../core/ids.ts';
import { changedFileFields, mediaFields, newFileFields } from '../media/file-fields.ts';
import { findMedia, loadMedia } from '../media/media-rows.ts';
import { addFiles, changeMedia, removeFile } from '../writing/files.ts';
import { prepareTurned } from '../writing/turn-picture.ts';
import { mediaSchema, serializeMedia } from './project-serializer.ts';
import { changesProject, projectIdParameter, requireChangeable } from './projects.ts';

export const fileParameters = {
  ...projectIdParameter,
  number: { description: 'The file’s number.', ...pathId },
};

const mediaListSchema = z
  .array(mediaSchema)
  .meta({ id: 'MediaList', description: 'The files of a project, in order.' });

const changeOperation = (operationId: string, summary: string, fields: typeof mediaFields) =>
  operation({
    operationId,
    summary,
    ...changesProject,
    headers: { ...idempotencyKeyHeader, ...ifMatchHeader },
    fields,
    responseSchema: mediaSchema,
    async handle(context, deps) {
      const [id, number] = [parsePathId(context), parseFileNumber(context)];
      // Before the picture is turned, which takes long and happens outside the transaction.
      await requireChangeable(context, deps);
      const file = await findMedia(deps.database, id, number);
      const { turn, ...values }: PartialValues<typeof changedFileFields> = context.readValues();
      const turned = turn && (await prepareTurned(deps, context.viewer, file, turn));
      return transactOnce(deps.database, context, async (write) => {
        const { record_modified } = await changeMedia(write, id, number, () => ({ ...values, turned }));
        const changed = await findMedia(write.transaction, id, number);
        return { data: serializeMedia(changed, context.origin), version: record_modified };
      });
    },
  });

export const mediaResources: ApiResource[] = [
  {
    path: '/api/v1/projects/:id/media/',
    pathParameters: projectIdParameter,
    name: 'Content Media',
    heading: 'Files',
    description: 'The files of a project, in order.',
    GET: operation({
      operationId: 'listProjectFiles',
      summary: 'The project’s files.',
      permission: 'read',
      responseSchema: mediaListSchema,
      responseHeaders: ['Last-Modified'],
      async handle(context, { database, projects }) {
        const { id, record_modified } = await projects.find(context.viewer, parsePathId(context));
        const media = (await loadMedia(database, [id])).get(id) ?? [];
        const data = media.map((file) => serializeMedia(file, context.origin));
        return { data, lastModified: record_modified, version: record_modified, subjectId: id };
      },
    }),
    POST: operation({
      operationId: 'uploadProjectFiles',
      summary: 'Adds files after the existing ones.',
      ...changesProject,
      headers: { ...idempotencyKeyHeader, ...ifMatchHeader },
      fields: newFileFields,
      acceptsFiles: true,
      status: 201,
      responseSchema: mediaListSchema,
      async handle(context, deps) {
        const id = parsePathId(context);
        // Before the files are prepared, which takes long and happens outside the transaction.
        await requireChangeable(context, deps);
        const { file, alt } = context.readValues();
        const prepared = await prepareUploads(deps, context.viewer, file);
        return transactOnce(deps.database, context, async (write) => {
          const { record_modified } = await addFiles(write, id, prepared, alt);
          const media = (await loadMedia(write.transaction, [id])).get(id) ?? [];
          const data = media.map((file) => serializeMedia(file, context.origin));
          return { data, status: 201, version: record_modified };
        });
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/media/:number/',
    pathParameters: fileParameters,
    name: 'Content File',
    heading: 'File',
    description: 'A file of a project.',
    GET: operation({
      operationId: 'getProjectFile',
      summary: 'The file’s metadata; its content is at `url`.',
      permission: 'read',
      responseSchema: mediaSchema,
      responseHeaders: ['Last-Modified'],
      async handle(context, { database, projects }) {
        const { id, record_modified } = await projects.find(context.viewer, parsePathId(context));
        const file = await findMedia(database, id, parseFileNumber(context));
        const data = serializeMedia(file, context.origin);
        return { data, lastModified: record_modified, version: record_modified, subjectId: id };
      },
    }),
    PUT: changeOperation(
      'replaceProjectFile',
      'Replaces the file’s alternative text, position and focus.',
      mediaFields,
    ),
    PATCH: changeOperation(
      'updateProjectFile',
      'Changes the file’s alternative text, position or focus, or turns a picture.',
      changedFileFields,
    ),
    DELETE: writeOperation({
      operationId: 'deleteProjectFile',
      summary: 'Removes the file from the project.',
      ...changesProject,
      status: 204,
      async write(write, context) {
        await removeFile(write, parsePathId(context), parseFileNumber(context));
      },
    }),
  },
];

export const parseFileNumber = ({ pathParameters }: Pick<ApiContext, 'pathParameters'>) =>
  requireId(pathParameters.number);
