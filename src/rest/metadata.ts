// What OPTIONS answers.

import { type Field, type Fields, isFile } from '../fields.ts';
import { parses } from './parsers.ts';
import type { Resource } from './resource.ts';

export const renders = ['application/json', 'text/html'];

/** `actions` are the methods by which this caller may write, with the fields of each. */
export function metadata(
  { name, description }: Resource<never>,
  actions: Readonly<Record<string, Fields>>,
): Record<string, unknown> {
  const told = Object.entries(actions).map(([method, fields]) => [
    method,
    Object.fromEntries(Object.entries(fields).map(([field, about]) => [field, describe(about)])),
  ]);
  return {
    name,
    description,
    renders,
    parses,
    ...(told.length && { actions: Object.fromEntries(told) }),
  };
}

function describe({ label, help, required, readOnly, schema, choices }: Field): Record<string, unknown> {
  return {
    type: choices ? 'choice' : typeOf(schema),
    required: required ?? false,
    read_only: readOnly ?? false,
    label,
    ...(help !== undefined && { help_text: help }),
    ...(schema.maxLength !== undefined && { max_length: schema.maxLength }),
    ...(schema.minimum !== undefined && !readOnly && { min_value: schema.minimum }),
    ...(schema.maximum !== undefined && !readOnly && { max_value: schema.maximum }),
    ...(choices && { choices }),
  };
}

const formats: Record<string, string> = { uri: 'url', 'date-time': 'datetime' };

function typeOf(schema: Field['schema']): string {
  const { type: types, format, anyOf } = schema;
  // What may also be null is of the type that it is of otherwise.
  if (types === undefined && Array.isArray(anyOf)) return typeOf(anyOf[0]);
  const type = Array.isArray(types) ? types[0] : types;
  if (isFile(schema)) return 'file upload';
  if (typeof format === 'string' && formats[format]) return formats[format];
  if (type === 'integer' || type === 'boolean') return type;
  return type === 'array' ? 'list' : type === 'object' ? 'nested object' : 'string';
}
