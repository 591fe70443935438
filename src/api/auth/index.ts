// The resources below /api/v1/auth/: signing in, keys, invitations.

import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import type { AuthDependencies } from '../dependencies.ts';
import { rootResource } from '../root.ts';
import { keyResources } from './keys.ts';
import { sessionResource } from './session.ts';
import { passwordResource, sessionsResources } from './sessions.ts';
import { invitationsResource, signUpResource } from './sign-up.ts';
import { tokenResource } from './token.ts';

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

export function authResources(deps: AuthDependencies): Resource<Viewer>[] {
  return [
    rootResource(root, paths), // GET  /api/v1/auth/
    tokenResource(deps), //       POST  /api/v1/auth/token/
    sessionResource(deps), //     POST, GET, DELETE  /api/v1/auth/session/
    ...sessionsResources(deps), // GET, DELETE  /api/v1/auth/sessions/,  DELETE  /api/v1/auth/sessions/:id/
    signUpResource(deps), //      POST  /api/v1/auth/sign-up/
    passwordResource(deps), //    PUT   /api/v1/auth/password/
    ...keyResources(deps), //     GET, POST  /api/v1/auth/keys/,  DELETE  /api/v1/auth/keys/:id/
    invitationsResource(deps), // POST  /api/v1/auth/invitations/
  ];
}
