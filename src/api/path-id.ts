// Ids in the addresses of resources.

import { z } from 'zod';
import { requireId } from '../gallery/ids.ts';
import type { OperationContext, Parameters } from '../rest/resource.ts';

/** What the `id` in a path is, as in "The project’s identifier". */
export const idParameter = (whose: string): Parameters => ({
  id: { description: `The ${whose} identifier.`, schema: z.string().regex(/^[1-9][0-9]{0,15}$/) },
});

/** What is none is not found. */
export const parsePathId = ({ pathParameters }: Pick<OperationContext<unknown>, 'pathParameters'>): number =>
  requireId(pathParameters.id);
