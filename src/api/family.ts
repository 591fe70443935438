// /api/v1/projects/<id>/copy/, …/copies/, …/lineage/: where a project comes from, and what was made of it.

import { z } from 'zod';
import { projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { type Kin, lineageOf, mostCopies } from '../gallery/lineage/lineage.ts';
import { copy } from '../gallery/projects/change.ts';
import { newestFirst } from '../gallery/projects/order.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { pageParameters, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { made, projectId, projectPage } from './projects.ts';
import { recordAnswer, recordParameters, recordRenderer } from './record.ts';
import { countsOnce, transactOnce } from './transact.ts';

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

const kin = z.object({
  id,
  copied_from: id.nullable().describe('What it was copied from, as far as the reader may know.'),
  hidden: z.boolean().describe('It is gone, or not for this reader: only its place is shown.'),
  title: z.string().nullable(),
  url: z.url().nullable(),
  html_url: z.url().nullable(),
  contributor_name: z.string().nullable(),
});

export const lineageAnswer = z
  .object({
    id,
    ancestors: z.array(kin).describe('What it was copied from, the nearest first.'),
    copies: z.array(kin).describe('The tree of copies, each after what it was copied from.'),
    truncated: z.boolean().describe('There are more copies than were asked for.'),
  })
  .meta({ id: 'Lineage', description: 'The family of a project.' });

const usualCopies = 1000;
const limit = {
  description: `How many copies to tell of at most, up to ${mostCopies}; ${usualCopies} unless given.`,
  schema: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, `Enter a whole number from 1 to ${mostCopies}.`)
    .transform(Number)
    .refine((number) => number <= mostCopies, `Enter a whole number from 1 to ${mostCopies}.`),
};

export function familyResources(parts: ApiParts): Resource<Viewer>[] {
  const { database, projects, timeZone: zone, secret } = parts;
  return [
    {
      path: '/api/v1/projects/:id/copy/',
      pathParameters: projectId,
      name: 'Content Copy',
      description: 'A way to make a project one’s own.',
      operations: {
        POST: {
          summary: 'Makes a private copy, of the reader’s own.',
          parameters: recordParameters,
          headers: countsOnce,
          fields: {},
          permission: needs('copyProject'),
          async allowed(call) {
            await projects.one(call.viewer, identifier(call));
          },
          status: 201,
          answer: recordAnswer,
          handle: (call) =>
            transactOnce(database, call, async (act) =>
              made(parts, call, await copy(act, identifier(call)), act.transaction),
            ),
        },
      },
    },
    {
      path: '/api/v1/projects/:id/copies/',
      pathParameters: projectId,
      name: 'Content Copies',
      description: 'What was copied from the project, the newest first.',
      operations: {
        GET: {
          summary: 'A page of the project’s copies.',
          parameters: { ...pageParameters, ...recordParameters },
          permission: needs('read'),
          answer: projectPage,
          async handle(call) {
            const source = await projects.one(call.viewer, identifier(call));
            const choices = projects.choose('copied_from', String(source.id));
            const listing = projects.listing(call.viewer, choices, newestFirst);
            const render = recordRenderer(call.given, { base: call.base, zone }, database);
            return { data: await paginate(listing, call, secret, render) };
          },
        },
      },
    },
    {
      path: '/api/v1/projects/:id/lineage/',
      pathParameters: projectId,
      name: 'Content Lineage',
      description: 'What the project was copied from, and the tree of its copies.',
      operations: {
        GET: {
          summary: 'The project’s family.',
          parameters: { limit },
          permission: needs('read'),
          answer: lineageAnswer,
          async handle({ viewer, given, base, params }) {
            const project = await projects.one(viewer, identifier({ params }));
            const most = (given.get('limit')?.value as number | undefined) ?? usualCopies;
            const { ancestors, copies, truncated } = await lineageOf(database, viewer, project, most);
            const show = (one: Kin) => shown(one, base);
            const family = { ancestors: ancestors.map(show), copies: copies.map(show), truncated };
            return { data: { id: project.id, ...family } };
          },
        },
      },
    },
  ];
}

function shown({ id, copied_from, project }: Kin, base: string): z.input<typeof kin> {
  return {
    ...{ id, copied_from, hidden: project === undefined, title: project?.title ?? null },
    url: project ? `${base}/api/v1/projects/${id}/?format=api` : null,
    html_url: project ? `${base}${projectPath(project)}` : null,
    contributor_name: project ? displayName(project) : null,
  };
}
