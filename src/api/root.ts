// /api/v1/ and /api/v1/auth/: what is where.

import { z } from 'zod';
import type { Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import { requirePermission } from './require-permission.ts';

export const rootSchema = z
  .record(z.string(), z.url())
  .meta({ id: 'Root', description: 'The collections by name.' });

interface RootDescription {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** Where all of it is described, as RFC 8288 has such links. */
  readonly links?: string;
}

export function rootResource(
  { links, ...about }: RootDescription,
  collections: Record<string, string>,
): Resource<Viewer> {
  return {
    ...about,
    operations: {
      GET: {
        summary: 'The collections’ addresses.',
        checkPermission: requirePermission('read'),
        responseSchema: rootSchema,
        async handle({ origin }) {
          return {
            data: Object.fromEntries(
              Object.entries(collections).map(([name, path]) => [name, origin + path]),
            ),
            ...(links !== undefined && { headers: { Link: links } }),
          };
        },
      },
    },
  };
}
