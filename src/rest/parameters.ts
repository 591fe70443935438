// Reads a query by the parameters that an operation declares. Of one given twice the last counts; one that is not
// known is dropped, unless the reader wants to be told.

import { Invalid } from '../errors.ts';
import type { Given, Parameters } from './resource.ts';

export function readParameters(
  parameters: Parameters,
  query: URLSearchParams,
  strict: boolean,
): Map<string, Given> {
  const given = new Map<string, Given>();
  const wrong = new Map<string, string[]>();
  for (const [name, text] of new Map(query)) {
    if (strict && query.getAll(name).length > 1) {
      wrong.set(name, ['Given more than once.']);
      continue;
    }
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) {
      if (strict) wrong.set(name, [`Unknown parameter. Known are: ${Object.keys(parameters).join(', ')}.`]);
    } else if (text !== '' || parameter.emptyCounts) {
      const result = parameter.schema.safeParse(text);
      if (result.success) given.set(name, { text, value: result.data });
      else
        wrong.set(
          name,
          result.error.issues.map(({ message }) => message),
        );
    }
  }
  if (wrong.size) throw new Invalid(Object.fromEntries(wrong));
  return given;
}

/** `Prefer: handling=strict`, as RFC 7240 has it. */
export function prefersStrict(headers: Headers): boolean {
  return /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(headers.get('Prefer') ?? '');
}
