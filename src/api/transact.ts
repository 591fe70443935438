// How a route writes: one transaction, held to what the request says of versions and of being sent twice.

import { z } from 'zod';
import type { Database } from '../database/open.ts';
import { Invalid } from '../errors.ts';
import { runOnce } from '../gallery/changes/idempotency.ts';
import { transact } from '../gallery/changes/transact.ts';
import type { VersionCheck, WriteContext } from '../gallery/projects/change.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { hashBody } from '../rest/parsers.ts';
import { headerMatchesVersion } from '../rest/prepared-response.ts';
import type { OperationContext, OperationResult, Parameters } from '../rest/resource.ts';

/** Kept by `act`. */
export const idempotencyKeyHeader: Parameters = {
  'Idempotency-Key': {
    description: 'Sent again with the same request, it gets the same answer, and nothing is done twice.',
    schema: z.string().min(1).max(255),
  },
};

/** Kept by whoever asks `fits`. */
export const ifMatchHeader: Parameters = {
  'If-Match': {
    description: 'The ETag of the record as it was read: if it has changed since, nothing is done.',
    schema: z.string(),
  },
};

export function transactOnce(
  database: Database,
  context: OperationContext<Viewer>,
  work: (write: WriteContext) => Promise<OperationResult>,
): Promise<OperationResult> {
  const { viewer, request } = context;
  const key = request.method === 'POST' ? readIdempotencyKey(context) : undefined;
  return transact(database, viewer.contributor, (transaction, changeSet) => {
    const run = () => work({ transaction, changeSet, viewer });
    return key ? runOnce(transaction, changeSet.at, key, run) : run();
  });
}

function readIdempotencyKey({ request, viewer, path, body }: OperationContext<Viewer>) {
  const key = request.headers.get('Idempotency-Key');
  if (key === null || viewer.contributor === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Invalid({
      non_field_errors: ['The Idempotency-Key must have 1 to 255 visible ASCII characters.'],
    });
  const hash = new Bun.CryptoHasher('sha256').update(`${request.method} ${path.replace(/\/?$/, '/')}\n`);
  hashBody(hash, body, request.headers.get('Content-Type'));
  return { contributor: viewer.contributor, key, request: hash.digest('hex') };
}

/** Whether a version is the one that the sender has seen, or none that they have; who does not say, does not mind. */
export function buildVersionCheck({ request: { headers } }: OperationContext<Viewer>): VersionCheck {
  const [ifMatch, ifNoneMatch] = [headers.get('If-Match'), headers.get('If-None-Match')];
  return (version) =>
    (ifMatch === null || headerMatchesVersion(ifMatch, version)) &&
    (ifNoneMatch === null || !headerMatchesVersion(ifNoneMatch, version));
}
