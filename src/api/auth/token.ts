// /api/v1/auth/token/: a key for a name and a password, as Django REST framework's clients ask for it.

import { z } from 'zod';
import { type Fields, readFields, textField } from '../../fields.ts';
import { makeToken } from '../../gallery/accounts/keys.ts';
import { passwordGiven } from '../../gallery/accounts/passwords.ts';
import { signIn } from '../../gallery/accounts/sign-in.ts';
import { limits } from '../../gallery/contributors/contributor.ts';
import type { Reader } from '../../gallery/readers.ts';
import type { Resource } from '../../rest/resource.ts';
import { needs } from '../readers.ts';
import type { AuthParts } from './index.ts';

export const tokenSchema = z
  .object({ token: z.string().describe('Shown this once; it lasts a year.') })
  .meta({ id: 'Token', description: 'A key that may read and write.' });

export const credentialFields = {
  username: textField({ label: 'Username', required: true, most: limits.username, oneLine: true }),
  password: passwordGiven('Password'),
} satisfies Fields;

export const secret = { 'Cache-Control': 'no-store' };

export function tokenResource({ accounts }: AuthParts): Resource<Reader> {
  return {
    path: '/api/v1/auth/token/',
    name: 'Obtain Auth Token',
    description: 'Gives a key for a username and a password.',
    operations: {
      POST: {
        summary: 'A new key.',
        permission: needs('signIn'),
        asStranger: true,
        fields: credentialFields,
        answer: tokenSchema,
        async handle({ body, client, strict }) {
          const { username = '', password = '' } = readFields(credentialFields, body.data, { strict });
          const contributor = await signIn(accounts, username, password, client);
          const { secret: token } = await makeToken(accounts.database, contributor);
          return { data: { token }, headers: secret };
        },
      },
    },
  };
}
