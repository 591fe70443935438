// /api/v1/projects/<id>/rating/: what the reader thinks of a project.

import { z } from 'zod';
import { NotFound } from '../errors.ts';
import { readFields, wholeField } from '../fields.ts';
import { authorize } from '../gallery/permissions.ts';
import type { Project } from '../gallery/projects/project.ts';
import { ownRating } from '../gallery/ratings/find.ts';
import { rate } from '../gallery/ratings/rate.ts';
import { ratingRange } from '../gallery/ratings/rating.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { projectId } from './projects.ts';
import { transactOnce } from './transact.ts';

const fields = { value: wholeField({ label: 'Value', required: true, ...ratingRange }) };

const count = z.int().min(0);
export const ratingAnswer = z
  .object({
    value: z.int().min(ratingRange.least).max(ratingRange.most),
    rating_count: count,
    rating_sum: count,
    karma: count,
  })
  .meta({ id: 'Rating', description: 'The reader’s rating, and what the project’s figures are with it.' });

export function ratingResource({ database, projects }: ApiParts): Resource<Viewer> {
  const told = (value: number, { rating_count, rating_sum, karma }: Project) => ({
    data: { value, rating_count, rating_sum, karma },
  });
  return {
    path: '/api/v1/projects/:id/rating/',
    pathParameters: projectId,
    name: 'Content Rating',
    description: 'The reader’s own rating of a project: one, which can be changed and withdrawn.',
    operations: {
      GET: {
        summary: 'The reader’s rating.',
        permission: needs('seeAccount'),
        answer: ratingAnswer,
        async handle(call) {
          const project = await projects.one(call.viewer, identifier(call));
          const value = await ownRating(database, call.viewer, project.id);
          if (value === undefined) throw new NotFound();
          return told(value, project);
        },
      },
      PUT: {
        summary: 'Rates the project.',
        fields,
        permission: needs('rateProject'),
        async allowed(call) {
          const { contributor } = await projects.one(call.viewer, identifier(call));
          authorize(call.viewer, 'rateProject', contributor);
        },
        answer: ratingAnswer,
        handle: (call) =>
          transactOnce(database, call, async (act) => {
            const { value } = readFields(fields, call.body.data, { strict: call.strict });
            return told(value as number, await rate(act, identifier(call), value));
          }),
      },
      DELETE: {
        summary: 'Withdraws the rating.',
        permission: needs('rateProject'),
        status: 204,
        handle: (call) =>
          transactOnce(database, call, async (act) => {
            await rate(act, identifier(call), undefined);
            return { status: 204 };
          }),
      },
    },
  };
}
