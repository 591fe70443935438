// How a route writes: one transaction, held to what the request says of versions and of being sent twice.

import { z } from 'zod';
import type { Database } from '../database/open.ts';
import { Invalid } from '../errors.ts';
import { once } from '../gallery/changes/once.ts';
import { write } from '../gallery/changes/write.ts';
import type { Act, Fits } from '../gallery/projects/change.ts';
import type { Reader } from '../gallery/readers.ts';
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

export function act(
  database: Database,
  call: Call<Reader>,
  work: (act: Act) => Promise<Success>,
): Promise<Success> {
  const { caller: reader, request } = call;
  const key = request.method === 'POST' ? keyOf(call) : undefined;
  return write(database, reader.contributor, (transaction, notes) => {
    const perform = () => work({ transaction, notes, reader });
    return key ? once(transaction, notes.at, key, perform) : perform();
  });
}

function keyOf({ request, caller, path, body }: Call<Reader>) {
  const key = request.headers.get('Idempotency-Key');
  if (key === null || caller.contributor === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Invalid({
      non_field_errors: ['The Idempotency-Key must have 1 to 255 visible ASCII characters.'],
    });
  const hash = new Bun.CryptoHasher('sha256').update(`${request.method} ${path.replace(/\/?$/, '/')}\n`);
  addBody(hash, body, request.headers.get('Content-Type'));
  return { contributor: caller.contributor, key, request: hash.digest('hex') };
}

/** Whether a version is the one that the sender has seen, or none that they have; who does not say, does not mind. */
export function fits({ request: { headers } }: Call<Reader>): Fits {
  const [wanted, unwanted] = [headers.get('If-Match'), headers.get('If-None-Match')];
  return (version) =>
    (wanted === null || namesVersion(wanted, version)) &&
    (unwanted === null || !namesVersion(unwanted, version));
}
