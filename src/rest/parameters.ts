// Parses a query by the declared parameters of an operation. The last value of a repeated parameter counts, and unknown
// parameters are ignored; in strict mode both are errors.

import { z } from 'zod';
import { Invalid } from '../errors.ts';
import type { Operation, Parameters, Query } from './resource.ts';

/** Every operation has this parameter: see negotiation.ts. */
const formatName = 'format';

/** The formats that the OpenAPI document has. It describes only JSON of the other operations: see openapi-operation.ts. */
export function describeFormat({ produces }: Pick<Operation<never>, 'produces'>): Parameters {
  if (!produces) return {};
  const schema = z.enum(Object.keys(produces));
  return { [formatName]: { description: 'The media type, instead of the Accept header.', schema } };
}

export function readParameters<Declared extends Parameters>(
  parameters: Declared,
  query: URLSearchParams,
  isStrict: boolean,
): Query<Declared> {
  const values: Record<string, unknown> = {};
  const errors = new Map<string, string[]>();
  const repeated = isStrict ? findRepeated(query.keys()) : undefined;
  for (const [name, text] of new Map(query)) {
    if (repeated?.has(name)) {
      errors.set(name, ['Given more than once.']);
      continue;
    }
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) {
      if (isStrict && name !== formatName)
        errors.set(name, [
          `Unknown parameter. Known are: ${[...Object.keys(parameters), formatName].join(', ')}.`,
        ]);
    } else if (text !== '' || parameter.acceptsEmpty) {
      const result = parameter.schema.safeParse(text);
      if (result.success) values[name] = result.data;
      else
        errors.set(
          name,
          result.error.issues.map(({ message }) => message),
        );
    }
  }
  if (errors.size) throw new Invalid(Object.fromEntries(errors));
  return values as Query<Declared>;
}

function findRepeated(names: Iterable<string>): Set<string> {
  const [known, repeated] = [new Set<string>(), new Set<string>()];
  for (const name of names) (known.has(name) ? repeated : known).add(name);
  return repeated;
}

/** `Prefer: handling=strict` (RFC 7240). */
export function prefersStrict(headers: Headers): boolean {
  return /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(headers.get('Prefer') ?? '');
}
