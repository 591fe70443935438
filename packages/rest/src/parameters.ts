// Parses a query by the declared parameters of an operation. The last value of a repeated parameter counts, and unknown
// parameters are ignored; in strict mode both are errors.

import { apiText, type Text } from '../../common/src/api-text.ts';
import { Invalid } from '../../common/src/errors.ts';
import { choiceText, InvalidValue, type ReadSettings } from '../../common/src/inputs.ts';
import type { Operation, Parameters, Query } from './resource.ts';

/** Every operation has this parameter: see negotiation.ts. */
const formatName = 'format';

/** The formats that the OpenAPI document has. It describes only JSON of the other operations: see openapi-operation.ts. */
export function describeFormat({ produces }: Pick<Operation<never>, 'produces'>): Parameters {
  if (!produces) return {};
  const description = 'The media type, instead of the Accept header.';
  return { [formatName]: { description, ...choiceText(Object.keys(produces)) } };
}

/** Those that have a meaning for the whole list. */
export const withoutPages = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, { isForPages }]) => !isForPages));

export function readParameters<Declared extends Parameters>(
  parameters: Declared,
  query: URLSearchParams,
  isStrict: boolean,
  settings: ReadSettings,
): Query<Declared> {
  const values: Record<string, unknown> = {};
  const errors = new Map<string, Text[]>();
  const repeated = isStrict ? findRepeated(query.keys()) : undefined;
  for (const [name, text] of new Map(query)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const problem =
      isStrict && (repeated?.has(name) ? apiText('givenTwice') : findMisuse(parameters, query, name));
    if (problem) errors.set(name, [problem]);
    else if (parameter && (text !== '' || parameter.acceptsEmpty)) {
      try {
        const { read, readStrictly = read } = parameter;
        values[name] = (isStrict ? readStrictly : read)(text, settings);
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
        errors.set(name, [error.text]);
      }
    }
  }
  if (errors.size) throw new Invalid(Object.fromEntries(errors));
  return values as Query<Declared>;
}

/** Why a parameter is ignored, unless the request is strict. */
function findMisuse(parameters: Parameters, query: URLSearchParams, name: string): string | undefined {
  const names = [...Object.keys(parameters), formatName];
  if (!names.includes(name)) return `Unknown parameter. Known are: ${names.join(', ')}.`;
  const other = parameters[name]?.unusedWith?.find((candidate) => query.has(candidate));
  return other && `Not used with ${other}.`;
}

function findRepeated(names: Iterable<string>): Set<string> {
  const [known, repeated] = [new Set<string>(), new Set<string>()];
  for (const name of names) (known.has(name) ? repeated : known).add(name);
  return repeated;
}

/** `Prefer: handling=strict` (RFC 7240). */
export const prefersStrict = (headers: Headers): boolean =>
  /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(headers.get('Prefer') ?? '');
