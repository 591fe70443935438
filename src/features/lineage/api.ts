// /api/v1/projects/<id>/lineage/: the projects that it was copied from, and the tree of its copies.

import { z } from 'zod';
import { numberText } from '#common/inputs.ts';
import { type ApiResource, operation, parsePathId } from '../../core/api/operation.ts';
import { idSchema } from '../../core/api/schemas.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { projectPath } from '../../core/paths.ts';
import { projectIdParameter } from '../../projects/api/projects.ts';
import { type LineageEntry, loadLineage, maxCopies } from './lineage.ts';

const lineageEntrySchema = z
  .object({
    id: idSchema,
    copied_from: idSchema
      .nullable()
      .describe(
        'The project that it was copied from; null if it is no copy or you may not see that project.',
      ),
    hidden: z
      .boolean()
      .describe('It is deleted, or you may not see it: only its place in the tree is shown.'),
    title: z.string().nullable(),
    url: z.url().nullable(),
    html_url: z.url().nullable(),
    contributor_name: z.string().nullable(),
  })
  .meta({ id: 'LineageEntry', description: 'An ancestor or a copy of a project.' });

const lineageSchema = z
  .object({
    id: idSchema,
    ancestors: z.array(lineageEntrySchema).describe('The projects that it was copied from, nearest first.'),
    copies: z
      .array(lineageEntrySchema)
      .describe('The tree of copies, each after the project that it was copied from.'),
    truncated: z.boolean().describe('There are more copies than `limit`.'),
  })
  .meta({ id: 'Lineage', description: 'The ancestors and copies of a project.' });

const defaultMaxCopies = 1000;
const limit = {
  description: `The maximum number of copies, up to ${maxCopies}; by default ${defaultMaxCopies}.`,
  ...numberText(1, maxCopies, /^[1-9]\d{0,4}$/),
};

export const resources: ApiResource[] = [
  {
    path: '/api/v1/projects/:id/lineage/',
    pathParameters: projectIdParameter,
    name: 'Content Lineage',
    heading: 'Remix tree',
    description: 'The projects that it was copied from, and the tree of its copies.',
    GET: operation({
      operationId: 'getLineage',
      summary: 'The project’s ancestors and copies.',
      parameters: { limit },
      permission: 'read',
      responseSchema: lineageSchema,
      async handle({ viewer, parameters, origin, pathParameters }, { database, projects }) {
        const project = await projects.find(viewer, parsePathId({ pathParameters }));
        const copyLimit = parameters.limit ?? defaultMaxCopies;
        const { ancestors, copies, truncated } = await loadLineage(database, viewer, project, copyLimit);
        const serialize = (entry: LineageEntry) => serializeLineageEntry(entry, origin);
        const lineage = { ancestors: ancestors.map(serialize), copies: copies.map(serialize), truncated };
        return { data: { id: project.id, ...lineage } };
      },
    }),
  },
];

const serializeLineageEntry = (
  { id, copied_from, project }: LineageEntry,
  origin: string,
): z.input<typeof lineageEntrySchema> => ({
  id,
  copied_from,
  hidden: project === undefined,
  title: project?.title ?? null,
  url: project ? `${origin}/api/v1/projects/${id}/?format=api` : null,
  html_url: project ? `${origin}${projectPath(project)}` : null,
  contributor_name: project ? displayName(project) : null,
});
