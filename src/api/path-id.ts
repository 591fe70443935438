// Ids in paths.

import { z } from 'zod';
import { requireId } from '../gallery/ids.ts';
import type { OperationContext, Parameters } from '../rest/resource.ts';

/** An id in a response. */
export const idSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Of a path's part that is an id. */
export const pathIdSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/)
  .meta({ type: 'integer', minimum: 1 });

/** Describes the `id` in a path, as in "The project’s identifier." */
export const idParameter = (possessive: string): Parameters => ({
  id: { description: `The ${possessive} identifier.`, schema: pathIdSchema },
});

/** Throws NotFound if it is not an id. */
export const parsePathId = ({ pathParameters }: Pick<OperationContext<unknown>, 'pathParameters'>): number =>
  requireId(pathParameters.id);
