// /api/v1/projects/<id>/rating/: the viewer's own rating of a project.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import { integerField } from '#rest/fields.ts';
import { type ApiResource, operation, parsePathId, writeOperation } from '../../core/api/operation.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import type { Project } from '../project.ts';
import { findOwnRating, rateProject, ratingRange } from '../ratings/rate.ts';
import { projectIdParameter } from './projects.ts';

const fields = { value: integerField({ label: 'Value', required: true, ...ratingRange }) };

const count = z.int().min(0);
const ratingSchema = z
  .object({
    value: z.int().min(ratingRange.min).max(ratingRange.max),
    rating_count: count,
    rating_sum: count,
    karma: count,
  })
  .meta({ id: 'Rating', description: 'Your rating, and the project’s rating figures.' });

const toResult = (value: number, { rating_count, rating_sum, karma }: Project) => ({
  data: { value, rating_count, rating_sum, karma },
});

export const ratingResource: ApiResource = {
  path: '/api/v1/projects/:id/rating/',
  pathParameters: projectIdParameter,
  name: 'Content Rating',
  heading: 'Rating',
  description: 'Your own rating of a project. You can change or withdraw it.',
  GET: operation({
    operationId: 'getRating',
    summary: 'Your rating.',
    permission: 'seeAccount',
    responseSchema: ratingSchema,
    async handle(context, { database, projects }) {
      const project = await projects.find(context.viewer, parsePathId(context));
      const value = await findOwnRating(database, context.viewer, project.id);
      if (value === undefined) throw new NotFound();
      return toResult(value, project);
    },
  }),
  PUT: writeOperation({
    operationId: 'rateProject',
    summary: 'Rates the project.',
    fields,
    permission: 'rateProject',
    async precheck(context, { projects }) {
      const { contributor } = await projects.find(context.viewer, parsePathId(context));
      authorize(context.viewer, 'rateProject', contributor);
    },
    responseSchema: ratingSchema,
    async write(write, context) {
      const { value } = context.readValues();
      return toResult(value, await rateProject(write, parsePathId(context), value));
    },
  }),
  DELETE: writeOperation({
    operationId: 'withdrawRating',
    summary: 'Withdraws the rating.',
    permission: 'rateProject',
    status: 204,
    async write(write, context) {
      await rateProject(write, parsePathId(context), undefined);
    },
  }),
};
