// /api/v1/contributors/<id>/account/: the account of a contributor, for moderators.

import { z } from 'zod';
import { Forbidden } from '#common/errors.ts';
import { type Account, requireAccount } from '../../core/accounts/account.ts';
import {
  type ApiResource,
  idParameter,
  operation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { formatOptionalInstant, idSchema, timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { roles } from '../../core/viewer/viewer.ts';
import { accountFields, accountStates, canDisable, setAccountState } from './disable-accounts.ts';

const accountSchema = z
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

export const accountResource: ApiResource = {
  path: '/api/v1/contributors/:id/account/',
  pathParameters: idParameter('contributor’s'),
  name: 'Contributor Account',
  description: 'The account of a contributor.',
  GET: operation({
    operationId: 'getContributorAccount',
    summary: 'The account.',
    permission: 'seeReports',
    responseSchema: accountSchema,
    handle: async (context, { database, timeZone }) => ({
      data: serializeAccount(await requireAccount(database, parsePathId(context)), timeZone),
    }),
  }),
  PUT: writeOperation({
    operationId: 'setContributorAccountState',
    summary: 'Disables or enables the account.',
    fields: accountFields,
    permission: 'disableAccount',
    async precheck(context, { database }) {
      if (!canDisable(context.viewer, await requireAccount(database, parsePathId(context))))
        throw new Forbidden();
    },
    responseSchema: accountSchema,
    async write(write, context, { timeZone }) {
      const id = parsePathId(context);
      await requireAccount(write.transaction, id);
      const { state, reason } = context.readValues();
      await setAccountState({ ...write, reason }, id, state);
      return { data: serializeAccount(await requireAccount(write.transaction, id), timeZone) };
    },
  }),
};

const serializeAccount = (account: Account, timeZone: string) =>
  toRecord(accountSchema, account, {
    contributor: account.id,
    state: account.disabled === null ? 'open' : 'disabled',
    disabled: formatOptionalInstant(account.disabled, timeZone),
  });
