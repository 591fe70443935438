// /api/v1/auth/sign-up/: creates an account, if the operator allows it.

import { z } from 'zod';
import { requireOwnOrigin } from '#rest/csrf.ts';
import { hostnameOf } from '#rest/request-url.ts';
import { loadSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import type { ApiDependencies } from '../../core/api/dependencies.ts';
import { type ApiResource, operation } from '../../core/api/operation.ts';
import { requireSignUpOpen, signUp, signUpFields } from './sign-up.ts';

const signUpSchema = z
  .object({
    id: z.int().min(1),
    username: z.string(),
    first_name: z.string(),
    last_name: z.string(),
  })
  .meta({ id: 'NewContributor', description: 'A contributor who has just signed up.' });

const loadRules = ({ database, signUpOptions }: ApiDependencies['accounts'], origin: string) =>
  loadSignUpRules(database, signUpOptions, hostnameOf(origin));

const signUpResource: ApiResource = {
  path: '/api/v1/auth/sign-up/',
  name: 'Sign Up',
  description:
    'Creates an account. The operator decides whether anybody, or only people with an invitation may sign up.',
  POST: operation({
    operationId: 'signUp',
    summary: 'The new contributor.',
    status: 201,
    permission: 'signUp',
    ignoresCredentials: true,
    fields: signUpFields,
    responseSchema: signUpSchema,
    precheck: async ({ origin }, { accounts }) => requireSignUpOpen(await loadRules(accounts, origin)),
    async handle({ headers, origin, readValues, ...sender }, { accounts }) {
      requireOwnOrigin(headers, origin);
      return { data: await signUp(accounts, await loadRules(accounts, origin), readValues(), sender) };
    },
  }),
};

export const resources = [signUpResource];
