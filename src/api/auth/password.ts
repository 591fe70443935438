// /api/v1/auth/password/: another password for whoever is signed in.

import { readFields } from '../../fields.ts';
import { changePassword, newPasswordFields } from '../../gallery/accounts/sign-in.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import { requirePermission } from '../require-permission.ts';
import type { AuthDependencies } from './index.ts';

export function passwordResource({ accounts, authenticator }: AuthDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/auth/password/',
    name: 'Password',
    description: 'The password of whoever is signed in.',
    operations: {
      PUT: {
        summary: 'Changes the password. All sessions end, but for this one, which is renewed; keys stay.',
        status: 204,
        checkPermission: requirePermission('changeAccount'),
        fields: newPasswordFields,
        async handle({ request, origin, body, viewer, clientAddress, strict }) {
          const { old_password: old = '', new_password: chosen = '' } = readFields(
            newPasswordFields,
            body.data,
            { strict },
          );
          const { contributor, credential } = viewer;
          if (contributor === null) throw new Error('a visitor has no password');
          await changePassword(accounts, contributor, { old, chosen }, clientAddress);
          if (credential?.kind !== 'session') return { status: 204 };
          const { cookies } = await authenticator.startSession(request.headers, origin, contributor);
          return { status: 204, cookies };
        },
      },
    },
  };
}
