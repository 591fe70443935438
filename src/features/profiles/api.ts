// /api/v1/contributors/ and /api/v1/contributors/<id>/.

import { Forbidden, NotFound } from '#common/errors.ts';
import { shortText } from '#common/inputs.ts';
import { createRecordListing, pageParameters } from '#rest/pagination.ts';
import { findAccount } from '../../core/accounts/account.ts';
import {
  type ApiResource,
  idParameter,
  listOperation,
  operation,
  orderingParameter,
  parsePathId,
} from '../../core/api/operation.ts';
import { transactOnce } from '../../core/changes/write.ts';
import { contributorLimits } from '../../core/contributors/contributor.ts';
import {
  contributorSorting,
  findContributor,
  listContributors,
} from '../../core/contributors/find-contributors.ts';
import {
  contributorPageSchema,
  contributorSchema,
  serializeContributor,
} from '../../projects/api/contributor-serializer.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import { canRename, renameAsModerator, renameFields } from '../moderation/rename.ts';

export const resources: readonly ApiResource[] = [
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
