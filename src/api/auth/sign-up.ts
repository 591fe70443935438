// /api/v1/auth/sign-up/: creates an account, if the operator allows it.

import { z } from 'zod';
import { readFields } from '../../fields.ts';
import { requireSignUpOpen, signUp, signUpFields } from '../../gallery/accounts/sign-up.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import { requirePermission } from '../require-permission.ts';
import type { AuthDependencies } from './index.ts';

export const signUpSchema = z
  .object({
    id: z.int().min(1),
    username: z.string(),
    first_name: z.string(),
    last_name: z.string(),
  })
  .meta({ id: 'NewContributor', description: 'A contributor who has just signed up.' });

export function signUpResource({ accounts }: AuthDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/auth/sign-up/',
    name: 'Sign Up',
    description:
      'Creates an account. The operator decides whether anybody, people with an invitation or nobody may sign up.',
    operations: {
      POST: {
        summary: 'The new contributor.',
        status: 201,
        checkPermission: requirePermission('signUp'),
        ignoresCredentials: true,
        fields: signUpFields,
        responseSchema: signUpSchema,
        async checkObjectPermission() {
          requireSignUpOpen(accounts.signUp);
        },
        async handle({ body, clientAddress, isStrict }) {
          requireSignUpOpen(accounts.signUp);
          const values = readFields(signUpFields, body.data, { isStrict });
          return { status: 201, data: await signUp(accounts, values, clientAddress) };
        },
      },
    },
  };
}
