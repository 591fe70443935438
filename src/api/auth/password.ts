// /api/v1/auth/password/: changes the viewer's password.

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
    description: 'Your password.',
    operations: {
      PUT: {
        summary: 'Changes the password. All other sessions end, this one is renewed, and keys stay valid.',
        status: 204,
        checkPermission: requirePermission('changeAccount'),
        fields: newPasswordFields,
        async handle({ request, origin, body, viewer, clientAddress, isStrict }) {
          const { old_password: old = '', new_password: chosen = '' } = readFields(
            newPasswordFields,
            body.data,
            { isStrict },
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
