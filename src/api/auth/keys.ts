// /api/v1/auth/keys/ and /api/v1/auth/keys/<id>/: the viewer's API keys.

import { z } from 'zod';
import { type ApiKey, loadKeys, revokeKey } from '../../gallery/accounts/keys.ts';
import { requireId } from '../../gallery/ids.ts';
import { formatInstant, type Instant } from '../../gallery/instant.ts';
import { createOwnKey, keyFields, requireSession } from '../../gallery/sign-in/key-fields.ts';
import { requireSignedIn, type Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import type { AuthDependencies } from '../dependencies.ts';
import { idParameter, operation } from '../operation.ts';
import { timestampSchema } from '../timestamp.ts';
import { noStore } from './token.ts';

const keySchema = z
  .object({
    id: z.int().min(1),
    name: z.string(),
    access: z.enum(['read', 'write']),
    created: timestampSchema,
    expires: timestampSchema.nullable().describe('When it expires; null if it never does.'),
    used: timestampSchema.nullable().describe('When it was last used, to the hour; null if never.'),
  })
  .meta({ id: 'Key', description: 'An API key; the key itself is shown only when it is created.' });
const keysSchema = z.array(keySchema).meta({ id: 'Keys', description: 'All keys, the oldest first.' });
const newKeySchema = keySchema
  .extend({ key: z.string().describe('The key itself; it is never shown again.') })
  .meta({ id: 'NewKey', description: 'A key that was just created.' });

export function keyResources(deps: AuthDependencies): Resource<Viewer>[] {
  return [
    {
      path: '/api/v1/auth/keys/',
      name: 'Key List',
      description: 'Your API keys.',
      operations: { GET: listOperation(deps), POST: createOperation(deps) },
    },
    {
      path: '/api/v1/auth/keys/:id/',
      pathParameters: idParameter('key’s'),
      name: 'Key Instance',
      description: 'One of your API keys.',
      operations: { DELETE: revokeOperation(deps) },
    },
  ];
}

const listOperation = ({ accounts: { database }, timeZone }: AuthDependencies) =>
  operation({
    operationId: 'listKeys',
    summary: 'Your keys.',
    permission: 'seeAccount',
    responseSchema: keysSchema,
    async handle({ viewer }) {
      const keys = await loadKeys(database, requireSignedIn(viewer));
      return { data: keys.map((key) => serializeKey(key, timeZone)) };
    },
  });

const createOperation = ({ accounts, timeZone }: AuthDependencies) =>
  operation({
    operationId: 'createKey',
    summary: 'Creates a key. This needs a session and the password: a key cannot create keys.',
    status: 201,
    permission: 'changeAccount',
    fields: keyFields(timeZone),
    responseSchema: newKeySchema,
    responseHeaders: ['Location'],
    async precheck({ viewer }) {
      requireSession(viewer);
    },
    async handle({ origin, viewer, client, readValues }) {
      requireSession(viewer);
      const { key, secret } = await createOwnKey(accounts, viewer, readValues(), client);
      const headers = { ...noStore, Location: `${origin}/api/v1/auth/keys/${key.id}/` };
      return { status: 201, data: { ...serializeKey(key, timeZone), key: secret }, headers };
    },
  });

const revokeOperation = ({ accounts: { database } }: AuthDependencies) =>
  operation({
    operationId: 'revokeKey',
    summary: 'Revokes the key.',
    status: 204,
    permission: 'changeAccount',
    async handle({ viewer, pathParameters }) {
      const contributor = requireSignedIn(viewer);
      await revokeKey(database, contributor, requireId(pathParameters.id), contributor);
      return { status: 204 };
    },
  });

function serializeKey(
  { id, name, can_write, created, expires, last_used }: ApiKey,
  timeZone: string,
): z.input<typeof keySchema> {
  const formatTime = (instant: Instant | null) =>
    instant === null ? null : formatInstant(instant, timeZone);
  return {
    id,
    name,
    access: can_write ? 'write' : 'read',
    created: formatInstant(created, timeZone),
    expires: formatTime(expires),
    used: formatTime(last_used),
  };
}
