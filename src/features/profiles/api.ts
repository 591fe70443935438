// /api/v1/contributors/ and /api/v1/contributors/<id>/.

import { z } from 'zod';
import { Forbidden, NotFound } from '#common/errors.ts';
import { shortText } from '#common/inputs.ts';
import { createRecordListing, pageParameters, pageSchema } from '#rest/pagination.ts';
import { findAccount } from '../../core/accounts/account.ts';
import {
  type ApiResource,
  idParameter,
  listOperation,
  operation,
  orderingParameter,
  parsePathId,
} from '../../core/api/operation.ts';
import { idSchema, timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { transactOnce } from '../../core/changes/write.ts';
import {
  contributorLimits,
  displayName,
  type VisibleContributor,
} from '../../core/contributors/contributor.ts';
import { contributorSorting, findContributor, listContributors } from '../../core/contributors/find.ts';
import { formatInstant } from '../../core/instant.ts';
import { contributorPath } from '../../core/paths.ts';
import { contributorExample } from '../../projects/api/examples.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import { canRename, renameAsModerator, renameFields } from '../moderation/rename.ts';

export const contributorSchema = z
  .object({
    id: idSchema,
    url: z.url().describe('The API’s URL of this contributor.'),
    html_url: z.url().describe('The contributor’s page.'),
    projects_url: z.url().describe('The contributor’s projects.'),
    username: z.string(),
    name: z.string().describe('The name that everybody sees: first and last name, or the username.'),
    first_name: z.string().describe('Empty if only the contributor and moderators see it.'),
    last_name: z.string().describe('Empty if only the contributor and moderators see it.'),
    created: timestampSchema.describe('When the contributor joined.'),
  })
  .meta({ id: 'Contributor', description: 'A contributor of the gallery.', examples: [contributorExample] });

export const contributorPageSchema = pageSchema(contributorSchema, {
  id: 'ContributorPage',
  description: 'A page of contributors.',
});

export const contributorResources: ApiResource[] = [
  {
    path: '/api/v1/contributors/',
    name: 'Contributor List',
    description: 'The contributors of the gallery, a page at a time.',
    GET: listOperation({
      operationId: 'listContributors',
      summary: 'A page of contributors.',
      parameters: {
        username: {
          description: 'Only the contributor with this username.',
          ...shortText(contributorLimits.username),
        },
        ...orderingParameter(contributorSorting, 'By default `id`.'),
        ...pageParameters,
      },
      permission: 'read',
      responseSchema: contributorPageSchema,
      findListing({ viewer, parameters: { ordering, username }, origin }, { database, timeZone }) {
        const listing = listContributors(database, viewer, username, ordering);
        return createRecordListing(listing, contributorSchema, (contributors) =>
          contributors.map((contributor) => serializeContributor(contributor, origin, timeZone)),
        );
      },
    }),
  },
  {
    path: '/api/v1/contributors/:id/',
    pathParameters: idParameter('contributor’s'),
    name: 'Contributor Instance',
    description: 'A contributor of the gallery.',
    PATCH: operation({
      operationId: 'renameContributor',
      summary: 'Changes the names of the contributor.',
      fields: renameFields,
      isPartial: true,
      permission: 'renameOthers',
      async precheck(context, { database }) {
        const account = await findAccount(database, parsePathId(context));
        if (!account) throw new NotFound();
        if (!canRename(context.viewer, account)) throw new Forbidden();
      },
      responseSchema: contributorSchema,
      handle(context, { database, timeZone }) {
        const id = parsePathId(context);
        return updateAfter(database, id, () =>
          transactOnce(database, context, async (write) => {
            const { reason, ...names } = context.readValues();
            const renamed = await renameAsModerator({ ...write, reason }, id, names);
            return { data: serializeContributor(renamed, context.origin, timeZone) };
          }),
        );
      },
    }),
    GET: operation({
      operationId: 'getContributor',
      summary: 'The contributor.',
      permission: 'read',
      responseSchema: contributorSchema,
      async handle(context, { database, timeZone }) {
        const contributor = await findContributor(database, context.viewer, parsePathId(context));
        return { data: serializeContributor(contributor, context.origin, timeZone) };
      },
    }),
  },
];

export function serializeContributor(contributor: VisibleContributor, origin: string, timeZone: string) {
  const { id, username, first_name, last_name, created } = contributor;
  const { full_first_name = first_name, full_last_name = last_name } = contributor;
  return toRecord(contributorSchema, contributor, {
    url: `${origin}/api/v1/contributors/${id}/`,
    html_url: `${origin}${contributorPath(id, username)}`,
    projects_url: `${origin}/api/v1/projects/?contributor=${id}`,
    name: displayName(contributor),
    first_name: full_first_name,
    last_name: full_last_name,
    created: formatInstant(created, timeZone),
  });
}
