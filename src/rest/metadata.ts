// What OPTIONS answers.

import type { Resource } from './resource.ts';

export const parses = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
export const renders = ['application/json', 'text/html'];

export function metadata({ name, description }: Resource<never>): Record<string, unknown> {
  return { name, description, renders, parses };
}
