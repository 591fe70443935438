// The resources below /api/v1/auth/: signing in, keys, invitations.

import type { ApiResource } from '../operation.ts';
import { rootResource } from '../root.ts';
import { keyResources } from './keys.ts';
import { sessionResource, tokenResource } from './session.ts';
import { passwordResource, sessionsResources } from './sessions.ts';
import { invitationsResource, signUpResource } from './sign-up.ts';

const root = {
  path: '/api/v1/auth/',
  operationId: 'getAuthRoot',
  name: 'Auth Root',
  description: 'The resources for signing in.',
};

const paths = Object.fromEntries(
  ['token', 'session', 'sessions', 'sign-up', 'password', 'keys', 'invitations'].map((name) => [
    name,
    `${root.path}${name}/`,
  ]),
);

export const authResources: ApiResource[] = [
  rootResource(root, paths), // GET  /api/v1/auth/
  tokenResource, //       POST  /api/v1/auth/token/
  sessionResource, //     POST, GET, DELETE  /api/v1/auth/session/
  ...sessionsResources, // GET, DELETE  /api/v1/auth/sessions/,  DELETE  /api/v1/auth/sessions/:id/
  signUpResource, //      POST  /api/v1/auth/sign-up/
  passwordResource, //    PUT   /api/v1/auth/password/
  ...keyResources, //     GET, POST  /api/v1/auth/keys/,  DELETE  /api/v1/auth/keys/:id/
  invitationsResource, // POST  /api/v1/auth/invitations/
];
