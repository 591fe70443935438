// Signing in and what comes with it: everything below /api/v1/auth/.

import type { z } from 'zod';
import type { ViewerAuthenticator } from '../../authenticator.ts';
import type { SignUpParts } from '../../gallery/accounts/sign-up.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import { rootResource } from '../root.ts';
import { invitationSchema, invitationsResource } from './invitations.ts';
import { keyResources, keySchemas } from './keys.ts';
import { passwordResource } from './password.ts';
import { sessionResource, sessionSchema } from './session.ts';
import { signUpResource, signUpSchema } from './sign-up.ts';
import { tokenResource, tokenSchema } from './token.ts';

export interface AuthParts {
  readonly accounts: SignUpParts;
  readonly authenticator: ViewerAuthenticator;
  readonly timeZone: string;
}

const about = {
  path: '/api/v1/auth/',
  name: 'Auth Root',
  description: 'Where to sign in, and what comes with it.',
};

const addresses = Object.fromEntries(
  ['token', 'session', 'sign-up', 'password', 'keys', 'invitations'].map((name) => [
    name,
    `${about.path}${name}/`,
  ]),
);

export function authResources(parts: AuthParts): Resource<Viewer>[] {
  return [
    rootResource(about, addresses), // GET  /api/v1/auth/
    tokenResource(parts), //       POST  /api/v1/auth/token/
    sessionResource(parts), //     POST, GET, DELETE  /api/v1/auth/session/
    signUpResource(parts), //      POST  /api/v1/auth/sign-up/
    passwordResource(parts), //    PUT   /api/v1/auth/password/
    ...keyResources(parts), //     GET, POST  /api/v1/auth/keys/,  DELETE  /api/v1/auth/keys/:id/
    invitationsResource(parts), // POST  /api/v1/auth/invitations/
  ];
}

export const authSchemas: z.ZodType[] = [
  tokenSchema,
  sessionSchema,
  signUpSchema,
  ...keySchemas,
  invitationSchema,
];
