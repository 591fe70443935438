// /api/v1/projects/<id>/media/ and …/media/<number>/: the files of a project.

import { z } from 'zod';
import { readFields } from '../fields.ts';
import { requireId } from '../gallery/ids.ts';
import { addFiles, changeMedia, removeFile } from '../gallery/media/change.ts';
import { mediaFields, newFileFields } from '../gallery/media/fields.ts';
import { findMedia, loadMedia } from '../gallery/media/find.ts';
import { prepareUploads } from '../gallery/media/prepare.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { Operation, OperationContext, Parameters, Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './index.ts';
import { mediaSchema, serializeMedia } from './media-serializer.ts';
import { parsePathId } from './path-id.ts';
import { checkCanChangeProject, projectIdParameter } from './projects.ts';
import { requirePermission } from './require-permission.ts';
import { buildVersionCheck, idempotencyKeyHeader, ifMatchHeader, transactOnce } from './transact.ts';

export const mediaListSchema = z
  .array(mediaSchema)
  .meta({ id: 'MediaList', description: 'The files of a project, in order.' });

const mediaNumber: Parameters = {
  number: { description: 'The file’s number.', schema: z.string().regex(/^[1-9][0-9]{0,15}$/) },
};

export function mediaResources(deps: ApiDependencies): Resource<Viewer>[] {
  const { database, files, projects } = deps;
  const checkObjectPermission = checkCanChangeProject(deps);
  const changeOperation = (summary: string): Operation<Viewer> => ({
    summary,
    headers: ifMatchHeader,
    fields: mediaFields,
    checkPermission: requirePermission('changeProject'),
    checkObjectPermission,
    responseSchema: mediaSchema,
    handle: (context) =>
      transactOnce(database, context, async (write) => {
        const [id, number] = [parsePathId(context), parseMediaNumber(context)];
        const read = () => readFields(mediaFields, context.body.data, { isStrict: context.isStrict });
        const { touched } = await changeMedia(write, id, number, buildVersionCheck(context), read);
        const file = await findMedia(write.transaction, id, number);
        return { data: serializeMedia(file, context.origin), version: touched };
      }),
  });

  return [
    {
      path: '/api/v1/projects/:id/media/',
      pathParameters: projectIdParameter,
      name: 'Content Media',
      description: 'The files of a project, in order.',
      operations: {
        GET: {
          summary: 'The project’s files.',
          checkPermission: requirePermission('read'),
          responseSchema: mediaListSchema,
          async handle(context) {
            const { id, touched } = await projects.find(context.viewer, parsePathId(context));
            const media = (await loadMedia(database, [id])).get(id) ?? [];
            const data = media.map((file) => serializeMedia(file, context.origin));
            return { data, lastModified: touched, version: touched, subjectId: id };
          },
        },
        POST: {
          summary: 'Adds files after the existing ones.',
          headers: { ...idempotencyKeyHeader, ...ifMatchHeader },
          fields: newFileFields,
          acceptsFiles: true,
          checkPermission: requirePermission('changeProject'),
          checkObjectPermission,
          status: 201,
          responseSchema: mediaListSchema,
          async handle(context) {
            const id = parsePathId(context);
            await checkObjectPermission(context);
            const { file, alt } = readFields(newFileFields, context.body.data, {
              isStrict: context.isStrict,
            });
            const prepared = await prepareUploads(files, file ?? []);
            return transactOnce(database, context, async (write) => {
              const { touched } = await addFiles(write, id, buildVersionCheck(context), prepared, alt);
              const media = (await loadMedia(write.transaction, [id])).get(id) ?? [];
              const data = media.map((file) => serializeMedia(file, context.origin));
              return { data, status: 201, version: touched };
            });
          },
        },
      },
    },
    {
      path: '/api/v1/projects/:id/media/:number/',
      pathParameters: { ...projectIdParameter, ...mediaNumber },
      name: 'Content File',
      description: 'A file of a project.',
      operations: {
        GET: {
          summary: 'The file’s metadata; its content is at `url`.',
          checkPermission: requirePermission('read'),
          responseSchema: mediaSchema,
          async handle(context) {
            const { id, touched } = await projects.find(context.viewer, parsePathId(context));
            const file = await findMedia(database, id, parseMediaNumber(context));
            const data = serializeMedia(file, context.origin);
            return { data, lastModified: touched, version: touched, subjectId: id };
          },
        },
        PUT: changeOperation('Changes the file’s alternative text or position.'),
        PATCH: changeOperation('Changes the file’s alternative text or position.'),
        DELETE: {
          summary: 'Removes the file from the project.',
          headers: ifMatchHeader,
          checkPermission: requirePermission('changeProject'),
          checkObjectPermission,
          status: 204,
          handle: (context) =>
            transactOnce(database, context, async (write) => {
              await removeFile(
                write,
                parsePathId(context),
                parseMediaNumber(context),
                buildVersionCheck(context),
              );
              return { status: 204 };
            }),
        },
      },
    },
  ];
}

const parseMediaNumber = ({ pathParameters }: OperationContext<Viewer>) => requireId(pathParameters.number);
