// /api/v1/projects/<id>/hand-ins/: what the members of a class have handed in, as it was when the class was due.

import { z } from 'zod';
import { apiText } from '#common/api-text.ts';
import { NotFound } from '#common/errors.ts';
import { InvalidValue, type TextInput } from '#common/inputs.ts';
import { findListColumns } from '#rest/list-formats.ts';
import type { ApiDependencies } from '../../core/api/dependencies.ts';
import { type ApiContext, type ApiResource, operation, parsePathId } from '../../core/api/operation.ts';
import { idSchema, numberSchema, timestampSchema } from '../../core/api/schemas.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { formatInstant, type Instant, parseInstant } from '../../core/instant.ts';
import { projectIdParameter } from '../../projects/api/projects.ts';
import { requireTeacher } from '../classes/pupils.ts';
import { requireCollection } from '../collections/items.ts';
import { generateHandInArchive } from './archive.tsx';
import { type HandIn, loadHandIns } from './hand-in.ts';

const handInSchema = z
  .object({
    contributor: idSchema,
    username: z.string(),
    name: z.string(),
    project: idSchema.nullable().describe('null: the person has nothing in the class.'),
    title: z.string().nullable().describe('null also for a version that was redacted.'),
    version: numberSchema.nullable().describe('The number of the change that made it.'),
    changed: timestampSchema.nullable().describe('When it was last changed before the due time.'),
    late: z.boolean().describe('It came into the class after the due time: it is as it was then.'),
    exact: z.boolean().describe('False if versions or files of that moment are gone.'),
  })
  .meta({ id: 'HandIn', description: 'What somebody has handed in.' });

const serializeHandIn = ({ person, work }: HandIn, timeZone: string): z.input<typeof handInSchema> => ({
  contributor: person.id,
  username: person.username,
  name: displayName(person),
  project: work?.project ?? null,
  title: work?.content?.title ?? null,
  version: work?.version ?? null,
  changed: work ? formatInstant(work.changed, timeZone) : null,
  late: work?.isLate ?? false,
  exact: work?.isExact ?? true,
});

const dueParameter = {
  due: {
    description: 'An earlier due time of the class; by default the present one.',
    schema: { type: 'string', format: 'date-time' },
    read(text) {
      // A plus sign that was not percent-encoded arrives as a space.
      const parsed = parseInstant(text.replace(/ (\d\d:?\d\d)$/, '+$1'), 'UTC');
      if (parsed === undefined) throw new InvalidValue(apiText('notDate'));
      return parsed;
    },
  } satisfies TextInput<Instant> & { description: string },
};

/** The class in the path and the time that is asked for. */
async function findClass(
  { viewer, pathParameters }: Pick<ApiContext, 'viewer' | 'pathParameters'>,
  { projects }: Pick<ApiDependencies, 'projects'>,
  asked?: Instant,
) {
  const collection = requireCollection(await projects.find(viewer, parsePathId({ pathParameters })));
  requireTeacher(viewer, collection);
  const due = asked ?? collection.due;
  if (due === null) throw new NotFound();
  return { collection, due };
}

export const resources: readonly ApiResource[] = [
  {
    path: '/api/v1/projects/:id/hand-ins/',
    pathParameters: projectIdParameter,
    name: 'Hand-in List',
    heading: 'Hand-ins',
    description: 'What the members of a class have handed in: a line for each, or for each of their works.',
    GET: operation({
      operationId: 'listHandIns',
      summary: 'The works as they were at the due time.',
      parameters: dueParameter,
      permission: 'changeCollection',
      responseSchema: z
        .array(handInSchema)
        .meta({ id: 'HandInList', description: 'What was handed in, by name.' }),
      async handle(context, deps) {
        const { collection, due } = await findClass(context, deps, context.parameters.due);
        const handIns = await loadHandIns(deps.database, context.viewer, collection, due);
        return { data: handIns.map((handIn) => serializeHandIn(handIn, deps.timeZone)) };
      },
      async list(context, deps) {
        const { collection, due } = await findClass(context, deps, context.parameters.due);
        const handIns = await loadHandIns(deps.database, context.viewer, collection, due);
        async function* batches() {
          yield handIns.map((handIn) => serializeHandIn(handIn, deps.timeZone));
        }
        return { columns: findListColumns(handInSchema), batches: batches() };
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/hand-ins/archive/',
    pathParameters: projectIdParameter,
    name: 'Hand-in Archive',
    heading: 'Archive',
    description: 'What the members of a class have handed in, as a ZIP that opens without this site.',
    GET: operation({
      operationId: 'downloadHandIns',
      summary: 'A folder for each person, and a page.',
      parameters: dueParameter,
      permission: 'changeCollection',
      produces: { zip: 'application/zip' },
      responseHeaders: ['Content-Disposition'],
      async handle(context, deps) {
        const { viewer, headers, origin } = context;
        const { collection, due } = await findClass(context, deps, context.parameters.due);
        const chunks = generateHandInArchive(deps, { viewer, headers, origin, collection, due });
        const day = formatInstant(due, deps.timeZone).slice(0, 10);
        return {
          stream: await deps.archiveDownloads.start(String(viewer.contributor), chunks),
          mediaType: 'application/zip',
          headers: { 'Content-Disposition': `attachment; filename="${collection.slug}-${day}.zip"` },
        };
      },
    }),
  },
];
