// /api/v1/projects/<id>/rating/: the viewer's own rating of a project.

import { z } from 'zod';
import { NotFound } from '../common/errors.ts';
import { integerField } from '../common/fields.ts';
import { transactOnce } from '../gallery/changes/write.ts';
import { authorize } from '../gallery/permissions.ts';
import type { Project } from '../gallery/projects/project.ts';
import { findOwnRating, rateProject, ratingRange } from '../gallery/ratings/rate.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './dependencies.ts';
import { operation, parsePathId } from './operation.ts';
import { projectIdParameter } from './projects.ts';

const fields = { value: integerField({ label: 'Value', required: true, ...ratingRange }) };

const count = z.int().min(0);
export const ratingSchema = z
  .object({
    value: z.int().min(ratingRange.min).max(ratingRange.max),
    rating_count: count,
    rating_sum: count,
    karma: count,
  })
  .meta({ id: 'Rating', description: 'Your rating, and the project’s rating figures.' });

export function ratingResource({ database, projects }: ApiDependencies): Resource<Viewer> {
  const toResult = (value: number, { rating_count, rating_sum, karma }: Project) => ({
    data: { value, rating_count, rating_sum, karma },
  });
  return {
    path: '/api/v1/projects/:id/rating/',
    pathParameters: projectIdParameter,
    name: 'Content Rating',
    heading: 'Rating',
    description: 'Your own rating of a project. You can change or withdraw it.',
    operations: {
      GET: operation({
        operationId: 'getRating',
        summary: 'Your rating.',
        permission: 'seeAccount',
        responseSchema: ratingSchema,
        async handle(context) {
          const project = await projects.find(context.viewer, parsePathId(context));
          const value = await findOwnRating(database, context.viewer, project.id);
          if (value === undefined) throw new NotFound();
          return toResult(value, project);
        },
      }),
      PUT: operation({
        operationId: 'rateProject',
        summary: 'Rates the project.',
        fields,
        permission: 'rateProject',
        async precheck(context) {
          const { contributor } = await projects.find(context.viewer, parsePathId(context));
          authorize(context.viewer, 'rateProject', contributor);
        },
        responseSchema: ratingSchema,
        handle: (context) =>
          transactOnce(database, context, async (write) => {
            const { value } = context.readValues();
            return toResult(value, await rateProject(write, parsePathId(context), value));
          }),
      }),
      DELETE: operation({
        operationId: 'withdrawRating',
        summary: 'Withdraws the rating.',
        permission: 'rateProject',
        status: 204,
        handle: (context) =>
          transactOnce(database, context, async (write) => {
            await rateProject(write, parsePathId(context), undefined);
            return { status: 204 };
          }),
      }),
    },
  };
}
