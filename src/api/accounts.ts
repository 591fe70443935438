// /api/v1/contributors/<id>/account/: whether somebody may sign in, for moderators.

import { z } from 'zod';
import type { Reads } from '../database/open.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { choiceField, readFields } from '../fields.ts';
import { type Account, personOf } from '../gallery/accounts/account.ts';
import { formatInstant } from '../gallery/instant.ts';
import { disableAccount, enableAccount, mayDisable } from '../gallery/moderation/accounts.ts';
import { whyFields } from '../gallery/moderation/decision.ts';
import { type Reader, roles } from '../gallery/readers.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { identifier } from './projects.ts';
import { idParameter } from './reports.ts';
import { act } from './writes.ts';

const states = ['open', 'disabled'] as const;

export const accountAnswer = z
  .object({
    contributor: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    username: z.string(),
    role: z.enum(roles),
    state: z.enum(states).describe('Nothing opens a disabled account; what was made by it stays.'),
    disabled: z.string().nullable().describe('Since when.'),
  })
  .meta({ id: 'Account', description: 'What lets somebody sign in.' });

const fields = {
  state: choiceField('State', { open: 'open', disabled: 'disabled' }, { required: true }),
  ...whyFields,
};

export function accountResource({ database, timeZone: zone }: ApiParts): Resource<Reader> {
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
        fields,
        permission: needs('disableAccount'),
        async allowed(call) {
          if (!mayDisable(call.caller, await accountOf(database, identifier(call)))) throw new Forbidden();
        },
        answer: accountAnswer,
        handle: (call) =>
          act(database, call, async (act) => {
            const id = identifier(call);
            await accountOf(act.transaction, id);
            const { state, reason } = readFields(fields, call.body.data, { strict: call.strict });
            const set = state === 'disabled' ? disableAccount : enableAccount;
            await set({ ...act, reason }, id);
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
