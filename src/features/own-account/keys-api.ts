// /api/v1/auth/keys/ and /api/v1/auth/keys/<id>/: the viewer's API keys.

import { z } from 'zod';
import { type ApiKey, loadKeys, revokeKey } from '../../core/accounts/keys.ts';
import { type ApiResource, idParameter, noStore, operation, parsePathId } from '../../core/api/operation.ts';
import { formatOptionalInstant, timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { formatInstant } from '../../core/instant.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { createOwnKey, keyFields, requireSession } from './key-fields.ts';

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
const newKeySchema = keySchema
  .extend({ key: z.string().describe('The key itself; it is never shown again.') })
  .meta({ id: 'NewKey', description: 'A key that was just created.' });

export const resources: ApiResource[] = [
  {
    path: '/api/v1/auth/keys/',
    name: 'Key List',
    description: 'Your API keys.',
    GET: operation({
      operationId: 'listKeys',
      summary: 'Your keys.',
      permission: 'seeAccount',
      responseSchema: z.array(keySchema).meta({ id: 'Keys', description: 'All keys, the oldest first.' }),
      async handle({ viewer }, { database, timeZone }) {
        const keys = await loadKeys(database, requireSignedIn(viewer));
        return { data: keys.map((key) => serializeKey(key, timeZone)) };
      },
    }),
    POST: operation({
      operationId: 'createKey',
      summary: 'Creates a key. This needs a session and the password: a key cannot create keys.',
      status: 201,
      permission: 'changeAccount',
      fields: keyFields,
      responseSchema: newKeySchema,
      responseHeaders: ['Location'],
      precheck: async ({ viewer }) => requireSession(viewer),
      async handle({ origin, viewer, client, readValues }, { accounts, timeZone }) {
        requireSession(viewer);
        const { key, secret } = await createOwnKey(accounts, viewer, readValues(), client);
        const headers = { ...noStore, Location: `${origin}/api/v1/auth/keys/${key.id}/` };
        return { data: { ...serializeKey(key, timeZone), key: secret }, headers };
      },
    }),
  },
  {
    path: '/api/v1/auth/keys/:id/',
    pathParameters: idParameter('key’s'),
    name: 'Key Instance',
    description: 'One of your API keys.',
    DELETE: operation({
      operationId: 'revokeKey',
      summary: 'Revokes the key.',
      status: 204,
      permission: 'changeAccount',
      async handle(context, { database }) {
        const contributor = requireSignedIn(context.viewer);
        await revokeKey(database, contributor, parsePathId(context), contributor);
      },
    }),
  },
];

const serializeKey = (key: ApiKey, timeZone: string) =>
  toRecord(keySchema, key, {
    access: key.can_write ? 'write' : 'read',
    created: formatInstant(key.created, timeZone),
    expires: formatOptionalInstant(key.expires, timeZone),
    used: formatOptionalInstant(key.last_used, timeZone),
  });
