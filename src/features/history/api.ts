// /api/v1/projects/<id>/history/ and …/history/<number>/redact/: the earlier versions of a project.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import { idText } from '#common/inputs.ts';
import {
  type ApiResource,
  idempotencyKeyHeader,
  operation,
  parsePathId,
  pathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { idSchema, timestampSchema } from '../../core/api/schemas.ts';
import { requireId } from '../../core/ids.ts';
import { formatInstant } from '../../core/instant.ts';
import { statuses } from '../../core/project-status.ts';
import { projectIdParameter } from '../../projects/api/projects.ts';
import { canSeeHistory, loadVersions, type Version } from '../../projects/history/history.ts';
import { redactVersion } from '../../projects/history/redact.ts';
import { visibilities } from '../../projects/project.ts';
import { formatTags } from '../../projects/tags.ts';
import { authorizeChange } from '../../projects/writing/changeable.ts';

const versionSchema = z
  .object({
    number: idSchema.describe('The number of the change that made the version.'),
    at: timestampSchema,
    contributor: idSchema
      .nullable()
      .describe('Who made the version; null if it was the operator, or a moderator and you are not one.'),
    action: z.string(),
    redacted: z.boolean().describe('What the version said is deleted: the members below are null.'),
    title: z.string().nullable(),
    tags: z.string().nullable(),
    text: z.string().nullable(),
    link: z.string().nullable(),
    visibility: z.enum(visibilities).nullable(),
    status: z.literal(statuses).nullable(),
  })
  .meta({ id: 'ProjectVersion', description: 'A project as it was after a change.' });

const historySchema = z
  .object({
    next: z.url().nullable().describe('The URL of older versions; null if there are none.'),
    results: z.array(versionSchema),
  })
  .meta({ id: 'History', description: 'The versions of a project, newest first.' });

const pageSize = 20;

export const resources: ApiResource[] = [
  {
    path: '/api/v1/projects/:id/history/',
    pathParameters: projectIdParameter,
    name: 'Content History',
    heading: 'History',
    description:
      'The versions of a project: for its contributor and moderators, or for everybody if it is open.',
    GET: operation({
      operationId: 'listProjectVersions',
      summary: 'Versions of the project, newest first.',
      parameters: {
        before: {
          description: 'Only versions older than the one with this number.',
          ...idText('Enter the number of a version.', /^[1-9]\d{0,15}$/),
        },
      },
      permission: 'read',
      responseSchema: historySchema,
      async handle({ viewer, parameters, origin, path, pathParameters }, { database, projects, timeZone }) {
        const project = await projects.find(viewer, parsePathId({ pathParameters }));
        if (!canSeeHistory(viewer, project)) throw new NotFound();
        const { before = Number.MAX_SAFE_INTEGER } = parameters;
        const versions = await loadVersions(database, viewer, project, before, pageSize);
        const last = versions.at(-1);
        const hasMore = last && versions.length === pageSize;
        const serialize = (version: Version) => {
          const showsActor = viewer.isModerator || version.actor === project.contributor;
          return serializeVersion(version, showsActor ? version.actor : null, timeZone);
        };
        return {
          data: {
            next: hasMore ? `${origin}${path}?before=${last.sequence}` : null,
            results: versions.map(serialize),
          },
        };
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/history/:number/redact/',
    pathParameters: { ...projectIdParameter, number: { description: 'The version’s number.', ...pathId } },
    name: 'Content Redaction',
    heading: 'Redaction',
    description: 'Deletes for good what an earlier version said. A placeholder stays in the history.',
    POST: writeOperation({
      operationId: 'redactProjectVersion',
      summary: 'Redacts the version.',
      headers: idempotencyKeyHeader,
      fields: {},
      permission: 'changeProject',
      async precheck(context, { projects }) {
        authorizeChange(context.viewer, await projects.find(context.viewer, parsePathId(context)));
      },
      status: 204,
      async write(write, context, { database }) {
        const id = requireId(context.pathParameters.number);
        await redactVersion(database, write, parsePathId(context), id);
      },
    }),
  },
];

const serializeVersion = (
  { sequence, at, action, content }: Version,
  contributor: number | null,
  timeZone: string,
): z.input<typeof versionSchema> => ({
  number: sequence,
  at: formatInstant(at, timeZone),
  contributor,
  action,
  redacted: content === undefined,
  title: content?.title ?? null,
  tags: content ? formatTags(content.tags) : null,
  text: content?.text ?? null,
  link: content?.link ?? null,
  visibility: content?.visibility ?? null,
  status: content?.status ?? null,
});
