// /api/v1/: where the collections are.

import { z } from 'zod';
import type { Reader } from '../gallery/readers.ts';
import type { Resource } from '../rest/resource.ts';
import { needs } from './readers.ts';

export const rootSchema = z
  .record(z.string(), z.url())
  .meta({ id: 'Root', description: 'The collections by name.' });

export function rootResource(collections: Record<string, string>): Resource<Reader> {
  return {
    path: '/api/v1/',
    name: 'Api Root',
    description: 'Where the gallery’s collections are.',
    operations: {
      GET: {
        summary: 'The collections’ addresses.',
        permission: needs('read'),
        answer: rootSchema,
        async handle({ base }) {
          return {
            data: Object.fromEntries(Object.entries(collections).map(([name, path]) => [name, base + path])),
          };
        },
      },
    },
  };
}
