// Examples of the values, bodies and requests that an OpenAPI document describes.

import { mapValues } from '../../../common/src/json.ts';
import type { JsonSchema, OpenApiDocument, Schemas } from '../openapi/document.ts';
import type { SnippetRequest } from '../renderers/snippets.ts';
import { type DocumentedOperation, findSuccess, listBodyMembers, resolve } from './operations.ts';

/** Tried in this order for a text that must match a pattern. */
const texts = ['1', '2024-05-20T14:24:25.123456+00:00', '4fzAbCdEfGhJkMnPqRsTuV'];

export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { $ref, examples, anyOf, type, properties, items, additionalProperties, pattern, minimum } = schema;
  if ($ref !== undefined) return exampleOf(resolve(schema, schemas), schemas);
  if (examples) return examples[0];
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0], schemas);
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'object': {
      if (!properties && typeof additionalProperties === 'object')
        return { name: exampleOf(additionalProperties, schemas) };
      return mapValues(properties ?? {}, (property) => exampleOf(property, schemas));
    }
    case 'array':
      return [exampleOf(items ?? {}, schemas)];
    case 'integer':
    case 'number':
      return Math.max(1, minimum ?? 1);
    case 'boolean':
      return true;
    default: {
      if (schema.format === 'uri') return 'https://example.org/';
      const matches = (text: string) => pattern !== undefined && new RegExp(pattern).test(text);
      return texts.find(matches) ?? schema.title ?? '…';
    }
  }
}

/** That of the document, or the required members, or the first one where none is; undefined if there is no body. */
export function exampleBody(operation: DocumentedOperation, schemas: Schemas): unknown {
  if (operation.body?.schema.examples) return operation.body.schema.examples[0];
  const members = listBodyMembers(operation);
  if (members.length === 0) return undefined;
  const required = members.filter(({ isRequired }) => isRequired);
  const chosen = required.length ? required : members.slice(0, operation.requestBody?.required ? 0 : 1);
  return Object.fromEntries(chosen.map(({ name, schema }) => [name, exampleOf(schema, schemas)]));
}

/** The path with an example for each of its variable parts. */
export const examplePath = ({ path, parameters }: DocumentedOperation): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema;
    return schema?.type === 'integer' ? '1' : String(schema?.enum?.[0] ?? name.toUpperCase());
  });

export function exampleRequest(
  operation: DocumentedOperation,
  { security, components: { schemas } }: OpenApiDocument,
  origin: string,
): SnippetRequest {
  const { method } = operation;
  const { status, response } = findSuccess(operation);
  const types = Object.keys(response?.content ?? {});
  // A read that also works without credentials is shown without.
  const usesKey = (operation.security ?? (method === 'GET' ? [{}] : security)).some(({ bearer }) => bearer);
  const file = listBodyMembers(operation).find(({ isFile, isRequired }) => isFile && isRequired);
  return {
    method,
    url: origin + examplePath(operation),
    headers: { Accept: 'application/json', ...(usesKey && { Authorization: 'Token YOUR_KEY' }) },
    ...(file ? { fileField: file.name } : { json: exampleBody(operation, schemas) }),
    response: status === '204' ? 'none' : types.includes('application/json') ? 'json' : 'text',
  };
}
