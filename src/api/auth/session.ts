// /api/v1/auth/session/: signing in and out with a browser.

import { z } from 'zod';
import { readFields } from '../../fields.ts';
import { personOf } from '../../gallery/accounts/account.ts';
import { endSession } from '../../gallery/accounts/sessions.ts';
import { credentialFields, signIn } from '../../gallery/accounts/sign-in.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { roles, type Viewer } from '../../gallery/viewer.ts';
import { sessionCookies } from '../../rest/authentication.ts';
import { demandOwnOrigin } from '../../rest/csrf.ts';
import type { Resource, Success } from '../../rest/resource.ts';
import { needs } from '../needs.ts';
import type { AuthParts } from './index.ts';
import { secret } from './token.ts';

export const sessionSchema = z
  .object({
    contributor: z.int().min(1).nullable().describe('The id of the contributor who is signed in.'),
    username: z.string().nullable(),
    name: z.string().nullable(),
    role: z.enum(roles).nullable(),
    csrf_token: z
      .string()
      .nullable()
      .describe('What X-CSRFToken must say in this session; null where a key was shown.'),
  })
  .meta({ id: 'Session', description: 'Who is signed in; all null for a visitor.' });

export function sessionResource({ accounts, authenticator }: AuthParts): Resource<Viewer> {
  const { database } = accounts;

  async function describe(contributor: number, csrf_token: string | null) {
    const person = await personOf(database, contributor);
    if (!person) throw new Error(`contributor ${contributor} is gone`);
    const { username, role } = person;
    return { contributor, username, name: displayName(person), role, csrf_token };
  }

  return {
    path: '/api/v1/auth/session/',
    name: 'Session',
    description: 'Who is signed in with this browser.',
    operations: {
      GET: {
        summary: 'Who is signed in.',
        permission: needs('signIn'),
        answer: sessionSchema,
        async handle({ viewer: { contributor, credential } }) {
          if (contributor === null || !credential)
            return { data: { contributor: null, username: null, name: null, role: null, csrf_token: null } };
          const token = credential.kind === 'session' ? authenticator.csrf.tokenOf(credential.id) : null;
          return { data: await describe(contributor, token) };
        },
      },
      POST: {
        summary: 'Signs in: a new session, in cookies.',
        permission: needs('signIn'),
        asStranger: true,
        fields: credentialFields,
        answer: sessionSchema,
        async handle({ request, base, body, client, strict }) {
          demandOwnOrigin(request.headers, base);
          const { username = '', password = '' } = readFields(credentialFields, body.data, { strict });
          const contributor = await signIn(accounts, username, password, client);
          const { cookies, csrfToken } = await authenticator.begin(request.headers, base, contributor);
          return { data: await describe(contributor, csrfToken), cookies, headers: secret };
        },
      },
      DELETE: {
        summary: 'Signs out.',
        status: 204,
        permission: needs('signIn'),
        async handle({ base, viewer: { credential } }): Promise<Success> {
          if (credential?.kind === 'session') await endSession(database, credential.id);
          return { status: 204, cookies: sessionCookies(base) };
        },
      },
    },
  };
}
