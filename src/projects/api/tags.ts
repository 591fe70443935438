// /api/v1/tags/: the tags of public projects, with counts.

import { z } from 'zod';
import { shortText } from '#common/inputs.ts';
import { createRecordListing, pageParameters, pageSchema } from '#rest/pagination.ts';
import { type ApiResource, listOperation, orderingParameter } from '../../core/api/operation.ts';
import { projectLimits } from '../project.ts';
import { listTags, type Tag, tagSorting } from '../tags/list-tags.ts';
import { tagExample } from './examples.ts';

const tagSchema = z
  .object({
    name: z.string(),
    count: z.int().min(1).describe('The number of publicly listed projects with this tag.'),
    url: z.url().describe('The listing of these projects.'),
  })
  .meta({ id: 'Tag', description: 'A tag of publicly listed projects.', examples: [tagExample] });

export const tagsResource: ApiResource = {
  path: '/api/v1/tags/',
  name: 'Tag List',
  description: 'The tags of publicly listed projects, most frequent first.',
  GET: listOperation({
    operationId: 'listTags',
    summary: 'A page of tags.',
    parameters: {
      search: {
        description: 'Only tags that begin with this text.',
        ...shortText(projectLimits.tag),
      },
      ...orderingParameter(tagSorting, 'By default `-count`, the most frequent first.'),
      ...pageParameters,
    },
    permission: 'read',
    responseSchema: pageSchema(tagSchema, { id: 'TagPage', description: 'A page of tags.' }),
    findListing({ parameters, origin }, { database }) {
      const listing = listTags(database, parameters.search ?? '', parameters.ordering);
      return createRecordListing(listing, tagSchema, (tags) => tags.map((tag) => serializeTag(tag, origin)));
    },
  }),
};

function serializeTag({ name, count }: Tag, origin: string): z.input<typeof tagSchema> {
  return { name, count, url: `${origin}/api/v1/projects/?tags=${encodeURIComponent(name)}` };
}
