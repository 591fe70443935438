// /api/v1/tags/: which tags there are, and how often.

import { z } from 'zod';
import { type Tag, tagOrders, tagsLike } from '../gallery/tags/find.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { envelope, pageParameters, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';

const tag = z.object({
  name: z.string(),
  count: z.int().min(1).describe('How many projects in visitors’ listings have it.'),
  url: z.url().describe('Those projects.'),
});

export const tagPage = envelope(tag).meta({ id: 'TagPage', description: 'A page of tags.' });

export function tagsResource({ database, secret }: ApiParts): Resource<Viewer> {
  return {
    path: '/api/v1/tags/',
    name: 'Tag List',
    description: 'The tags of what visitors’ listings show, the most frequent first.',
    operations: {
      GET: {
        summary: 'A page of tags.',
        parameters: {
          search: { description: 'Only tags that begin with this.', schema: z.string().max(50) },
          ordering: {
            description: 'The most frequent first (`-count`), or by `name`.',
            schema: z.enum(['-count', 'name']),
          },
          ...pageParameters,
        },
        permission: needs('read'),
        answer: tagPage,
        async handle(call) {
          const { given, base } = call;
          const order = tagOrders[given.get('ordering')?.text ?? '-count'] ?? [];
          const tags = tagsLike(database, given.get('search')?.text ?? '', order);
          return { data: await paginate(tags, call, secret, (some) => some.map((tag) => shown(tag, base))) };
        },
      },
    },
  };
}

function shown({ name, count }: Tag, base: string): z.input<typeof tag> {
  return { name, count, url: `${base}/api/v1/projects/?tags=${encodeURIComponent(name)}` };
}
