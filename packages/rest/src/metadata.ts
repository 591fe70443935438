// The response to OPTIONS: what a resource is, and which fields this viewer may write.

import { mapValues } from '../../common/src/json.ts';
import { type Field, type Fields, isFileSchema } from './fields.ts';
import { listFormats } from './list-formats.ts';
import { parsedMediaTypes } from './parsers.ts';
import type { Resource } from './resource.ts';

const renderedMediaTypes = ['application/json', 'text/html'];
const listMediaTypes = Object.values(listFormats).map(({ mediaType }) => mediaType);

/** `actions` has the fields of each method by which this viewer may write. */
export function describeResource(
  { name, description, operations }: Resource<never>,
  actions: Readonly<Record<string, Fields>>,
): Record<string, unknown> {
  return {
    name,
    description,
    renders: [...renderedMediaTypes, ...(operations.GET?.list ? listMediaTypes : [])],
    parses: parsedMediaTypes,
    ...(Object.keys(actions).length && {
      actions: mapValues(actions, (fields) => mapValues(fields, describeField)),
    }),
  };
}

function describeField({ label, help, required, readOnly, schema, choices }: Field): Record<string, unknown> {
  return {
    type: choices && schema.type !== 'boolean' ? 'choice' : findFieldType(schema),
    required: required ?? false,
    read_only: readOnly ?? false,
    label: String(label),
    ...(help !== undefined && { help_text: String(help) }),
    ...(schema.maxLength !== undefined && { max_length: schema.maxLength }),
    ...(schema.minimum !== undefined && !readOnly && { min_value: schema.minimum }),
    ...(schema.maximum !== undefined && !readOnly && { max_value: schema.maximum }),
    ...(choices &&
      schema.type !== 'boolean' && {
        choices: choices.map(({ value, display_name }) => ({ value, display_name: String(display_name) })),
      }),
  };
}

function findFieldType(schema: Field['schema']): string {
  const { type: types, format, anyOf } = schema;
  // A nullable type is described as the type itself.
  if (types === undefined && Array.isArray(anyOf)) return findFieldType(anyOf[0]);
  const type = Array.isArray(types) ? types[0] : types;
  if (isFileSchema(schema)) return 'file upload';
  if (format === 'uri') return 'url';
  if (type === 'integer' || type === 'boolean') return type;
  return type === 'array' ? 'list' : type === 'object' ? 'nested object' : 'string';
}
