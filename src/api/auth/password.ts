// /api/v1/auth/password/: another password for whoever is signed in.

import { type Fields, readFields } from '../../fields.ts';
import { passwordChosen, passwordGiven } from '../../gallery/accounts/passwords.ts';
import { changePassword } from '../../gallery/accounts/sign-in.ts';
import type { Reader } from '../../gallery/readers.ts';
import type { Resource } from '../../rest/resource.ts';
import { needs } from '../readers.ts';
import type { AuthParts } from './index.ts';
import { startSession } from './session.ts';

const fields = {
  old_password: passwordGiven('Old password'),
  new_password: passwordChosen('New password'),
} satisfies Fields;

export function passwordResource({ accounts, readers }: AuthParts): Resource<Reader> {
  return {
    path: '/api/v1/auth/password/',
    name: 'Password',
    description: 'The password of whoever is signed in.',
    operations: {
      PUT: {
        summary: 'Changes the password. All sessions end, but for this one, which is renewed; keys stay.',
        status: 204,
        permission: needs('changeAccount'),
        fields,
        async handle({ request, base, body, caller, client, strict }) {
          const { old_password: old = '', new_password: chosen = '' } = readFields(fields, body.data, {
            strict,
          });
          const { contributor, credential } = caller;
          if (contributor === null) throw new Error('a visitor has no password');
          await changePassword(accounts, contributor, { old, chosen }, client);
          if (credential?.kind !== 'session') return { status: 204 };
          const { cookies } = await startSession({ accounts, readers }, request, base, contributor);
          return { status: 204, cookies };
        },
      },
    },
  };
}
