// The parameter `ordering` of a list. Unknown terms are dropped, as clients of Django REST framework expect.

import { z } from 'zod';
import { parseOrder, type Sorting } from '../gallery/listing/order.ts';

/** `byDefault` ends the description: "By default newest first." */
export function orderingParameter<Column extends string>(sorting: Sorting<Column>, byDefault: string) {
  const names = Object.keys(sorting.columns);
  const terms = z.string().meta({ examples: names.flatMap((name) => [`-${name}`, name]) });
  return {
    ordering: {
      description: `One or more of ${names.join(', ')}, separated by commas, each with a - for descending. ${byDefault}`,
      schema: terms.transform((text) => parseOrder(text, sorting).order),
      strictSchema: terms.transform((text, context) => {
        const { order, dropped } = parseOrder(text, sorting);
        const message = `Not used: ${dropped.join(', ')}. Known are: ${names.join(', ')}, each with an optional -.`;
        if (dropped.length) context.addIssue({ code: 'custom', message });
        return order;
      }),
    },
  };
}
