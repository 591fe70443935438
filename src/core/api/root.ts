// /api/v1/ and /api/v1/auth/: the URLs of the resources below them.

import { z } from 'zod';
import { mapValues } from '#common/json.ts';
import { type ApiResource, operation } from './operation.ts';

const rootSchema = z
  .record(z.string(), z.url())
  .meta({ id: 'Root', description: 'The collections by name.' });

interface RootDescription extends Pick<ApiResource, 'path' | 'name' | 'heading' | 'description'> {
  readonly operationId: string;
  /** A Link header (RFC 8288) to the documentation. */
  readonly links?: string;
}

export const rootResource = (
  { links, operationId, ...about }: RootDescription,
  findCollections: () => Readonly<Record<string, string>>,
): ApiResource => ({
  ...about,
  GET: operation({
    operationId,
    summary: about.description,
    permission: 'read',
    responseSchema: rootSchema,
    ...(links !== undefined && { responseHeaders: ['Link'] as const }),
    handle: async ({ origin }) => ({
      data: mapValues(findCollections(), (path) => origin + path),
      link: links,
    }),
  }),
});
