// Parses a query by the declared parameters of an operation. The last value of a repeated parameter counts, and unknown
// parameters are ignored; in strict mode both are errors.

import { z } from 'zod';
import { Invalid } from '../errors.ts';
import { listFormats } from './list-formats.ts';
import { formats } from './negotiation.ts';
import type { Operation, Parameters, Query } from './resource.ts';

const renderings =
  'The rendering, instead of the Accept header: `json`, `api` for a page, or `table` for a page with a table';

/** Every operation has this parameter: see negotiation.ts. */
export const formatParameter = {
  format: {
    description: `${renderings}.`,
    schema: z.enum(formats),
  },
} satisfies Parameters;

/** The same for operations whose response is a list. */
const listFormatParameter = {
  format: {
    description: `${renderings}; \`csv\` or \`ndjson\` for the whole list instead of a page of it.`,
    schema: z.enum([...formats, ...Object.keys(listFormats)]),
  },
} satisfies Parameters;

/** The formats of this operation. */
export function describeFormat({ list, produces }: Pick<Operation<never>, 'list' | 'produces'>): Parameters {
  if (list) return listFormatParameter;
  if (!produces) return formatParameter;
  const names = Object.keys(produces);
  const schema = z.enum([...formats, ...names]);
  return {
    format: { description: `${renderings}; or ${names.map((name) => `\`${name}\``).join(' or ')}.`, schema },
  };
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
      if (isStrict && !Object.hasOwn(formatParameter, name))
        errors.set(name, [
          `Unknown parameter. Known are: ${Object.keys({ ...parameters, ...formatParameter }).join(', ')}.`,
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
