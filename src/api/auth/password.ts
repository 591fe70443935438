// /api/v1/auth/password/: changes the viewer's password.

import { changePassword, newPasswordFields } from '../../gallery/accounts/sign-in.ts';
import { requireSignedIn, type Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import { operation } from '../operation.ts';
import type { AuthDependencies } from './index.ts';

export function passwordResource({ accounts, authenticator }: AuthDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/auth/password/',
    name: 'Password',
    description: 'Your password.',
    operations: {
      PUT: operation({
        summary: 'Changes the password. All other sessions end, this one is renewed, and keys stay valid.',
        status: 204,
        permission: 'changeAccount',
        fields: newPasswordFields,
        async handle({ headers, origin, viewer, clientAddress, readValues }) {
          const { old_password: old, new_password: chosen } = readValues();
          const contributor = requireSignedIn(viewer);
          await changePassword(accounts, contributor, { old, chosen }, clientAddress);
          if (viewer.credential?.kind !== 'session') return { status: 204 };
          const { cookies } = await authenticator.startSession(headers, origin, contributor);
          return { status: 204, cookies };
        },
      }),
    },
  };
}
