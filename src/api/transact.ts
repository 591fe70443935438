// How a route writes: one transaction, held to what the request says of versions and of being sent twice.

import { z } from 'zod';
import type { Database } from '../database/open.ts';
import { Invalid } from '../errors.ts';
import { once } from '../gallery/changes/once.ts';
import { transact } from '../gallery/changes/transact.ts';
import type { Fits, WriteContext } from '../gallery/projects/change.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { namesVersion } from '../rest/answer.ts';
import { addBody } from '../rest/parsers.ts';
import type { Call, Parameters, Success } from '../rest/resource.ts';

/** Kept by `act`. */
export const countsOnce: Parameters = {
  'Idempotency-Key': {
    description: 'Sent again with the same request, it gets the same answer, and nothing is done twice.',
    schema: z.string().min(1).max(255),
  },
};

/** Kept by whoever asks `fits`. */
export const ifUnchanged: Parameters = {
  'If-Match': {
    description: 'The ETag of the record as it was read: if it has changed since, nothing is done.',
    schema: z.string(),
  },
};

export function transactOnce(
  database: Database,
  call: Call<Viewer>,
  work: (act: WriteContext) => Promise<Success>,
): Promise<Success> {
  const { viewer, request } = call;
  const key = request.method === 'POST' ? keyOf(call) : undefined;
  return transact(database, viewer.contributor, (transaction, changeSet) => {
    const perform = () => work({ transaction, changeSet, viewer });
    return key ? once(transaction, changeSet.at, key, perform) : perform();
  });
}

function keyOf({ request, viewer, path, body }: Call<Viewer>) {
  const key = request.headers.get('Idempotency-Key');
  if (key === null || viewer.contributor === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Invalid({
      non_field_errors: ['The Idempotency-Key must have 1 to 255 visible ASCII characters.'],
    });
  const hash = new Bun.CryptoHasher('sha256').update(`${request.method} ${path.replace(/\/?$/, '/')}\n`);
  addBody(hash, body, request.headers.get('Content-Type'));
  return { contributor: viewer.contributor, key, request: hash.digest('hex') };
}

/** Whether a version is the one that the sender has seen, or none that they have; who does not say, does not mind. */
export function fits({ request: { headers } }: Call<Viewer>): Fits {
  const [wanted, unwanted] = [headers.get('If-Match'), headers.get('If-None-Match')];
  return (version) =>
    (wanted === null || namesVersion(wanted, version)) &&
    (unwanted === null || !namesVersion(unwanted, version));
}
