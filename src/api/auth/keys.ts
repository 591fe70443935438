// /api/v1/auth/keys/ and /api/v1/auth/keys/<id>/: the keys of whoever is signed in.

import { z } from 'zod';
import { readFields } from '../../fields.ts';
import { aYear, keyFields } from '../../gallery/accounts/key-fields.ts';
import { type Key, keysOf, makeKey, revokeKey } from '../../gallery/accounts/keys.ts';
import { idFrom } from '../../gallery/ids.ts';
import { formatInstant, type Instant } from '../../gallery/instant.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import { idParameter } from '../id-in-path.ts';
import { needs } from '../needs.ts';
import type { AuthParts } from './index.ts';
import { secret } from './token.ts';

const moment = z.string();
const keySchema = z
  .object({
    id: z.int().min(1),
    name: z.string(),
    access: z.enum(['read', 'write']),
    created: moment,
    expires: moment.nullable().describe('Null for one that lasts until it is revoked.'),
    used: moment.nullable().describe('When it was last used, to the hour; null when it never was.'),
  })
  .meta({ id: 'Key', description: 'A key to the API; the key itself is shown only when it is made.' });
const keysSchema = z.array(keySchema).meta({ id: 'Keys', description: 'All keys, the oldest first.' });
const newKeySchema = keySchema
  .extend({ key: z.string().describe('The key itself: nobody can tell it again.') })
  .meta({ id: 'NewKey', description: 'A key that was just made.' });

export const keySchemas = [keySchema, keysSchema, newKeySchema];

export function keyResources({ accounts: { database }, timeZone }: AuthParts): Resource<Viewer>[] {
  const fields = keyFields(timeZone);
  const told = (instant: Instant | null) => (instant === null ? null : formatInstant(instant, timeZone));
  const show = ({ id, name, writes, created, expires, used }: Key) => ({
    ...{ id, name, access: writes ? 'write' : 'read' },
    ...{ created: told(created), expires: told(expires), used: told(used) },
  });

  return [
    {
      path: '/api/v1/auth/keys/',
      name: 'Key List',
      description: 'Your keys to the API.',
      operations: {
        GET: {
          summary: 'Your keys.',
          permission: needs('seeAccount'),
          answer: keysSchema,
          async handle({ viewer }) {
            return { data: (await keysOf(database, ownerOf(viewer))).map(show) };
          },
        },
        POST: {
          summary: 'Makes a key.',
          status: 201,
          permission: needs('changeAccount'),
          fields,
          answer: newKeySchema,
          async handle({ base, body, viewer, strict }) {
            const { name = '', access = 'read', expires = aYear } = readFields(fields, body.data, { strict });
            const contributor = ownerOf(viewer);
            const wish = { contributor, name, writes: access === 'write', expires };
            const made = await makeKey(database, contributor, wish);
            const headers = { ...secret, Location: `${base}/api/v1/auth/keys/${made.key.id}/` };
            return { status: 201, data: { ...show(made.key), key: made.secret }, headers };
          },
        },
      },
    },
    {
      path: '/api/v1/auth/keys/:id/',
      pathParameters: idParameter('key’s'),
      name: 'Key Instance',
      description: 'One of your keys to the API.',
      operations: {
        DELETE: {
          summary: 'Revokes the key.',
          status: 204,
          permission: needs('changeAccount'),
          async handle({ viewer, params }) {
            await revokeKey(database, viewer.contributor, idFrom(params.id), ownerOf(viewer));
            return { status: 204 };
          },
        },
      },
    },
  ];
}

function ownerOf({ contributor }: Viewer): number {
  if (contributor === null) throw new Error('a visitor has no keys');
  return contributor;
}
