// /api/v1/auth/password/: changes the viewer's password.

import { newPasswordFields } from '../../gallery/sign-in/sign-in.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import type { AuthDependencies } from '../dependencies.ts';
import { operation } from '../operation.ts';

export function passwordResource({ accounts, authenticator }: AuthDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/auth/password/',
    name: 'Password',
    description: 'Your password.',
    operations: {
      PUT: operation({
        operationId: 'changePassword',
        summary: 'Changes the password. All keys and all other sessions end; this session is renewed.',
        status: 204,
        permission: 'changeAccount',
        fields: newPasswordFields,
        async handle(context) {
          const { viewer, readValues } = context;
          const cookies = await authenticator.changePassword(accounts, context, viewer, readValues());
          return { status: 204, cookies };
        },
      }),
    },
  };
}
