// /api/v1/me/following/…: the people and tags that the viewer follows.

import { z } from 'zod';
import { anyText } from '#common/inputs.ts';
import { createRecordListing, pageParameters, pageSchema } from '#rest/pagination.ts';
import {
  type ApiContext,
  type ApiResource,
  idParameter,
  listOperation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import {
  contributorPageSchema,
  contributorSchema,
  serializeContributor,
} from '../../projects/api/contributor-serializer.ts';
import {
  type Followed,
  follow,
  listFollowedContributors,
  listFollowedTags,
  maxFollows,
  unfollow,
} from './follow.ts';

const path = '/api/v1/me/following/';
const limit = `You can follow ${maxFollows} people and tags. Only you see them.`;

const followedTagSchema = z
  .object({ name: z.string(), url: z.url().describe('The listing of the projects with the tag.') })
  .meta({ id: 'FollowedTag', description: 'A tag that you follow.' });

const findFollowed = (context: Pick<ApiContext, 'pathParameters'>): Followed => {
  const { tag } = context.pathParameters;
  return tag === undefined ? { contributor: parsePathId(context) } : { tag };
};

const change = (operationId: string, summary: string, apply: typeof follow) =>
  writeOperation({
    operationId,
    summary,
    permission: 'keepLists',
    errors: [400],
    status: 204,
    write: (write, context) => apply(write, findFollowed(context)),
  });

export const resources: readonly ApiResource[] = [
  {
    path: `${path}contributors/`,
    name: 'Followed Contributor List',
    description: `The people whom you follow, by their usernames. ${limit}`,
    GET: listOperation({
      operationId: 'listFollowedContributors',
      summary: 'A page of the people whom you follow.',
      parameters: pageParameters,
      permission: 'seeAccount',
      responseSchema: contributorPageSchema,
      findListing: ({ viewer, origin }, { database, timeZone }) =>
        createRecordListing(listFollowedContributors(database, viewer), contributorSchema, (contributors) =>
          contributors.map((contributor) => serializeContributor(contributor, origin, timeZone)),
        ),
    }),
  },
  {
    path: `${path}contributors/:id/`,
    pathParameters: idParameter('contributor’s'),
    name: 'Followed Contributor',
    description: 'A person whom you follow or not. They do not learn of it.',
    PUT: change('followContributor', 'Follows the person.', follow),
    DELETE: change('unfollowContributor', 'Stops following the person.', unfollow),
  },
  {
    path: `${path}tags/`,
    name: 'Followed Tag List',
    description: `The tags that you follow, in alphabetical order. ${limit}`,
    GET: listOperation({
      operationId: 'listFollowedTags',
      summary: 'A page of the tags that you follow.',
      parameters: pageParameters,
      permission: 'seeAccount',
      responseSchema: pageSchema(followedTagSchema, {
        id: 'FollowedTagPage',
        description: 'A page of tags.',
      }),
      findListing: ({ viewer, origin }, { database }) =>
        createRecordListing(listFollowedTags(database, viewer), followedTagSchema, (tags) =>
          tags.map(({ name }) => ({
            name,
            url: `${origin}/api/v1/projects/?tags=${encodeURIComponent(name)}`,
          })),
        ),
    }),
  },
  {
    path: `${path}tags/:tag/`,
    pathParameters: { tag: { description: 'The tag; case does not matter.', ...anyText, example: 'robots' } },
    name: 'Followed Tag',
    description: 'A tag that you follow or not.',
    PUT: change('followTag', 'Follows the tag.', follow),
    DELETE: change('unfollowTag', 'Stops following the tag.', unfollow),
  },
];
