// /api/v1/contributors/<id>/account/: the account of a contributor, for moderators.

import { z } from 'zod';
import { Forbidden } from '../common/errors.ts';
import { type Account, requireAccount } from '../gallery/accounts/account.ts';
import { transactOnce } from '../gallery/changes/write.ts';
import { formatInstant } from '../gallery/instant.ts';
import { accountFields, accountStates, canDisable, setAccountState } from '../gallery/moderation/accounts.ts';
import { roles, type Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './dependencies.ts';
import { idParameter, idSchema, operation, parsePathId } from './operation.ts';
import { timestampSchema } from './timestamp.ts';

export const accountSchema = z
  .object({
    contributor: idSchema,
    username: z.string(),
    role: z.enum(roles),
    state: z
      .enum(accountStates)
      .describe('Nobody can sign in to a disabled account or use its keys; its projects stay.'),
    disabled: timestampSchema.nullable().describe('When it was disabled; null if it is open.'),
  })
  .meta({ id: 'Account', description: 'The account with which a contributor signs in.' });

export function accountResource({ database, timeZone }: ApiDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/contributors/:id/account/',
    pathParameters: idParameter('contributor’s'),
    name: 'Contributor Account',
    description: 'The account of a contributor.',
    operations: {
      GET: operation({
        operationId: 'getContributorAccount',
        summary: 'The account.',
        permission: 'seeReports',
        responseSchema: accountSchema,
        handle: async (context) => ({
          data: serializeAccount(await requireAccount(database, parsePathId(context)), timeZone),
        }),
      }),
      PUT: operation({
        operationId: 'setContributorAccountState',
        summary: 'Disables or enables the account.',
        fields: accountFields,
        permission: 'disableAccount',
        async precheck(context) {
          if (!canDisable(context.viewer, await requireAccount(database, parsePathId(context))))
            throw new Forbidden();
        },
        responseSchema: accountSchema,
        handle: (context) =>
          transactOnce(database, context, async (write) => {
            const id = parsePathId(context);
            await requireAccount(write.transaction, id);
            const { state, reason } = context.readValues();
            await setAccountState({ ...write, reason }, id, state);
            return { data: serializeAccount(await requireAccount(write.transaction, id), timeZone) };
          }),
      }),
    },
  };
}

function serializeAccount(
  { id, username, role, disabled }: Account,
  timeZone: string,
): z.input<typeof accountSchema> {
  const since = disabled === null ? null : formatInstant(disabled, timeZone);
  return { contributor: id, username, role, state: since === null ? 'open' : 'disabled', disabled: since };
}
