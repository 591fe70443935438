// The OpenAPI document in version 3.0, for tools that cannot read 3.1. The two differ in the keywords of schemas.

import { isJsonObject, mapValues } from '../../../common/src/json.ts';
import { type OpenApiDocument, type Schemas, schemaName } from './document.ts';

interface OlderDocument extends Record<string, unknown> {
  readonly openapi: string;
  readonly info: OpenApiDocument['info'];
}

export function toOpenApi30({ openapi, info, ...document }: OpenApiDocument): OlderDocument {
  const name = isJsonObject(info.license) ? info.license.name : undefined;
  const license = { name, url: `https://spdx.org/licenses/${name}.html` };
  const { schemas } = document.components;
  const convertPart = (part: unknown) => convert(part, schemas);
  return { openapi: '3.0.3', info: { ...info, license }, ...mapValues(document, convertPart) };
}

function convert(value: unknown, schemas: Schemas): unknown {
  const convertPart = (part: unknown) => convert(part, schemas);
  if (Array.isArray(value)) return value.map(convertPart);
  if (!isJsonObject(value)) return value;
  const { examples, propertyNames, const: constant, ...rest } = value;
  const converted = allowNull(mapValues(rest, convertPart), schemas);
  return wrapReference({
    ...converted,
    ...(constant !== undefined && { enum: [constant] }),
    ...(Array.isArray(examples) && { example: examples[0] }),
  });
}

const isNull = (schema: unknown) => isJsonObject(schema) && schema.type === 'null';

/** A type beside null is that type with `nullable`. */
function allowNull(
  { anyOf, type, ...rest }: Record<string, unknown>,
  schemas: Schemas,
): Record<string, unknown> {
  if (Array.isArray(type)) return { ...rest, type: type.find((name) => name !== 'null'), nullable: true };
  const whole = { ...rest, ...(type !== undefined && { type }) };
  if (!Array.isArray(anyOf)) return { ...whole, ...(anyOf !== undefined && { anyOf }) };
  const others = anyOf.filter((schema) => !isNull(schema));
  const [only, another] = others;
  const nullable = others.length < anyOf.length ? { nullable: true } : {};
  if (another !== undefined || !isJsonObject(only)) return { ...whole, anyOf: others, ...nullable };
  // `nullable` counts only beside a type.
  const named = typeof only.$ref === 'string' ? schemas[schemaName(only.$ref)] : undefined;
  return { ...(named && { type: named.type }), ...only, ...whole, ...nullable };
}

/** Beside a reference, 3.0 ignores everything else. */
function wrapReference({ $ref, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if ($ref === undefined) return rest;
  return Object.keys(rest).length ? { ...rest, allOf: [{ $ref }] } : { $ref };
}
