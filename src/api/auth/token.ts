// /api/v1/auth/token/: a key for a username and a password, as in Django REST framework.

import { z } from 'zod';
import { createToken } from '../../gallery/accounts/keys.ts';
import { credentialFields, signIn } from '../../gallery/sign-in/sign-in.ts';
import { requireOwnOrigin } from '../../rest/csrf.ts';
import { type ApiResource, noStore, operation } from '../operation.ts';

const tokenSchema = z
  .object({ token: z.string().describe('It is never shown again and expires after a year.') })
  .meta({ id: 'Token', description: 'A key that may read and write.' });

export const tokenResource: ApiResource = {
  path: '/api/v1/auth/token/',
  name: 'Obtain Auth Token',
  description: 'Returns a key for a username and a password.',
  operations: {
    POST: operation({
      operationId: 'createToken',
      summary: 'A new key.',
      permission: 'signIn',
      ignoresCredentials: true,
      fields: credentialFields,
      responseSchema: tokenSchema,
      async handle({ headers, origin, client, readValues }, { accounts }) {
        requireOwnOrigin(headers, origin);
        const { username, password } = readValues();
        const { id, passwordHash } = await signIn(accounts, username, password, client);
        const { secret: token } = await createToken(accounts.database, id, passwordHash);
        return { data: { token }, headers: noStore };
      },
    }),
  },
};
