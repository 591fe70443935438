// /api/v1/auth/session/: signing in and out in a browser.

import { z } from 'zod';
import { signOutHeaders } from '#rest/authentication.ts';
import { requireOwnOrigin } from '#rest/csrf.ts';
import type { Reader } from '#sql';
import { findAccount } from '../../core/accounts/account.ts';
import { createToken } from '../../core/accounts/keys.ts';
import { deleteSession } from '../../core/accounts/sessions.ts';
import { type ApiResource, noStore, operation } from '../../core/api/operation.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { roles } from '../../core/viewer/viewer.ts';
import { credentialFields, signIn } from './sign-in.ts';

const sessionSchema = z
  .object({
    contributor: z.int().min(1).nullable().describe('The id of the contributor who is signed in.'),
    username: z.string().nullable(),
    name: z.string().nullable(),
    role: z.enum(roles).nullable(),
    csrf_token: z
      .string()
      .nullable()
      .describe('The value of the X-CSRFToken header in this session; null if the request has a key.'),
  })
  .meta({ id: 'Session', description: 'The signed-in contributor; all members are null for a visitor.' });

const sessionResource: ApiResource = {
  path: '/api/v1/auth/session/',
  name: 'Session',
  description: 'The session of this browser.',
  GET: operation({
    operationId: 'getSession',
    summary: 'Who is signed in in this session.',
    permission: 'signIn',
    responseSchema: sessionSchema,
    async handle({ viewer: { contributor, credential, role } }, { database, authenticator }) {
      if (contributor === null || !credential)
        return { data: { contributor: null, username: null, name: null, role: null, csrf_token: null } };
      const token = credential.kind === 'session' ? authenticator.csrf.tokenFor(credential.id) : null;
      // That of the account does not work for a moderator without the required second factor.
      return { data: { ...(await loadSession(database, contributor, token)), role }, headers: noStore };
    },
  }),
  POST: operation({
    operationId: 'signIn',
    summary: 'Signs in: starts a session and sets its cookies.',
    permission: 'signIn',
    ignoresCredentials: true,
    fields: credentialFields,
    responseSchema: sessionSchema,
    async handle({ headers, origin, client, readValues }, { database, accounts, authenticator }) {
      requireOwnOrigin(headers, origin);
      const { username, password } = readValues();
      const account = await signIn(accounts, username, password, client);
      const { cookies, csrfToken } = await authenticator.startSession(headers, origin, account);
      return { data: await loadSession(database, account.id, csrfToken), cookies, headers: noStore };
    },
  }),
  DELETE: operation({
    operationId: 'signOut',
    summary: 'Signs out.',
    status: 204,
    permission: 'signIn',
    async handle({ origin, viewer: { credential } }, { database, authenticator }) {
      if (credential?.kind === 'session') await deleteSession(database, credential.id);
      return { cookies: authenticator.buildSignOutCookies(origin), headers: signOutHeaders };
    },
  }),
};

async function loadSession(reader: Reader, contributor: number, csrf_token: string | null) {
  const account = await findAccount(reader, contributor);
  if (!account) throw new Error(`contributor ${contributor} is gone`);
  const { username, role } = account;
  return { contributor, username, name: displayName(account), role, csrf_token };
}

// /api/v1/auth/token/: a key for a username and a password, as in Django REST framework.

const tokenSchema = z
  .object({ token: z.string().describe('It is never shown again and expires after a year.') })
  .meta({ id: 'Token', description: 'A key that may read and write.' });

const tokenResource: ApiResource = {
  path: '/api/v1/auth/token/',
  name: 'Obtain Auth Token',
  description: 'Returns a key for a username and a password.',
  POST: operation({
    operationId: 'createToken',
    summary: 'A new key.',
    permission: 'signIn',
    ignoresCredentials: true,
    fields: credentialFields,
    responseSchema: tokenSchema,
    async handle({ headers, origin, client, readValues }, { accounts }) {
      requireOwnOrigin(headers, origin);
      const { username, password } = readValues();
      const { id, passwordHash } = await signIn(accounts, username, password, client);
      const { secret: token } = await createToken(accounts.database, id, passwordHash);
      return { data: { token }, headers: noStore };
    },
  }),
};

export const resources = [tokenResource, sessionResource];
