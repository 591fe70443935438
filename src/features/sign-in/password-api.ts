// /api/v1/auth/password/: changes the viewer's password.

import { type ApiResource, operation } from '../../core/api/operation.ts';
import { changeOwnPassword, newPasswordFields } from './sign-in.ts';

const passwordResource: ApiResource = {
  path: '/api/v1/auth/password/',
  name: 'Password',
  description: 'Your password.',
  PUT: operation({
    operationId: 'changePassword',
    summary: 'Changes the password. All keys and all other sessions end; this session is renewed.',
    status: 204,
    permission: 'changeAccount',
    fields: newPasswordFields,
    async handle(context, deps) {
      const { viewer, readValues } = context;
      return { cookies: await changeOwnPassword(deps, context, viewer, readValues()) };
    },
  }),
};

export const resources = [passwordResource];
