// Ids in the addresses of resources.

import { z } from 'zod';
import { idFrom } from '../gallery/ids.ts';
import type { Call, Parameters } from '../rest/resource.ts';

/** What the `id` in a path is, as in "The project’s identifier". */
export const idParameter = (whose: string): Parameters => ({
  id: { description: `The ${whose} identifier.`, schema: z.string().regex(/^[1-9][0-9]{0,15}$/) },
});

/** What is none is not found. */
export const identifier = ({ params }: Pick<Call<unknown>, 'params'>): number => idFrom(params.id);
