// /api/v1/contributors/<id>/account/: whether somebody may sign in, for moderators.

import { z } from 'zod';
import type { Reads } from '../database/open.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { readFields } from '../fields.ts';
import { type Account, personOf } from '../gallery/accounts/account.ts';
import { formatInstant } from '../gallery/instant.ts';
import { accountFields, accountStates, mayDisable, setState } from '../gallery/moderation/accounts.ts';
import { roles, type Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier, idParameter } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { transactOnce } from './transact.ts';

export const accountAnswer = z
  .object({
    contributor: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    username: z.string(),
    role: z.enum(roles),
    state: z.enum(accountStates).describe('Nothing opens a disabled account; what was made by it stays.'),
    disabled: z.string().nullable().describe('Since when.'),
  })
  .meta({ id: 'Account', description: 'What lets somebody sign in.' });

export function accountResource({ database, timeZone: zone }: ApiParts): Resource<Viewer> {
  return {
    path: '/api/v1/contributors/:id/account/',
    pathParameters: idParameter('contributor’s'),
    name: 'Contributor Account',
    description: 'Whether somebody may sign in.',
    operations: {
      GET: {
        summary: 'The account.',
        permission: needs('seeReports'),
        answer: accountAnswer,
        handle: async (call) => ({ data: shown(await accountOf(database, identifier(call)), zone) }),
      },
      PUT: {
        summary: 'Disables the account, or enables it again.',
        fields: accountFields,
        permission: needs('disableAccount'),
        async allowed(call) {
          if (!mayDisable(call.viewer, await accountOf(database, identifier(call)))) throw new Forbidden();
        },
        answer: accountAnswer,
        handle: (call) =>
          transactOnce(database, call, async (act) => {
            const id = identifier(call);
            await accountOf(act.transaction, id);
            const { state, reason } = readFields(accountFields, call.body.data, { strict: call.strict });
            await setState({ ...act, reason }, id, state);
            return { data: shown(await accountOf(act.transaction, id), zone) };
          }),
      },
    },
  };
}

async function accountOf(reads: Reads, id: number): Promise<Account> {
  const person = await personOf(reads, id);
  if (!person || person.role === null) throw new NotFound();
  return { ...person, role: person.role };
}

function shown({ id, username, role, disabled }: Account, zone: string): z.input<typeof accountAnswer> {
  const since = disabled === null ? null : formatInstant(disabled, zone);
  return { contributor: id, username, role, state: since === null ? 'open' : 'disabled', disabled: since };
}
