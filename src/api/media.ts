// /api/v1/projects/<id>/media/ and …/media/<number>/: the files of a project.

import { z } from 'zod';
import { readFields } from '../fields.ts';
import { idFrom } from '../gallery/ids.ts';
import { attach, changeMedia, detach } from '../gallery/media/change.ts';
import { mediaFields, newFiles } from '../gallery/media/fields.ts';
import { mediaOf, oneOf } from '../gallery/media/find.ts';
import { limits, type Media, mediaPath, mediaTypes, type Size } from '../gallery/media/media.ts';
import { prepareUploads } from '../gallery/media/prepare.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { Call, Operation, Parameters, Resource } from '../rest/resource.ts';
import { identifier } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { mayChange, projectId } from './projects.ts';
import { countsOnce, fits, ifUnchanged, transactOnce } from './transact.ts';

const side = z.int().min(1).nullable().describe('In pixels; null of what is no picture.');
const size = z.object({ url: z.url(), bytes: z.int().min(0), width: side, height: side });

export const mediaSchema = z
  .object({
    number: z.int().min(1).describe('What the file is called by in its address.'),
    api_url: z.url().describe('The API’s address of this file.'),
    position: z.int().min(1).max(limits.files),
    type: z.enum(Object.keys(mediaTypes)),
    name: z.string().describe('For whoever takes it away.'),
    alt: z.string().describe('What a picture shows, for those who do not see it.'),
    ...size.shape,
    sizes: z
      .array(size)
      .describe('All that there is of it, the smallest first. The last is the file itself.'),
  })
  .meta({ id: 'Media', description: 'A file of a project.' });

export const mediaAnswer = z
  .array(mediaSchema)
  .meta({ id: 'MediaList', description: 'The files of a project, in their order.' });

const mediaNumber: Parameters = {
  number: { description: 'The file’s number.', schema: z.string().regex(/^[1-9][0-9]{0,15}$/) },
};

/** A file as the API shows it. */
export function shownMedia(media: Media, base: string): z.input<typeof mediaSchema> {
  const { project, number, position, type, name, alt } = media;
  const of = ({ bytes, width, height, ...kept }: Size) => {
    return { url: `${base}${mediaPath(type, kept)}`, bytes, width, height };
  };
  const sizes = media.sizes.map(of);
  const whole = sizes.at(-1);
  if (!whole) throw new Error(`nothing is kept of file ${number} of project ${project}`);
  const api_url = `${base}/api/v1/projects/${project}/media/${number}/`;
  return { number, api_url, position, type, name, alt, ...whole, sizes };
}

export function mediaResources(parts: ApiParts): Resource<Viewer>[] {
  const { database, files, projects } = parts;
  const allowed = mayChange(parts);
  const changing = (summary: string): Operation<Viewer> => ({
    summary,
    headers: ifUnchanged,
    fields: mediaFields,
    permission: needs('changeProject'),
    allowed,
    answer: mediaSchema,
    handle: (call) =>
      transactOnce(database, call, async (act) => {
        const [id, number] = [identifier(call), numberOf(call)];
        const read = () => readFields(mediaFields, call.body.data, { strict: call.strict });
        const { touched } = await changeMedia(act, id, number, fits(call), read);
        const one = await oneOf(act.transaction, id, number);
        return { data: shownMedia(one, call.base), version: touched };
      }),
  });

  return [
    {
      path: '/api/v1/projects/:id/media/',
      pathParameters: projectId,
      name: 'Content Media',
      description: 'The files of a project, in their order.',
      operations: {
        GET: {
          summary: 'The project’s files.',
          permission: needs('read'),
          answer: mediaAnswer,
          async handle(call) {
            const { id, touched } = await projects.one(call.viewer, identifier(call));
            const media = (await mediaOf(database, [id])).get(id) ?? [];
            const data = media.map((one) => shownMedia(one, call.base));
            return { data, lastModified: touched, version: touched, about: id };
          },
        },
        POST: {
          summary: 'Adds files behind those that are there.',
          headers: { ...countsOnce, ...ifUnchanged },
          fields: newFiles,
          takesFiles: true,
          permission: needs('changeProject'),
          allowed,
          status: 201,
          answer: mediaAnswer,
          async handle(call) {
            const id = identifier(call);
            await allowed(call);
            const { file, alt } = readFields(newFiles, call.body.data, { strict: call.strict });
            const prepared = await prepareUploads(files, file ?? []);
            return transactOnce(database, call, async (act) => {
              const { touched } = await attach(act, id, fits(call), prepared, alt);
              const media = (await mediaOf(act.transaction, [id])).get(id) ?? [];
              const data = media.map((one) => shownMedia(one, call.base));
              return { data, status: 201, version: touched };
            });
          },
        },
      },
    },
    {
      path: '/api/v1/projects/:id/media/:number/',
      pathParameters: { ...projectId, ...mediaNumber },
      name: 'Content File',
      description: 'A file of a project.',
      operations: {
        GET: {
          summary: 'What is known of the file; its bytes are at its `url`.',
          permission: needs('read'),
          answer: mediaSchema,
          async handle(call) {
            const { id, touched } = await projects.one(call.viewer, identifier(call));
            const one = await oneOf(database, id, numberOf(call));
            const data = shownMedia(one, call.base);
            return { data, lastModified: touched, version: touched, about: id };
          },
        },
        PUT: changing('Changes what is told of the file, or where it stands.'),
        PATCH: changing('Changes some of what is told of the file, or where it stands.'),
        DELETE: {
          summary: 'Takes the file away from the project.',
          headers: ifUnchanged,
          permission: needs('changeProject'),
          allowed,
          status: 204,
          handle: (call) =>
            transactOnce(database, call, async (act) => {
              await detach(act, identifier(call), numberOf(call), fits(call));
              return { status: 204 };
            }),
        },
      },
    },
  ];
}

const numberOf = ({ params }: Call<Viewer>) => idFrom(params.number);
